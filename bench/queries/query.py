"""The internal form of ground truth, common to all file formats."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["file", "symbol", "span"]
LEVELS: tuple[Level, ...] = ("file", "symbol", "span")
"""Levels from coarse to fine."""
_EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Target:
    """A relevant file, symbol or span.

    `path` is set for files and spans, `symbol` for symbols. A span is given as lines (`start` and
    `end`, from 1, inclusive) or exactly, as characters (from 0, exclusive end). With characters,
    the lines are only informative and may be unknown.
    """

    level: Level
    path: str = ""
    symbol: str = ""
    start: int = 0
    end: int = 0
    grade: int = 1
    repository: str = ""
    """Repository of the target, if a query has targets in several repositories."""
    alternative: int = 0
    """Number of a group of alternatives, or 0.

    Targets of a query with the same number above 0 are one target in several places. Any of them
    counts, and they have the same grade.
    """
    start_character: int = 0
    end_character: int = 0
    """0 if the span is given as lines."""

    @property
    def has_characters(self) -> bool:
        """Whether the target is a span given as characters."""
        return self.end_character > 0

    @property
    def on_lines(self) -> "Target":
        """The same target given as lines."""
        return replace(self, start_character=0, end_character=0)

    @property
    def as_written(self) -> str:
        """The target in readable form."""
        if self.level != "span":
            return self.symbol or self.path
        if self.has_characters:
            return f"{self.path}:characters {self.start_character}-{self.end_character}"
        return f"{self.path}:{self.start}-{self.end}"

    @property
    def stretch(self) -> str:
        """The position of a span, in words."""
        if self.has_characters:
            return f"characters {self.start_character} to {self.end_character} of {self.path!r}"
        return f"lines {self.start} to {self.end} of {self.path!r}"


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its targets. A negative query has no relevant targets."""

    id: str
    text: str
    targets: tuple[Target, ...] = ()
    negative: bool = False
    category: str = ""
    difficulty: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    expected_answer: str = ""
    """Expected answer, for judges of answers.

    This field and the two below do not affect retrieval, which is judged by the targets alone.
    """
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the query is labelled as using words of its answer on purpose."""
        return _EXACT in (self.category, self.difficulty, *self.tags)


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A file, definition or span that was judged as relevant or not."""

    target: Target
    relevant: bool
    by: str = ""
    date: str = ""
    """Date in ISO format, such as 2026-11-19."""
    text: str = ""
    """Digest of the judged text; "" if not recorded."""


def together(targets: Iterable[Target]) -> list[tuple[Target, ...]]:
    """Return the targets in order, grouped by alternatives."""
    found: dict[tuple[int, int], list[Target]] = {}
    for number, target in enumerate(targets):
        own = 0 if target.alternative else number + 1
        found.setdefault((target.alternative, own), []).append(target)
    return [tuple(alternatives) for alternatives in found.values()]
