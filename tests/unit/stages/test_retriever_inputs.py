"""Inputs that retrievers declare, as stages: shared where they are equal, refused otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from bench.engine import Plan, Read, Record, Stage, Task, perform
from bench.errors import ArtifactError
from bench.stages import PARTS, Ask, BuildIndex, Parse, RankQueries, RepositoryStages, Tokenize
from bench.stages.cutting import Cut
from bench.study.channels import channel_of
from retrievers.chunkers import File
from retrievers.dense import Dense, EmbeddingModel, VectorSettings
from retrievers.graph import Graph
from retrievers.graph.reordered import ReorderedGraph
from retrievers.graph.reordering import Reordering
from retrievers.interface import (
    CHUNKS,
    DOCUMENTS,
    Documents,
    Floats,
    IndexRetriever,
    Input,
    ReadInput,
    Retriever,
)
from retrievers.late import LateSearch
from retrievers.lexical import BM25, Fields

MODEL = EmbeddingModel(dtype="float32")


@dataclass(frozen=True)
class TwoFiles(Stage[Documents]):
    """Two files."""

    kind: ClassVar[str] = "two-files-of-inputs"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    def run(self, _read: Read, /) -> Documents:
        """Return them."""
        return Documents.of([("a.py", "cart = 1\n"), ("b.py", "order = 2\n")])


@dataclass(frozen=True)
class Undeclared(IndexRetriever):
    """Reads chunks without saying so."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The documents only."""
        return (DOCUMENTS,)

    def index(self, read: ReadInput, /) -> "Undeclared":
        """Read what was not declared."""
        read(CHUNKS)
        return self

    def scores(self, _query: str) -> Floats:
        """Score nothing."""
        return np.zeros(0, np.float32)


@dataclass(frozen=True)
class Revised(BM25):
    """BM25 after its code has changed."""

    algorithm_version: ClassVar[int] = 2


def stages() -> RepositoryStages:
    files = TwoFiles()
    tokens = Tokenize(files)
    chunks, questions = Cut(files, tokens, File()), Ask(("cart",))
    return RepositoryStages(files, tokens, Parse(files), chunks=chunks, questions=questions)


def behind(*retrievers: Retriever) -> Sequence[Stage[Any]]:
    """Return the distinct stages of some rankings."""
    return Plan.reaching(RankQueries.of(one, stages()) for one in retrievers).stages


def kinds(*retrievers: Retriever) -> list[str]:
    return [stage.kind for stage in behind(*retrievers)]


def test_an_input_that_was_not_declared_is_refused() -> None:
    """Otherwise the fingerprint would not cover it."""
    stage = RankQueries.of(Undeclared(), stages())

    failure = perform(Task(stage, "memory://undeclared-inputs")).failure

    assert failure
    assert "Named(name='chunks'): read but not declared" in failure.cause


def test_settings_that_do_not_change_the_data_share_it() -> None:
    found = kinds(BM25(), BM25(k1=1.2), BM25(b=0.5), Fields(body=2.0), Fields())

    assert found.count("build-index") == 2  # word counts and columns
    assert found.count("rank-queries") == 5


def test_settings_that_change_the_data_do_not_share_it() -> None:
    assert kinds(BM25(), BM25(tokenizer="stemmed")).count("build-index") == 2


def test_data_made_of_other_derived_data_is_planned_with_it() -> None:
    """The words of symbols are split from the graph; both are made once for all graphs."""
    found = kinds(Graph(), replace(Graph(), walk=replace(Graph().walk, alpha=0.3)))

    # The graph, columns, words by symbol and by file, and the full-text index.
    assert found.count("build-index") == 5
    assert found.count("rank-queries") == 2
    assert found.count("find-edges") == 1


