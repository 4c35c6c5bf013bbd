"""A query of a trial: its hits, its measures and its answer.

The fields are those of results.json, so a new number is a new field here. Values are exact in the
process that measured them. `document.rounded` gives the values of the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bench.measures import OF_ANSWERS
from bench.results.codec import Rank, key

Numbers = Mapping[str, float | None]
"""Measures, costs and counts by name; None for a missing number."""
QueryKey = tuple[str, str]
"""A repository and the ID of a query."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, both inclusive; 0 for the whole file."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit in the displayed part of a ranking."""

    path: str
    start: int
    end: int
    score: float | None = field(default=None, metadata=key(exact=True))
    """Score that orders the list, with all decimals because rounded scores may be equal."""
    credit: str | None = None
    """nothing, relevant or duplicate; None in files of older versions."""
    start_byte: int | None = None
    """Byte offset in the UTF-8 text of the file; `end_byte` is exclusive."""
    end_byte: int | None = None
    symbol: str = ""
    """Qualified name of the definition that the hit shows, or ""."""

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Answer:
    """An answer that an answerer made from a query's hits."""

    text: str
    refused: bool
    citations: tuple[int, ...] = ()
    passages: int = 0
    """Number of hits that the answerer received."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    error: str | None = None
    """Reason for a missing answer."""


@dataclass(frozen=True, kw_only=True)
class QueryResult:
    """A query of a trial with its numbers at the study's level and its displayed hits."""

    id: str
    repository: str
    text: str = field(metadata=key("query"))
    category: str
    difficulty: str
    tags: tuple[str, ...] = ()
    negative: bool
    first_rank: Rank | None = None
    """Rank of the first right hit."""
    numbers: Numbers = field(metadata=key(rest=True))
    expected: tuple[str, ...]
    targets: tuple[Place, ...] = ()
    """Places of the targets at the study's level."""
    target_grades: tuple[int, ...] = ()
    """Grade of each target. Alternative places count as one target."""
    target_ranks: tuple[int, ...] = ()
    """Rank of the hit that found each target, 0 if no displayed hit did."""
    hits: tuple[Hit, ...] = field(metadata=key("retrieved"))
    answer: Answer | None = None
    error: str | None = None
    """Reason for a missing ranking, which has no numbers then, or for a missing answer."""

    @property
    def key(self) -> QueryKey:
        """Identity of the query across all repositories."""
        return self.repository, self.id

    @cached_property
    def known(self) -> Mapping[str, float]:
        """Numbers that exist. A query without targets has no ranking measures."""
        return {name: value for name, value in self.numbers.items() if value is not None}

    @property
    def is_judged(self) -> bool:
        """True if the ranking has numbers. Measures of answers do not count."""
        return not self.negative and any(name not in OF_ANSWERS for name in self.known)

    @property
    def asked(self) -> tuple[str, bool, tuple[str, ...]]:
        """Parts of a query that must be equal for comparing two rankings."""
        return self.text, self.negative, self.expected

    @property
    def documents(self) -> tuple[str, ...]:
        """Distinct paths of the targets."""
        return tuple(dict.fromkeys(target.path for target in self.targets))
