"""A trial's place in the recommendation of its study, in a word to filter by."""

from bench.results import AdviceRecord, TrialResult


def verdict_of(trial: TrialResult, advice: AdviceRecord) -> str | None:
    """Return a trial's place in the recommendation, if it has one."""
    places = {
        "ship": trial.name == advice.ship,
        "ruled out": ruled_out(trial, advice) is not None,
        "bound": trial.is_bound,
        "highest": trial.name == advice.highest,
        "may be best": advice.tested is not None and trial.name in advice.tested.may_be_best,
    }
    return next((place for place, holds in places.items() if holds), None)


def ruled_out(trial: TrialResult, advice: AdviceRecord) -> str | None:
    """Return which limits a trial does not keep."""
    return next((one.why for one in advice.ruled_out if one.trial == trial.name), None)
