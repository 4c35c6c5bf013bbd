"""The advice in results.json: names, numbers and sentences."""

from dataclasses import fields, is_dataclass
from typing import Any

from bench.advice.advice import Advice
from bench.advice.wording import (
    caveat_text,
    cost_label,
    limits_text,
    measure_label,
    sentences,
    statements,
    warnings,
)
from bench.analysis import Caveat, Recommendation
from bench.results import AdviceRecord, RuledOutTrial, TrialTests

_IN_WORDS = ("priced", "caveats")
"""Fields of a test that are covered by its statements and warnings."""
_OWN = ("baseline", "best", "may_be_best")


def advice_record(advice: Advice) -> AdviceRecord:
    """Return the decisions, the comparisons behind them, and the sentences about them."""
    return AdviceRecord(
        sentences=sentences(advice),
        highest=advice.highest.trial if advice.highest else None,
        fastest=advice.fastest.trial if advice.fastest else None,
        ship=advice.ship,
        budgets=advice.budgets,
        ruled_out=tuple(RuledOutTrial(one.trial, limits_text(one)) for one in advice.ruled_out),
        exceptions=advice.exceptions,
        prior=advice.prior,
        tested=_tests(advice.tested, advice) if advice.tested else None,
    )


def _tests(tested: Recommendation, advice: Advice) -> TrialTests:
    settings = advice.settings
    names = {
        "measure": measure_label(settings.measure),
        "level": "" if settings.is_of_answers else advice.level,
        "cost": cost_label(settings.cost),
    }
    plain = {
        name: value for name, value in _plain(tested).items() if name not in (*_IN_WORDS, *_OWN)
    }
    return TrialTests(
        baseline=tested.baseline,
        best=tested.best,
        may_be_best=tested.may_be_best,
        statements=statements(advice),
        warnings=warnings(advice),
        rest={**plain, "objective": {**names, **plain["objective"]}},
    )


def _plain(value: Any) -> Any:
    """Convert a value to plain data. Caveats become text."""
    if isinstance(value, Caveat):
        return caveat_text(value)
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value
