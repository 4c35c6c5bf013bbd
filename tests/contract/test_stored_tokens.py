"""`reranker.vectors=stored` beside `computed`: equal rankings, and one pass of the model."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from bench.engine import Alone, ArtifactStore, NoObserver, Plan, Stage, carry_out
from bench.models import load_encoder
from bench.stages import RerankByTokens, StoreTokens
from bench.stages.dense import EmbedWindows
from bench.stages.late import EmbedTokens
from bench.stages.token_cache import MOST_BYTES, are_stored
from bench.study.repository_trial import RepositoryTrial
from retrievers.dense import EmbeddingModel, Encoder, Windows
from retrievers.dense.networks import TransformerNetwork
from retrievers.dense.torch_bert import Bert
from retrievers.interface import Rankings
from tests.contract.choices import TEXTS, AskServed, Trying, repository_trial


def trial(trying: Trying, vectors: str) -> RepositoryTrial:
    """Return hybrid search whose first hits are reranked by their order of tokens alone."""
    model = "+reranker.dtype=float32"  # that of dense: one model makes both kinds of vectors
    typed = (f"reranker.vectors={vectors}", "reranker.weight=1", "retriever=hybrid")
    return repository_trial(trying.settings("reranker=on", model, *typed))


@dataclass(frozen=True)
class Made:
    """What became of some stages: their results by kind, and the forward passes they took."""

    store: ArtifactStore
    plan: Plan
    passes: int

    def counts(self, kind: type[Stage[Any]], name: str) -> list[int]:
        """Return a counter of each stage of a kind."""
        stages = [stage for stage in self.plan.stages if isinstance(stage, kind)]
        costs = [self.store.cost(stage) for stage in stages]
        return [cost.counts.get(name, 0) for cost in costs if cost]

    def of(self, stage: Stage[Any]) -> Any:
        """Return the result of a stage."""
        artifact = self.store.load(stage)
        assert artifact is not None
        return stage.codec.decode(artifact.payload)


def made(folder: Path, *goals: Stage[Any]) -> Made:
    """Carry out all goals in a store of their own, and count what the model computes."""
    store = ArtifactStore(str(folder))
    plan = Plan.reaching(goals, done=store.has)
    with counted() as passes:
        outcomes = carry_out(plan, store.url, Alone(), NoObserver())
    assert [one.failure for one in outcomes.values() if one.failure] == []
    return Made(store, plan, len(passes))


@contextmanager
def counted() -> Iterator[list[object]]:
    """Give a list that has an entry more with every forward pass of the packaged model."""
    encoder = load_encoder(EmbeddingModel(dtype="float32"))
    assert encoder.dimensions > 0, "found by a pass of its own, once in a process"
    network = encoder._network
    assert isinstance(network, TransformerNetwork)
    passes: list[object] = []
    assert isinstance(network.transformer, Bert)
    hook = network.transformer.register_forward_pre_hook(lambda *_: passes.append(None))
    try:
        yield passes
    finally:
        hook.remove()


def test_rankings_of_stored_and_computed_vectors_are_equal(trying: Trying, tmp_path: Path) -> None:
    stored, computed = trial(trying, "stored").ranking, trial(trying, "computed").ranking

    by_store = made(tmp_path / "stored", stored).of(stored)
    by_model = made(tmp_path / "computed", computed).of(computed)

    assert stored.fingerprint != computed.fingerprint
    assert stored.codec.encode(by_store) == computed.codec.encode(by_model)


def test_one_forward_pass_makes_vectors_and_token_vectors(trying: Trying, tmp_path: Path) -> None:
    """Whichever trial comes first: the one without a reranker has equal stages."""
    reranked = trial(trying, "stored")
    plain = made(tmp_path / "plain", reranked.ruled_ranking)

    both = made(tmp_path / "both", reranked.ruled_ranking, *tokens_of(reranked))

    assert both.passes == plain.passes
    assert sum(both.counts(EmbedWindows, "embedded")) > 0
    assert sum(both.counts(StoreTokens, "token_texts_embedded")) == 0
    for stage in (one for one in both.plan.stages if isinstance(one, EmbedWindows)):
        np.testing.assert_array_equal(both.of(stage).vector, plain.of(stage).vector)


def test_only_queries_are_embedded_where_token_vectors_are_stored(
    trying: Trying, tmp_path: Path
) -> None:
    stages = trial(trying, "stored")
    made(tmp_path, stages.ruled_ranking, *tokens_of(stages))

    reranked = made(tmp_path, stages.ranking)

    assert reranked.passes <= len(set(TEXTS))


def test_token_vectors_of_windows_that_were_embedded_before_are_added(
    trying: Trying, tmp_path: Path
) -> None:
    """A study without a reranker stores none."""
    stages = trial(trying, "stored")
    made(tmp_path, stages.ruled_ranking)
    assert not list((tmp_path / "contents").glob("tokens-of-*"))

    later = made(tmp_path, stages.ranking)

    assert sum(later.counts(StoreTokens, "token_texts_embedded")) > 0
    assert rankings_of(later, stages) == rankings_of(
        made(tmp_path / "new", stages.ranking), stages
    )


def test_token_vectors_that_the_store_has_lost_are_computed(
    trying: Trying, tmp_path: Path
) -> None:
    """Its limit removes files that were used least recently."""
    stages = trial(trying, "stored")
    before = rankings_of(made(tmp_path / "whole", stages.ranking), stages)
    folder = tmp_path / "lost"
    made(folder, stages.ruled_ranking, *tokens_of(stages))
    for path in (folder / "contents").glob("tokens-of-*"):
        shutil.rmtree(path)

    again = made(folder, stages.ranking)

    assert sum(again.counts(RerankByTokens, "scored")) > 0
    assert rankings_of(again, stages) == before


def test_a_served_reranker_embeds_each_query_once(trying: Trying, tmp_path: Path) -> None:
    """The first hits are those that were judged, and the search shares its pass with it."""
    stages = trial(trying, "stored")
    judged = made(tmp_path, stages.ranking).of(stages.ranking)
    asked = AskServed(stages.served, TEXTS, (1,))
    made(tmp_path, *asked.inputs)

    answers = made(tmp_path, asked)

    assert answers.passes == len(TEXTS)
    firsts = [judged.of_query(query)[0][:1].tolist() for query in range(len(TEXTS))]
    assert [list(shown) for shown in answers.of(asked).chunks] == firsts


@pytest.mark.parametrize(("bits", "is_shared"), [(8, True), (16, False)])
def test_late_interaction_reads_the_token_vectors_of_a_reranker(
    trying: Trying, tmp_path: Path, bits: int, *, is_shared: bool
) -> None:
    """They are what it makes itself, bit for bit, where each token is stored in eight bits."""
    late = repository_trial(trying.settings("retriever=late", f"retriever.bits={bits}")).ranking
    alone = made(tmp_path / "alone", late)
    reranked = trial(trying, "stored")
    made(tmp_path / "shared", reranked.ruled_ranking, *tokens_of(reranked))

    after = made(tmp_path / "shared", late)

    texts = sum(alone.counts(EmbedTokens, "texts"))
    assert sum(alone.counts(EmbedTokens, "embedded")) == texts > 0
    assert sum(after.counts(EmbedTokens, "embedded")) == (0 if is_shared else texts)
    for stage in (one for one in after.plan.stages if isinstance(one, EmbedTokens)):
        assert stage.codec.encode(after.of(stage)) == stage.codec.encode(alone.of(stage))


def test_too_many_token_vectors_are_not_stored() -> None:
    """A tenth of the store's usual limit, for one repository and one size of chunks."""
    encoder = cast(Encoder, _Wide())
    rows = MOST_BYTES // (1000 + 4)

    assert are_stored(_windows(rows), encoder)
    assert not are_stored(_windows(rows + 1), encoder)


class _Wide:
    dimensions = 1000


def _windows(tokens: int) -> Windows:
    one = np.zeros(2, np.int32)
    length = np.array([tokens - 5, 5], np.int32)
    return Windows(one, one, one, one, one, length, one, one, one, ("",))


def tokens_of(stages: RepositoryTrial) -> tuple[StoreTokens, ...]:
    """Return the stages that store the tokens of a trial."""
    assert isinstance(stages.ranking, RerankByTokens)
    return stages.ranking.tokens


def rankings_of(found: Made, stages: RepositoryTrial) -> bytes:
    """Return the last rankings as they are stored."""
    rankings: Rankings = found.of(stages.ranking)
    return stages.ranking.codec.encode(rankings)
