"""Kinds of queries are ranked with weights of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.engine import ArtifactStore, Read, Record, Stage, Task, perform
from bench.stages import Ask, FuseByKind
from retrievers.interface import Rankings

TEXTS = ("where are totals added", "Cart.total()", "It fails.\nAlways.", "KeyError: 'total'")


@dataclass(frozen=True)
class GivenRankings(Stage[Rankings]):
    """A ranking of four queries that is simply there."""

    kind: ClassVar[str] = "given-rankings-of-four-queries"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    best: int

    def run(self, _read: Read, /) -> Rankings:
        """Return two chunks for each query, one of them first."""
        hits = ([self.best, 1 - self.best], [2.0, 1.0])
        return Rankings.of([hits] * 4, [1.0] * 4, [1.0] * 4)


def test_each_kind_of_query_is_ranked_with_its_own_weights(tmp_path: Path) -> None:
    """And its mean and deviation are those of that ranking."""
    store = ArtifactStore(str(tmp_path))
    words, vectors = GivenRankings(0), GivenRankings(1)
    stage = FuseByKind(
        (words, vectors), Ask(TEXTS), (0.2, 0.8), (("name", (0.9, 0.1)), ("issue", (0.6, 0.2)))
    )

    outcome = perform(Task(stage, store.url))

    assert outcome.payload is not None
    found = stage.codec.decode(outcome.payload)
    chunks = [found.of_query(query)[0].tolist() for query in range(4)]
    assert chunks == [[1, 0], [0, 1], [0, 1], [1, 0]]
    # The best hit of a ranking is worth its weight, the other nothing.
    assert found.mean.tolist() == [0.5, 0.5, 0.4000000059604645, 0.5]
