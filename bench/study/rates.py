"""Measured times of each kind of stage: for estimates and for the order of work."""

import json
from collections.abc import Iterable
from statistics import fmean

from bench.engine import ArtifactStore, Outcome, Plan

_NAME = "rates"


def measured_rates(store: ArtifactStore) -> dict[str, float]:
    """Return the seconds that a stage of each kind took on average in the last study."""
    content = store.read_checked(_NAME)
    return dict(json.loads(content)) if content else {}


def remember_rates(store: ArtifactStore, plan: Plan, outcomes: Iterable[Outcome]) -> None:
    """Keep what the stages of a plan took."""
    kinds = {stage.fingerprint: stage.kind for stage in plan.stages}
    seconds: dict[str, list[float]] = {}
    for outcome in outcomes:
        if outcome.failure is None:
            seconds.setdefault(kinds[outcome.fingerprint], []).append(outcome.cost.seconds)
    rates = measured_rates(store) | {kind: fmean(taken) for kind, taken in seconds.items()}
    store.write_checked(_NAME, json.dumps(rates, sort_keys=True).encode())
