"""The verdict of a gate in sentences, without the state that is shown before them."""

import numpy as np
import pytest

from bench.advice import gate_sentences
from bench.analysis import GateState, Sampling, ScoreMatrix, judge_change
from tests.unit.analysis.simulations import FEW, World


def said(matrix: ScoreMatrix, *, margin: float = 0.02, waived: tuple[str, ...] = ()) -> list[str]:
    """Return what is said of a change from the first trial to the second."""
    old, new = matrix.trials
    test = judge_change(matrix, new, old, Sampling(1), margin=margin, waived=waived)
    return list(gate_sentences(test))


def changed(world: World, *, by: float, places: int) -> ScoreMatrix:
    """Return two trials of which the second is shifted in the first repositories."""
    matrix = world.matrix(np.random.default_rng(3), np.zeros(2))
    values = matrix.values.copy()
    values[: places * world.queries, 1] += by
    return ScoreMatrix(values, matrix.repositories, matrix.trials, matrix.queries)


def test_no_change_is_not_a_certainty() -> None:
    matrix = ScoreMatrix.of([[0.5, 0.5]] * 24, ["a"] * 12 + ["b"] * 12, ["old", "new"])

    assert said(matrix) == ["no query changed; at most 12.5 % would (3/24, 95 %)."]


def test_a_pass_has_its_bound_and_what_is_allowed() -> None:
    (first,) = said(changed(World(9, 60), by=0.15, places=9))

    assert first.startswith("the overall change is +0.")
    assert first.endswith("with 95 % confidence, on these repositories; allowed: -0.020).")


def test_a_drop_everywhere_has_its_p_value() -> None:
    first, *_ = said(changed(World(9, 60), by=-0.15, places=9))

    assert first.startswith("the overall change is -0.")
    assert "one-sided p < 0.001" in first


def test_a_drop_in_one_repository_is_named_and_can_be_waived() -> None:
    matrix = changed(World(9, 100, FEW), by=-0.15, places=1)

    assert said(matrix, margin=0.05)[1].startswith("r0: -0.1")
    assert said(matrix, margin=0.05, waived=("r0",))[1].endswith("; waived.")


def test_single_repositories_are_the_cause_where_the_whole_is_not_worse() -> None:
    values = np.zeros((240, 2))
    values[:20, 1] = np.where(np.arange(20) % 2, -0.3, -0.1)
    values[20:, 1] = np.where(np.arange(220) % 2, 0.10, -0.07)
    matrix = ScoreMatrix.of(values, [f"r{row // 20}" for row in range(240)], ["old", "new"])

    assert said(matrix, margin=0.05)[0].startswith("single repositories got worse; the overall")


def test_an_open_verdict_says_what_is_not_ruled_out_and_what_more_queries_would_do() -> None:
    matrix = changed(World(3, 8), by=0.0, places=0)

    first, forecast, few = said(matrix)

    assert "a drop of 0.020 is not ruled out" in first
    assert "queries" in forecast
    assert few == "Fewer than 12 queries: r0 (8), r1 (8), r2 (8); their errors are rough guesses."


@pytest.mark.parametrize("names", [["a", "b"], ["a", "a", "b"]])
def test_a_lone_query_allows_no_overall_test(names: list[str]) -> None:
    matrix = ScoreMatrix.of([[0, 1], [1, 0], [1, 0]][: len(names)], names, ["old", "new"])
    test = judge_change(matrix, "new", "old", Sampling(1), margin=0.02)

    assert test.state is GateState.INCONCLUSIVE
    assert gate_sentences(test)[-1].startswith("No overall test: ")
    assert "a single query" in gate_sentences(test)[-1]
