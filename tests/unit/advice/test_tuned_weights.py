"""The sentence about weights that were chosen."""

import numpy as np
import pytest

from bench.advice import Advice, sentences
from bench.advice.advice import TunedWeights
from bench.results.tuning import tuning_of
from bench.settings.study import AdviceSettings
from bench.study import WeightFamily


def chosen(*later: str) -> str:
    """Return the sentence about a choice of two weightings on two repositories."""
    family = WeightFamily(
        channels=("bm25", "dense"),
        steps=1,
        objective="ndcg_at_10",
        chosen=(1.0, 0.0),
        weightings=np.array([[0.0, 1.0], [1.0, 0.0]]),
        means=np.array([0.25, 0.5]),
        scores={"a": np.array([[0.0, 0.5], [0.5, 0.5]]), "b": np.array([[0.0, 0.5], [0.5, 0.5]])},
        later=later,
    )
    tuned = TunedWeights("trial", "report", tuning_of(family, seed=0))
    return sentences(Advice(AdviceSettings(), "file", 1, tuned=(tuned,)))[1]


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (("rules",), "before rules."),
        (("reranker",), "before reranker."),
        (("rules", "reranker"), "before rules and reranker."),
    ],
)
def test_a_choice_says_what_it_did_not_know_of(later: tuple[str, ...], said: str) -> None:
    """Rules and rerankers reorder the ranking that was chosen by."""
    assert f"Chosen on fused rankings, {said}" in chosen(*later)


def test_a_choice_of_the_last_ranking_says_no_such_thing() -> None:
    assert "before" not in chosen()
