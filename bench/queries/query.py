"""The one internal form of ground truth; every file format is read into it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["file", "symbol", "span"]
LEVELS: tuple[Level, ...] = ("file", "symbol", "span")
"""From coarse to fine."""
_EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that is right: a file, a symbol by name, or lines of a file.

    `path` is set for files and spans, `symbol` for symbols, `start` and `end` (lines from 1,
    both included) for spans.
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
    """Targets of a query that share a number above 0 are one thing that stands in several places,
    of which any counts; they have one grade."""


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


def together(targets: Iterable[Target]) -> list[tuple[Target, ...]]:
    """Return the targets in order, those that are alternatives to each other together."""
    found: dict[tuple[int, int], list[Target]] = {}
    for number, target in enumerate(targets):
        own = 0 if target.alternative else number + 1
        found.setdefault((target.alternative, own), []).append(target)
    return [tuple(alternatives) for alternatives in found.values()]