def test_vectors_of_definitions_are_shared_by_all_graphs_that_reorder_by_them() -> None:
    """They are of the source and the model only; a graph that does not reorder has none."""
    weak, strong = (ReorderedGraph(Graph(), Reordering(weight=w), MODEL) for w in (0.3, 0.6))
    other = replace(strong, graph=replace(Graph(), walk=replace(Graph().walk, alpha=0.3)))

    found = kinds(weak, strong, other, Graph())

    assert found.count("embed-symbols") == PARTS
    assert found.count("embed-queries") == 1
    assert found.count("rank-queries") == 4
    assert "embed-symbols" not in kinds(Graph())


def test_code_that_changed_has_another_identity() -> None:
    old, new = RankQueries.of(BM25(), stages()), RankQueries.of(Revised(), stages())
    renumbered = replace(old, algorithm_version=2)

    assert old.versions == {"rank-queries": 1, "BM25": 1}
    assert new.versions == {"rank-queries": 1, "Revised": 2}
    assert renumbered.fingerprint != old.fingerprint


@pytest.mark.parametrize(
    "served",
    [
        (Dense(MODEL), Dense(MODEL, VectorSettings("edge"))),
        (
            LateSearch(MODEL),
            LateSearch(MODEL, served_from="vectors", vectors=VectorSettings("edge")),
        ),
    ],
)
def test_retrievers_that_differ_in_serving_only_share_one_ranking(
    served: tuple[Retriever, Retriever],
) -> None:
    """Quality is judged with an exact search, whatever engine serves."""
    one, other = served

    assert one != other
    assert kinds(one, other).count("rank-queries") == 1


ENGINES = (
    VectorSettings("edge", ranked=True),
    VectorSettings("edge", ranked=True, m=8),
    VectorSettings("edge", ranked=True, ef_construct=64),
    VectorSettings("edge", ranked=True, ef=300),
    VectorSettings("edge", ranked=True, scan_below_kilobytes=1),
    VectorSettings("edge", ranked=True, quantization="scalar"),
    VectorSettings("edge", ranked=True, quantization="scalar", rescore="on"),
    VectorSettings("edge", ranked=True, quantization="scalar", oversampling=2.0),
    VectorSettings("server", ranked=True, url="http://127.0.0.1:6333"),
)


def test_every_setting_of_an_engine_that_ranks_is_another_ranking() -> None:
    rankings = [
        RankQueries.of(Dense(MODEL, one), stages()) for one in (*ENGINES, VectorSettings())
    ]

    assert len({one.fingerprint for one in rankings}) == len(ENGINES) + 1


def test_no_setting_of_an_engine_that_does_not_rank_is_another_ranking() -> None:
    idle = [Dense(MODEL, replace(one, ranked=False)) for one in ENGINES]

    assert kinds(*idle, Dense(MODEL)).count("rank-queries") == 1


def test_another_version_of_the_engine_is_another_ranking() -> None:
    ranking = RankQueries.of(Dense(MODEL, ENGINES[0]), stages())

    assert ranking.engine.startswith("qdrant-edge-py ")
    assert replace(ranking, engine="qdrant-edge-py 0").fingerprint != ranking.fingerprint


def test_a_ranking_without_an_engine_has_the_identity_that_it_always_had() -> None:
    assert RankQueries.of(Dense(MODEL, VectorSettings("edge")), stages()).engine == ""


def test_latency_does_not_depend_on_who_ranks() -> None:
    """The same engine serves in either case."""
    judged: Any = None

    served = [
        channel_of(Dense(MODEL, one), stages(), judged, own_chunks=False).served
        for one in (ENGINES[5], replace(ENGINES[5], ranked=False))
    ]

    assert served[0] == served[1]


def test_the_versions_of_the_data_are_told() -> None:
    (built,) = (stage for stage in behind(BM25()) if isinstance(stage, BuildIndex))

    assert built.versions == {"build-index": 1, "WordCounts": 1}


def test_a_plan_without_chunks_cannot_rank() -> None:
    """The graph of a folder is opened without any."""
    folder = replace(stages(), chunks=None)

    assert folder.inputs(Graph().graph_inputs).providers
    with pytest.raises(ArtifactError, match="chunks: "):
        folder.inputs(BM25().inputs)
