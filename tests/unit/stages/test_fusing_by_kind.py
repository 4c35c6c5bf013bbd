"""Symbols and sentences are ranked with weights of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.engine import ArtifactStore, Read, Record, Stage, Task, perform
from bench.stages import Ask, Fuse, FuseByKind
from retrievers.interface import Rankings


@dataclass(frozen=True)
class GivenRankings(Stage[Rankings]):
    """A ranking of three queries that is simply there."""

    kind: ClassVar[str] = "given-rankings-of-three-queries"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    best: int

    def run(self, _read: Read, /) -> Rankings:
        """Return two chunks for each query, one of them first."""
        hits = ([self.best, 1 - self.best], [2.0, 1.0])
        return Rankings.of([hits] * 3, [1.0] * 3, [1.0] * 3)


def test_a_bare_symbol_is_ranked_with_its_own_weights(tmp_path: Path) -> None:
    """And keeps mean and deviation of that ranking."""
    store = ArtifactStore(str(tmp_path))
    words, vectors = GivenRankings(0), GivenRankings(1)
    others = Fuse((words, vectors), (0.2, 0.8))
    symbols = Fuse((words, vectors), (0.9, 0.1))
    texts = ("where are totals added", "Cart.total()", "It fails.\nAlways.")
    stage = FuseByKind(Ask(texts), symbols, others, symbols)

    outcome = perform(Task(stage, store.url))

    assert outcome.payload is not None
    found = stage.codec.decode(outcome.payload)
    assert [found.of_query(query)[0].tolist() for query in range(3)] == [[1, 0], [0, 1], [0, 1]]
    assert found.mean.tolist() == [0.5, 0.5, 0.5]
