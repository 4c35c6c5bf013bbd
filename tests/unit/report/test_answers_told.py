"""The end of a run says how good the answers were, where any were asked for."""

from dataclasses import replace
from io import StringIO

from rich.console import Console

from bench.advice import advise
from bench.report import show_result
from bench.results import Refusal, TrialResult
from tests.unit.report.sample_study import STUDY, TRIAL

ANSWERED = replace(
    TRIAL,
    summary={**TRIAL.summary, "avg_citation_coverage": 0.75, "avg_groundedness": None},
    refusal=Refusal("calibrated on the tune half", 1.5),
)


def printed(trial: TrialResult) -> str:
    """Return what is printed of a study of one trial."""
    study, page = replace(STUDY, trials=(trial,)), StringIO()
    show_result(study, advise(study, seed=0), console=Console(file=page, width=400))
    return page.getvalue()


def test_measures_of_answers_and_the_threshold_are_told() -> None:
    """A mean over nothing is a dash."""
    told = printed(ANSWERED)

    assert "citation coverage 0.75" in told
    assert "groundedness -" in told
    assert "refused below a score of 1.5000 (calibrated on the tune half)" in told


def test_a_model_refuses_by_itself() -> None:
    """Without a threshold."""
    told = printed(replace(ANSWERED, refusal=Refusal("the model")))

    assert "; refused by the model" in told


def test_where_no_threshold_gains_anything_that_is_told() -> None:
    """What has no hit is refused all the same."""
    told = printed(replace(ANSWERED, refusal=Refusal("calibrated on the tune half")))

    assert "; refused only without a hit (calibrated on the tune half)" in told


def test_without_an_answerer_nothing_is_said_of_answers() -> None:
    """The page is as it was."""
    assert "Answers" not in printed(TRIAL)
