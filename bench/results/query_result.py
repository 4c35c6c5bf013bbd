"""A query of a trial: its hits, its measures and its answer.

The fields are those of results.json: a new number is one field here. Values are exact in the
process that measured them; `files.rounded` gives them as the file has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bench.measures import OF_ANSWERS
from bench.results.codec import Rank, key

Numbers = Mapping[str, float | None]
"""Measures, costs and counts by their names; None where there is no number."""
QueryKey = tuple[str, str]
"""A repository and the id of a query."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, both included; 0 for the whole file."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit as it was shown."""

    path: str
    start: int
    end: int
    score: float | None = field(default=None, metadata=key(exact=True))
    """The number that orders the list, in full: rounded ones may be equal."""
    credit: str | None = None
    """nothing, relevant or duplicate; files of older versions do not say."""
    start_byte: int | None = None
    """Its place in the UTF-8 text of the file, `end_byte` excluded."""
    end_byte: int | None = None
    symbol: str = ""
    """The qualified name of the definition that it shows; blank if it shows none."""

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Answer:
    """The text that an answerer made of a query's hits."""

    text: str
    refused: bool
    citations: tuple[int, ...] = ()
    passages: int = 0
    """How many hits were given to the answerer."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    error: str | None = None
    """Why there is no answer."""


@dataclass(frozen=True, kw_only=True)
class QueryResult:
    """One query of one trial: its numbers at the primary level, and the hits that were shown."""

    id: str
    repository: str
    text: str = field(metadata=key("query"))
    category: str
    difficulty: str
    tags: tuple[str, ...] = ()
    negative: bool
    first_rank: Rank | None = None
    """Of the first right hit."""
    numbers: Numbers = field(metadata=key(rest=True))
    expected: tuple[str, ...]
    targets: tuple[Place, ...] = ()
    """Where the targets are at the primary level."""
    target_grades: tuple[int, ...] = ()
    """Of each target; places that are alternatives are one target."""
    target_ranks: tuple[int, ...] = ()
    """The rank of the hit that found it, 0 for none of those that were shown."""
    hits: tuple[Hit, ...] = field(metadata=key("retrieved"))
    answer: Answer | None = None
    error: str | None = None
    """Why there is no ranking, and then no numbers either, or why there is no answer."""

    @property
    def key(self) -> QueryKey:
        """Its name across all repositories."""
        return self.repository, self.id

    @cached_property
    def known(self) -> Mapping[str, float]:
        """The numbers that there are: a query without targets has none of a ranking."""
        return {name: value for name, value in self.numbers.items() if value is not None}

    @property
    def is_judged(self) -> bool:
        """Whether its ranking has numbers; an answer may have some where a ranking has none."""
        return not self.negative and any(name not in OF_ANSWERS for name in self.known)

    @property
    def asked(self) -> tuple[str, bool, tuple[str, ...]]:
        """Two rankings of a query can be compared only if this is the same."""
        return self.text, self.negative, self.expected

    @property
    def documents(self) -> tuple[str, ...]:
        """The paths that its targets are in, each once."""
        return tuple(dict.fromkeys(target.path for target in self.targets))
