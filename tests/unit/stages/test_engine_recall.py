"""The share of the nearest chunks that a ranking engine finds."""

from dataclasses import dataclass
from typing import Any

from bench.engine import Stage
from bench.stages import MeasureEngineRecall
from retrievers.interface import Rankings

Pairs = list[tuple[int, float]]


def rankings(*queries: Pairs) -> Rankings:
    """Return rankings with these chunks and scores."""
    hits = [([chunk for chunk, _ in one], [score for _, score in one]) for one in queries]
    return Rankings.of(hits, [0.0] * len(queries), [1.0] * len(queries))


@dataclass(frozen=True)
class Known:
    """Gives two rankings in place of the stages that make them."""

    results: dict[str, Rankings]

    def __call__(self, stage: Any, /) -> Rankings:
        """Return the ranking of a stage by its name."""
        return self.results[stage]


def shares(found: Rankings, exact: Rankings, nearest: int) -> list[float]:
    ranking: Any = "found"
    best: Any = "exact"
    stage: Stage[Any] = MeasureEngineRecall(ranking, best, nearest=nearest)
    read: Any = Known({"found": found, "exact": exact})
    return [float(share) for share in stage.run(read).share]


def test_each_query_has_the_share_of_the_nearest_that_is_among_its_first_hits() -> None:
    exact = rankings([(1, 0.9), (2, 0.8), (3, 0.7)], [(3, 0.9), (2, 0.8), (1, 0.7)])
    found = rankings([(1, 0.9), (3, 0.7), (2, 0.1)], [(2, 0.8), (3, 0.9)])

    assert shares(found, exact, 2) == [0.5, 1]


def test_equally_near_chunks_count() -> None:
    exact = rankings([(1, 0.9), (2, 0.8), (3, 0.8), (4, 0.5)])

    assert shares(rankings([(1, 0.9), (3, 0.8)]), exact, 2) == [1]
    assert shares(rankings([(1, 0.9), (4, 0.5)]), exact, 2) == [0.5]


def test_of_fewer_chunks_than_ten_all_are_wanted() -> None:
    exact = rankings([(1, 0.9), (2, 0.8)])

    assert shares(rankings([(2, 0.8)]), exact, 10) == [0.5]


def test_a_repository_without_chunks_has_nothing_to_miss() -> None:
    assert shares(rankings([]), rankings([]), 10) == [1]
