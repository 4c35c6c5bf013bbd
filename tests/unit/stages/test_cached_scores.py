"""Each pair of a query and a text is scored once, also across workers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.engine import ArtifactStore, ContentCache
from bench.stages.reranking import CachedScorer, reordered


class Lengths:
    """Scores a text by its length, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def scores(self, query: str, texts: Sequence[str]) -> Any:
        """Return the lengths."""
        self.asked += [(query, text) for text in texts]
        return np.array([len(text) for text in texts], np.float32)


def test_a_pair_is_scored_once_within_and_across_scorers(tmp_path: Path) -> None:
    """A second worker finds what the first one kept."""
    store = ArtifactStore(str(tmp_path))
    lengths = Lengths()
    first = CachedScorer(lengths, ContentCache(store, "s"))

    found = [first.scores("q", ["aa", "b", "aa"]), first.scores("q", ["b", "ccc"])]
    first.keep()
    second = CachedScorer(lengths, ContentCache(store, "s")).scores("q", ["ccc", "aa"])

    assert [scores.tolist() for scores in found] == [[2, 1, 2], [1, 3]]
    assert second.tolist() == [3, 2]
    assert lengths.asked == [("q", "aa"), ("q", "b"), ("q", "ccc")]
    assert (first.asked, first.scored) == (5, 3)


def test_many_pairs_are_kept_before_the_end(tmp_path: Path) -> None:
    """An interruption loses a few hundred scores, not all."""
    store = ArtifactStore(str(tmp_path))
    scorer = CachedScorer(Lengths(), ContentCache(store, "s"))

    for number in range(300):
        scorer.scores(f"query {number}", ["text"])

    assert len(store.names("contents/s")) == 1


def test_only_the_hits_with_a_second_score_are_reordered() -> None:
    """They stay above the rest, in the order of z(first) + weight · z(second)."""
    hits = np.array([7, 8, 9, 10], np.int32)
    scores = np.array([3.0, 2.0, 1.0, 0.5], np.float32)

    order, new = reordered(hits, scores, np.array([0.0, 1.0], np.float32), weight=1.0)

    assert order.tolist() == [8, 7, 9, 10]
    assert new.tolist() == sorted(new.tolist(), reverse=True)
    assert new[2:].tolist() == [1.0, 0.5]


def test_without_second_scores_nothing_moves() -> None:
    """A query without hits stays one."""
    empty = np.zeros(0, np.int32)

    hits, scores = reordered(empty, empty.astype(np.float32), np.zeros(0, np.float32), weight=0.2)

    assert (len(hits), len(scores)) == (0, 0)
