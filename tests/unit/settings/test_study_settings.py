"""What belongs to a study as a whole."""

import re
from typing import Any

import pytest

from bench.errors import SettingError
from bench.settings import StudySettings
from bench.settings.study import parse_study

CONFIG: dict[str, Any] = {
    "execution": {},
    "tracking": {},
    "gate": {},
    "objective": "ndcg_at_10",
    "margin": 0.02,
    "cost": "latency_p50_ms",
    "max_latency_p95_ms": None,
    "max_index_seconds": None,
    "max_memory_mb": None,
    "seed": 0,
    "latency": "off",
    "output": "out",
    "store": "store",
}


def parsed(**changes: Any) -> StudySettings:
    """Return the study's settings of a configuration with these changes."""
    return parse_study({**CONFIG, **changes})


def test_more_columns_can_be_asked_for() -> None:
    """Any of the catalogue, at any cut-off; none by default."""
    assert parsed().measures == ()
    assert parsed(measures=["ndcg_at_5", "mrr"]).measures == ("ndcg_at_5", "mrr")


def test_what_is_better_low_is_no_objective() -> None:
    """The recommendation is for what is highest."""
    with pytest.raises(SettingError, match="objective=duplicates_at_10: lower is better"):
        parsed(objective="duplicates_at_10")


def test_trials_may_be_compared_by_their_answers() -> None:
    """By what is better high; what is measured of them anyway is not asked for."""
    assert parsed(objective="groundedness").advice.is_of_answers
    assert not parsed().advice.is_of_answers
    with pytest.raises(SettingError, match="objective=false_refusal_rate: lower is better"):
        parsed(objective="false_refusal_rate")
    with pytest.raises(SettingError, match="use groundedness"):
        parsed(objective="groundednes")


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (
            ["groundedness"],
            "measures=[groundedness]: measure 'groundedness' is of answers: it comes unasked",
        ),
        (
            ["ndgc_at_10"],
            "measures=[ndgc_at_10]: measure 'ndgc_at_10' does not exist; use ndcg_at_10",
        ),
        (5, "measures=5: must be a list; write measures=[a,b]"),
        ([5], "measures=5: must be text"),
    ],
)
def test_columns_that_do_not_exist_are_refused(measures: object, said: str) -> None:
    """In one line that names the setting and the remedy."""
    with pytest.raises(SettingError) as caught:
        parsed(measures=measures)

    assert caught.value.message.startswith(said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"strategy": "random"}, "strategy=random: needs to know when to stop; add budget_trials"),
        ({"budget_trials": 3}, "budget_trials=3: strategy=grid runs every trial"),
        ({"strategy": "halving", "budget_trials": 0}, "budget_trials=0: must be above 0"),
        ({"strategy": "halving", "budget_minutes": -1}, "budget_minutes=-1.0: must be above 0"),
        ({"strategy": "bayes"}, "strategy=bayes: not one of its values"),
    ],
)
def test_a_search_that_cannot_be_carried_out_is_refused(
    changes: dict[str, Any], said: str
) -> None:
    """Before any work, in one line."""
    with pytest.raises(SettingError, match=re.escape(said)):
        parsed(**changes)
