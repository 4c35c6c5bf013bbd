"""The class of each query under two trials: win, loss, regression or draw."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bench.compare.questions import Dropped, SharedQuestions
from bench.results import Hit, QueryKey, QueryResult, TrialResult

_NOT_RECORDED = SharedQuestions()
_SHARE = 0.5
"""Share of the shorter hit that two hits of different chunkers must have in common."""


class Kind(StrEnum):
    """Result of b on a query, compared with a.

    A regression is a query that only a finds. A loss is found later in b.
    """

    WIN = "win"
    LOSS = "loss"
    REGRESSION = "regression"
    DRAW = "draw"


@dataclass(frozen=True)
class QueryComparison:
    """A query under both trials. Ranks are those of the first relevant hit, or None."""

    query: str
    repository: str
    text: str
    difficulty: str
    category: str
    kind: Kind
    a_rank: int | None
    b_rank: int | None
    a_hits: tuple[Hit, ...]
    b_hits: tuple[Hit, ...]
    expected: tuple[str, ...]

    @property
    def flipped(self) -> bool:
        """Whether the class is not a draw."""
        return self.kind is not Kind.DRAW


@dataclass(frozen=True)
class Matched:
    """The queries of two trials that can be compared, and those that cannot."""

    both: tuple[QueryComparison, ...]
    changed: tuple[str, ...]
    """Queries with the same id in both, but a different question or different targets."""
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    """Queries of both studies whose targets exist in only one of the two trees."""
    negative: tuple[QueryKey, ...]
    """Queries without relevant passages: they have no rank and class, but may be refused."""

    @property
    def keys(self) -> tuple[QueryKey, ...]:
        """Keys of all comparable queries."""
        return (*((one.repository, one.query) for one in self.both), *self.negative)

    @property
    def dropped_share(self) -> float:
        """Share of the queries with targets that are no longer comparable."""
        whole = len(self.both) + len(self.dropped)
        return len(self.dropped) / whole if whole else 0.0


def match_queries(
    a: TrialResult, b: TrialResult, questions: SharedQuestions = _NOT_RECORDED
) -> Matched:
    """Compare the queries that both trials have and whose targets exist in both trees."""
    before, after = a.by_key, b.by_key
    shared = [key for key in before if key in after]
    same = [key for key in shared if questions.are_same(before[key], after[key])]
    dropped = [key for key in same if key in questions.dropped]
    alike = [key for key in same if key not in questions.dropped]
    judged = [key for key in alike if before[key].is_judged and after[key].is_judged]
    return Matched(
        both=tuple(_compared(before[key], after[key]) for key in judged),
        changed=tuple("/".join(key) for key in shared if key not in set(same)),
        only_a=tuple("/".join(key) for key in before if key not in after),
        only_b=tuple("/".join(key) for key in after if key not in before),
        dropped=tuple(questions.dropped[key] for key in dropped),
        negative=tuple(key for key in alike if before[key].negative),
    )


def kind_of(a_rank: int | None, b_rank: int | None) -> Kind:
    """Return the class of a query by the ranks of its first relevant hits."""
    if a_rank == b_rank:
        return Kind.DRAW
    if b_rank is None:
        return Kind.REGRESSION
    if a_rank is None or b_rank < a_rank:
        return Kind.WIN
    return Kind.LOSS


def _compared(a: QueryResult, b: QueryResult) -> QueryComparison:
    return QueryComparison(
        query=a.id,
        repository=a.repository,
        text=b.text,  # the same question; b decides whether its text may be shown
        difficulty=a.difficulty,
        category=a.category,
        kind=kind_of(a.first_rank, b.first_rank),
        a_rank=a.first_rank,
        b_rank=b.first_rank,
        a_hits=a.hits,
        b_hits=b.hits,
        expected=a.expected,
    )


def same_place(a: Hit, b: Hit, *, exact: bool) -> bool:
    """Return whether two hits show the same place.

    `exact` requires the same lines. Otherwise half of the shorter hit must be common.
    """
    if a.path != b.path:
        return False
    if exact:
        return (a.start, a.end) == (b.start, b.end)
    shared = min(a.end, b.end) - max(a.start, b.start) + 1
    shorter = min(a.end - a.start, b.end - b.start) + 1
    return shared >= _SHARE * shorter


def came_from(compared: QueryComparison, *, exact: bool) -> Iterator[tuple[Hit, int | None]]:
    """Yield each hit of b with the rank of the same place in a, or None."""
    for hit in compared.b_hits:
        ranks = (
            rank
            for rank, before in enumerate(compared.a_hits, start=1)
            if same_place(before, hit, exact=exact)
        )
        yield hit, next(ranks, None)
