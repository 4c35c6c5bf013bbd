"""Reranking without a model: settings, MaxSim by hand, and how two scores become one."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from retrievers.dense import EmbeddingModel, Encoder
from retrievers.errors import ModelError
from retrievers.interface import Floats
from retrievers.rerankers import (
    ComputedPassages,
    CrossEncoder,
    LateInteraction,
    LateInteractionScorer,
    fuse,
    maxsim,
)

TOKENS = {
    "east": [[1, 0]],
    "north east": [[0, 1], [1, 0]],
    "diagonal": [[0.6, 0.8]],
    "": [],
}


class CountingEncoder:
    """Gives tokens of a table and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def query_tokens(self, text: str) -> Floats:
        """Return the tokens of the table."""
        return np.array(TOKENS[text], np.float32).reshape(-1, 2)

    def passage_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Return the tokens of each text."""
        self.asked += texts
        return [self.query_tokens(text) for text in texts]


def scorer_of(encoder: CountingEncoder, *, kept_bytes: int = 1000) -> LateInteractionScorer:
    model = cast(Encoder, encoder)
    return LateInteractionScorer(model, ComputedPassages(model, kept_bytes=kept_bytes))


def test_maxsim_is_the_mean_of_each_query_tokens_best_match() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    passage = np.array([[0.6, 0.8], [0.8, 0.6], [-1, 0]], np.float32)

    assert maxsim(query, passage) == pytest.approx(0.8)


def test_maxsim_of_nothing_is_0() -> None:
    nothing, something = np.zeros((0, 2), np.float32), np.ones((1, 2), np.float32)

    assert maxsim(nothing, something) == 0.0
    assert maxsim(something, nothing) == 0.0


def test_late_interaction_scores_each_text_and_embeds_it_once() -> None:
    encoder = CountingEncoder()
    scorer = scorer_of(encoder)

    first = scorer.scores("north east", ["east", "diagonal", "east", ""])
    second = scorer.scores("east", ["diagonal"])

    east = 95 / 127 * 0.8  # 0.6 as an integer: its text's highest number, 0.8, is 127
    np.testing.assert_allclose(first, [0.5, (0.8 + east) / 2, 0.5, 0], atol=1e-6)
    np.testing.assert_allclose(second, [east], atol=1e-6)
    assert encoder.asked == ["east", "diagonal", ""]


def test_a_score_is_bitwise_the_same_whether_its_text_was_kept_or_not() -> None:
    keeping = scorer_of(CountingEncoder())
    forgetting = scorer_of(CountingEncoder(), kept_bytes=0)

    for scorer in (keeping, forgetting):
        scorer.scores("east", ["diagonal"])

    kept, again = (scorer.scores("east", ["diagonal"]) for scorer in (keeping, forgetting))
    np.testing.assert_array_equal(kept, again)


def test_the_longest_unused_text_is_forgotten_first() -> None:
    encoder = CountingEncoder()
    scorer = scorer_of(encoder, kept_bytes=12)  # two tokens: 2 integers and a factor each

    for text in ("east", "diagonal", "east", "north east", "east"):
        scorer.scores("east", [text])

    assert encoder.asked == ["east", "diagonal", "north east", "east"]


def test_a_small_weight_adds_the_second_z_score_to_the_first() -> None:
    fused = fuse([1, 2, 3], [30, 10, 20], 0.5)

    z = np.sqrt(1.5)
    np.testing.assert_allclose(fused, [-z + 0.5 * z, -0.5 * z, z], atol=1e-6)


def test_from_a_weight_of_1_the_second_score_decides_alone() -> None:
    assert fuse([1, 2, 3], [30, 10, 20], 1.0).tolist() == [30, 10, 20]


def test_a_weight_of_0_keeps_the_first_order() -> None:
    assert np.argsort(-fuse([3, 1, 2], [30, 10, 20], 0.0)).tolist() == [0, 2, 1]


def test_scores_that_are_all_equal_say_nothing() -> None:
    np.testing.assert_allclose(
        fuse([0.1, 0.1, 0.1], [1, 2, 3], 0.2), fuse([5, 5, 5], [1, 2, 3], 0.2)
    )
    assert fuse([0.1, 0.1, 0.1], [7, 7, 7], 0.2).tolist() == [0, 0, 0]
    assert fuse([], [], 0.2).tolist() == []


def test_a_model_without_context_stores_no_token_vectors() -> None:
    """Its token vectors are rows of its table: reading them from a store would take longer."""
    assert LateInteraction().vectors == "stored"
    assert LateInteraction(model="static-code-256").vectors == "computed"


def test_late_interaction_names_the_model_that_dense_retrieval_may_share() -> None:
    assert LateInteraction().embedder == EmbeddingModel().resolved()


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"depth": 0}, "depth=0"), ({"weight": -0.1}, "weight=-0.1"), ({"dtype": "int8"}, "dtype")],
)
def test_wrong_reranker_settings_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        LateInteraction(**fields)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=message):
        CrossEncoder(model="some/model", **fields)  # type: ignore[arg-type]


def test_token_vectors_are_stored_or_computed() -> None:
    with pytest.raises(ModelError, match="vectors=kept: choose one of stored, computed"):
        LateInteraction(vectors="kept")  # type: ignore[arg-type]


def test_a_cross_encoder_must_be_long_enough_for_a_pair() -> None:
    with pytest.raises(ModelError, match="max_length=4"):
        CrossEncoder(model="some/model", max_length=4)


def test_a_cross_encoders_identity_says_what_auto_meant() -> None:
    identity = CrossEncoder(model="some/model", revision="abc").identity

    assert "some/model revision:abc" in identity
    assert identity.endswith(f"dtype={CrossEncoder(model='some/model').resolved().dtype}")
