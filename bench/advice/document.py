"""Advice as plain data for results.json: names, numbers and the sentences."""

from dataclasses import asdict, fields, is_dataclass
from typing import Any

from bench.advice.advice import Advice
from bench.advice.tuned_weights import TunedWeights, weights_override
from bench.advice.wording import (
    caveat_text,
    cost_label,
    limits_text,
    measure_label,
    sentences,
    statements,
    warnings,
)
from bench.analysis import Caveat

_IN_WORDS = ("priced", "caveats")
"""Fields of a test that its statements and warnings say."""


def advice_document(advice: Advice) -> dict[str, Any]:
    """Return the decisions, the comparisons behind them, and everything that is said of them."""
    return {
        "sentences": sentences(advice),
        "highest": advice.highest.trial if advice.highest else None,
        "fastest": advice.fastest.trial if advice.fastest else None,
        "ship": advice.ship,
        "ruled_out": [{"trial": one.trial, "why": limits_text(one)} for one in advice.ruled_out],
        "exceptions": [asdict(one) for one in advice.exceptions],
        "tested": _tested(advice),
    }


def no_advice_document(reason: str) -> dict[str, Any]:
    """Return the form of a study that is not advised on."""
    return {
        "sentences": (reason,),
        "highest": None,
        "fastest": None,
        "ship": None,
        "ruled_out": (),
        "exceptions": (),
        "tested": None,
    }


def _tested(advice: Advice) -> dict[str, Any] | None:
    if advice.tested is None:
        return None
    settings = advice.settings
    names = {
        "measure": measure_label(settings.objective),
        "level": "" if settings.is_of_answers else advice.level,
        "cost": cost_label(settings.cost),
    }
    plain = {name: of for name, of in _plain(advice.tested).items() if name not in _IN_WORDS}
    return {
        **plain,
        "objective": {**names, **plain["objective"]},
        "statements": [asdict(one) for one in statements(advice)],
        "warnings": warnings(advice),
    }


def _plain(value: Any) -> Any:
    """Return a value as plain data; a caveat is its text."""
    if isinstance(value, Caveat):
        return caveat_text(value)
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value


def tuning_document(tuned: TunedWeights) -> dict[str, Any]:
    """Return the choice of weights, its worth, each repository's own choice, and the curve."""
    family, worth = tuned.family, tuned.worth
    return {
        "objective": family.objective,
        "half": "tune",
        "queries": tuned.queries,
        "steps": family.steps,
        "chosen_before": list(family.later),
        "channels": list(family.channels),
        "weightings": len(family.weightings),
        "chosen": dict(zip(family.channels, family.chosen, strict=True)),
        "override": weights_override(family.chosen),
        "in_sample": tuned.in_sample,
        "expected_here": worth.expected_here if worth else None,
        "expected_on_a_new_repository": worth.expected_elsewhere if worth else None,
        "repositories": {
            one.repository: {
                name: value for name, value in asdict(one).items() if name != "repository"
            }
            for one in tuned.repositories
        },
        "curve": [
            {"weights": row.tolist(), "score": mean}
            for row, mean in zip(family.weightings, family.means.tolist(), strict=True)
        ],
    }
