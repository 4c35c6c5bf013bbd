"""The verdict on a trial in the recommendation of its study, as a word for filters."""

from bench.results import AdviceRecord, TrialResult


def verdict_of(trial: TrialResult, advice: AdviceRecord) -> str | None:
    """Return the verdict on a trial, or None. The first that applies counts."""
    places = {
        "ship": trial.name == advice.ship,
        "ruled out": ruled_out(trial, advice) is not None,
        "bound": trial.is_bound,
        "highest": trial.name == advice.highest,
        "may be best": advice.tested is not None and trial.name in advice.tested.may_be_best,
    }
    return next((place for place, holds in places.items() if holds), None)


def ruled_out(trial: TrialResult, advice: AdviceRecord) -> str | None:
    """Return the limits that a trial violates, or None."""
    return next((one.why for one in advice.ruled_out if one.trial == trial.name), None)
