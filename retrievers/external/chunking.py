"""Chunkers of the user: a Python function or class, or a program, which returns offsets.

A program reads a line of JSON for each document, `{"path", "text", "size", "overlap"}`, and writes
one line for each: a list of `[start, end]` in characters of the text, without the end. It runs in
a process of its own, in an empty folder, like an engine.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrievers.chunkers import Offsets, chunks_of_offsets
from retrievers.errors import ChunkerError, ExternalError
from retrievers.external.processes import run
from retrievers.interface import Chunks, Documents, TokenEnds

_HOST = "retrievers.external.chunking_host"
_SHOWN = 80
_REMEDY = "answer with a list of [start, end] for each document"


@dataclass(frozen=True, kw_only=True)
class _Program:
    """The settings of every chunker of the user."""

    size: int = 512
    overlap: int = 0
    version: str = ""
    timeout_seconds: float = 600.0
    """Time-out for all documents together."""

    @property
    def started(self) -> tuple[str, ...]:
        """The program and its arguments."""
        raise NotImplementedError

    def cut(self, documents: Documents, tokens: TokenEnds) -> Chunks:
        """Return the chunks that the program returns."""
        given = "".join(f"{line}\n" for line in self._asked(documents))
        with tempfile.TemporaryDirectory(prefix="rankgrid-") as folder:
            try:
                done = run(
                    self.started, folder=Path(folder), seconds=self.timeout_seconds, given=given
                )
            except ExternalError as error:
                raise ChunkerError(str(error)) from error
        if done.failure:
            raise ChunkerError(done.failure)
        lines = [line for line in done.output.splitlines() if line.strip()]
        if len(lines) != len(documents):
            message = f"answered {len(lines)} lines for {len(documents)} documents"
            raise ChunkerError(f"{self.started[0]}: {message}; {_REMEDY}")
        offsets = [_read(*pair) for pair in zip(lines, documents.paths, strict=True)]
        return chunks_of_offsets(documents, tokens, offsets)

    def _asked(self, documents: Documents) -> Iterator[str]:
        for number, path in enumerate(documents.paths):
            about = {"path": path, "size": self.size, "overlap": self.overlap}
            yield json.dumps({**about, "text": documents.text(number)})


@dataclass(frozen=True)
class CommandChunker(_Program):
    """A program that runs once for all documents."""

    command: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise an error for a blank command."""
        if not self.command or not self.command[0].strip():
            raise ChunkerError("command=[]: give the program and its arguments as a list")

    @property
    def started(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return self.command


@dataclass(frozen=True)
class PythonChunker(_Program):
    """A function, or a class with a method `cut`. It gets the values that its parameters name."""

    target: str
    """The name in the form `package.module:name`."""

    def __post_init__(self) -> None:
        """Raise an error for a name of another form."""
        module, _, name = self.target.partition(":")
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise ChunkerError(f"target={self.target}: must be package.module:name")

    @property
    def started(self) -> tuple[str, ...]:
        """Python with the host program. `-P` excludes the current folder from imports."""
        return (sys.executable, "-P", "-m", _HOST, self.target)


ProgramChunker = CommandChunker | PythonChunker


def _read(line: str, path: str) -> Offsets:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ChunkerError(f"{path}: the answer is not JSON: {line[:_SHOWN]!r}") from error
    if isinstance(found, dict) and "error" in found:
        raise ChunkerError(f"{path}: {found['error']}")
    if not isinstance(found, list):
        raise ChunkerError(f"{path}: {line[:_SHOWN]!r} is not a list; {_REMEDY}")
    return [_pair(one, path) for one in found]


def _pair(value: object, path: str) -> tuple[int, int]:
    is_pair = isinstance(value, Sequence) and len(value) == 2  # noqa: PLR2004
    if isinstance(value, Sequence) and is_pair and all(type(part) is int for part in value):
        return value[0], value[1]
    raise ChunkerError(f"{path}: {str(value)[:_SHOWN]} is not [start, end]; {_REMEDY}")
