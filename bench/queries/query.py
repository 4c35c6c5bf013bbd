"""The one internal form of ground truth; every file format is read into it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["file", "symbol", "span"]
LEVELS: tuple[Level, ...] = ("file", "symbol", "span")
"""From coarse to fine."""
_EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that is right: a file, a symbol by name, or a span of a file.

    `path` is set for files and spans, `symbol` for symbols. A span is given as lines (`start` and
    `end`, from 1, both included) or exactly, as characters (from 0, the end not included); its
    lines are then for people and may be unknown.
    """

    level: Level
    path: str = ""
    symbol: str = ""
    start: int = 0
    end: int = 0
    grade: int = 1
    repository: str = ""
    """Where to look, if a query has targets in several repositories."""
    alternative: int = 0
    """Targets of a query that share a number above 0 are one thing in several places,
    any of which counts; they have one grade."""
    start_character: int = 0
    end_character: int = 0
    """0 where the span is given as lines."""

    @property
    def has_characters(self) -> bool:
        """Whether it is a span given as characters."""
        return self.end_character > 0

    @property
    def on_lines(self) -> "Target":
        """The same target given as lines."""
        return replace(self, start_character=0, end_character=0)

    @property
    def as_written(self) -> str:
        """The target as people write it."""
        if self.level != "span":
            return self.symbol or self.path
        if self.has_characters:
            return f"{self.path}:characters {self.start_character}-{self.end_character}"
        return f"{self.path}:{self.start}-{self.end}"

    @property
    def stretch(self) -> str:
        """Where a span is, in words."""
        if self.has_characters:
            return f"characters {self.start_character} to {self.end_character} of {self.path!r}"
        return f"lines {self.start} to {self.end} of {self.path!r}"


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its targets; a negative query has none because nothing is right."""

    id: str
    text: str
    targets: tuple[Target, ...] = ()
    negative: bool = False
    category: str = ""
    difficulty: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    expected_answer: str = ""
    """What an answer should say, and below what it must and must not: kept for those who judge
    answers; retrieval is judged by the targets alone."""
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether it is labelled as one that gives words of its answer on purpose."""
        return _EXACT in (self.category, self.difficulty, *self.tags)


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A file, definition or span with an answer to whether it is right."""

    target: Target
    relevant: bool
    by: str = ""
    date: str = ""
    """The day in ISO format, such as 2026-11-19."""
    text: str = ""
    """The digest of the text that was judged; blank if it was not recorded."""


def together(targets: Iterable[Target]) -> list[tuple[Target, ...]]:
    """Return the targets in order, those that are alternatives to each other together."""
    found: dict[tuple[int, int], list[Target]] = {}
    for number, target in enumerate(targets):
        own = 0 if target.alternative else number + 1
        found.setdefault((target.alternative, own), []).append(target)
    return [tuple(alternatives) for alternatives in found.values()]
