"""A floor is reached by a number, never by its absence."""

import pytest

from bench.errors import SettingError
from bench.gating import check_floor_names, judge
from bench.study import StudyResult
from tests.unit.reporting.sample_study import FAILED, STUDY, TRIAL


def study(*trials: object) -> StudyResult:
    """Return a study of these trials."""
    return StudyResult("i", "own", "symbol", tuple(trials), STUDY.account, ())  # type: ignore[arg-type]


def test_a_number_at_the_floor_passes() -> None:
    """At, not above."""
    verdict = judge(study(TRIAL), {"mrr": 0.5}, of="all")

    assert verdict.passed
    assert verdict.lines == ("gate: passed (mrr ≥ 0.5 for every trial)",)


def test_a_number_below_names_the_queries_that_miss() -> None:
    """With what was found of each."""
    verdict = judge(study(TRIAL), {"mrr": 0.6}, of="all")

    assert not verdict.passed
    assert "mrr is 0.5000 at symbol level, below 0.6" in verdict.lines[0]
    assert verdict.lines[1] == "  q1: mrr 0.50, first right at 2"


@pytest.mark.parametrize("of", ["all", "best"])
def test_no_result_never_passes(of: str) -> None:
    """Neither a failed trial nor an empty study."""
    assert not judge(study(FAILED), {"mrr": 0.0}, of=of).passed
    assert not judge(study(), {"mrr": 0.0}, of="best").passed


def test_the_best_trial_may_stand_for_all() -> None:
    """A failed one beside it does not count then."""
    assert judge(study(TRIAL, FAILED), {"mrr": 0.5}, of="best").passed
    assert not judge(study(TRIAL, FAILED), {"mrr": 0.5}, of="all").passed


def test_no_floor_is_no_gate() -> None:
    """Nothing is asked, nothing is said."""
    assert judge(study(FAILED), {}, of="all").lines == ()


def test_a_floor_under_an_unknown_measure_is_refused() -> None:
    """Before anything runs."""
    with pytest.raises(SettingError, match="mrrr"):
        check_floor_names({"mrrr": 0.5})
