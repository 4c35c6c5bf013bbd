"""Answers as spans of the tree. A place that is not in the tree is an error, never a miss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from retrievers.errors import ExternalError
from retrievers.external.answers import Answer
from retrievers.interface import Documents, Span

Meaning = Callable[[str], Sequence[Span]]
"""A function that returns the spans of a qualified name; empty for an unknown name."""
_SHOWN = 120


@dataclass(frozen=True)
class Places:
    """The documents and symbols of a tree, to resolve answers."""

    documents: Documents
    meaning: Meaning
    root: Path
    """The folder that the engine gets."""
    first_line: int = 1
    """The engine's number of the first line of a file, 0 or 1."""

    def spans(self, answers: Sequence[Answer]) -> list[tuple[Span, float | None]]:
        """Return the spans of the answers in their order, with their scores."""
        return [(span, one.score) for one in answers for span in self._of(one)]

    def _of(self, answer: Answer) -> Sequence[Span]:
        if answer.start is not None or not answer.symbol:
            return [self._lines(answer)]
        path = self._path(answer.path) if answer.path else ""
        asked = f"{path}::{answer.symbol}" if path else answer.symbol
        found = self.meaning(asked)
        if not found:
            raise ExternalError(f"symbol {asked[:_SHOWN]!r} is not in the tree")
        return found

    def _lines(self, answer: Answer) -> Span:
        path = self._path(answer.path)
        last = _line_count(self.documents, self.documents.places[path])
        if answer.start is None:
            return Span(path, 1, last)
        ended = answer.start if answer.end is None else answer.end
        start, end = answer.start + 1 - self.first_line, ended + 1 - self.first_line
        if not 1 <= start <= end <= last:
            raise ExternalError(
                f"lines {answer.start} to {ended} of {path!r} do not exist: it has {last}"
                f" (the first is {self.first_line})"
            )
        return Span(path, start, end)

    def _path(self, said: str) -> str:
        """Return the path of a document, given relative to the root, with `./`, or absolute."""
        if said in self.documents.places:
            return said
        written = PurePosixPath(said)
        if written.is_absolute() and written.is_relative_to(self.root.as_posix()):
            written = written.relative_to(self.root.as_posix())
        if str(written) in self.documents.places:
            return str(written)
        if written.is_absolute() or ".." in written.parts:
            raise ExternalError(f"path {said[:_SHOWN]!r} is outside the tree")
        raise ExternalError(f"path {said[:_SHOWN]!r} is not in the tree")


def _line_count(documents: Documents, document: int) -> int:
    return max(1, len(documents.line_starts(document)))
