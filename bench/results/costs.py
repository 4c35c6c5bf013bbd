"""Costs of a trial: the latency of queries, and time and memory of the index."""

from typing import Any

import numpy as np

from bench.engine import Cost, Plan, Stage
from bench.results.query_result import Numbers
from bench.results.trial_result import LATENCIES, Span
from bench.stages import FindCopies, Latency
from bench.study import Study, Trial

Samples = np.ndarray[Any, np.dtype[np.float64]]
_TAIL = 0.025

INDEX_KINDS = (
    "tokenize",
    "tokenize-by-model",
    "find-breaks",
    "find-definition-breaks",
    "find-whole-definitions",
    "cut",
    "cut-at-breaks",
    "cut-by-program",
    "cut-at-definitions",
    "find-sentences",
    "cut-at-topics",
    "count-again",
    "add-headers",
    "build-index",
    "read-paths",
    "find-edges",
    "read-change-days",
    "cut-windows",
    "cut-chunk-windows",
    "embed",
    "embed-symbols",
    "embed-tokens",
    "store-tokens",
)
"""Stages that make an index. Their cost counts for the trial even if it was shared."""


def latency_numbers(latency: Latency | None) -> Numbers:
    """Return the mean and percentiles of the samples, or None without samples."""
    if latency is None or not len(latency.milliseconds):
        return dict.fromkeys(LATENCIES)
    samples = latency.milliseconds
    enough = len(samples) >= 100  # noqa: PLR2004 - a 99th percentile of fewer is the maximum
    return {
        "avg_latency_ms": float(samples.mean()),
        "latency_p50_ms": float(np.percentile(samples, 50)),
        "latency_p95_ms": float(np.percentile(samples, 95)),
        "latency_p99_ms": float(np.percentile(samples, 99)) if enough else None,
    }


def latency_intervals(latency: Latency | None) -> dict[str, Span]:
    """Return distribution-free 95 % intervals of the percentiles.

    An end is None if the samples do not bound it. For example, 50 samples do not bound the 95th
    percentile from above.
    """
    if latency is None or not len(latency.milliseconds):
        return {}
    ordered = np.sort(latency.milliseconds)
    shares = {"p50_interval_ms": 0.5, "p95_interval_ms": 0.95}
    return {name: _percentile_between(ordered, share) for name, share in shares.items()}


def _percentile_between(ordered: Samples, share: float) -> Span:
    """Return the samples at the binomial ranks that leave 2.5 % on each side."""
    from scipy.special import bdtr

    count = len(ordered)
    below = bdtr(np.arange(count), count, share)  # of 0, 1, … samples at most
    first = int(np.searchsorted(below, _TAIL, side="right")) - 1
    last = int(np.searchsorted(below, 1 - _TAIL, side="left"))
    return (
        float(ordered[first]) if first >= 0 else None,
        float(ordered[last]) if last < count else None,
    )


def costs_of(study: Study, trial: Trial) -> Numbers:
    """Return the costs of a trial alone; a shared stage counts for each of its trials."""
    # The check for copied questions is not part of a configuration's cost.
    stages = [one for one in Plan.reaching(trial.goals).stages if not isinstance(one, FindCopies)]
    costs = [(stage, study.cost_of(stage)) for stage in stages]
    quality = [(stage, cost) for stage, cost in costs if not stage.exclusive]
    counts = _added_up([cost for _, cost in quality])
    windows = [cost for stage, cost in quality if _is_of_embedder(stage)]
    seen = _added_up(windows)
    # Folders are read during planning, so their stage has no measurement.
    run = [cost for _, cost in quality if cost.seconds]
    tokens, unseen = seen.get("tokens", 0), seen.get("unseen_tokens", 0)
    return {
        "index_seconds": _index_seconds(quality) + counts.get("index_milliseconds", 0) / 1000,
        "stage_seconds": sum(cost.seconds for _, cost in costs),
        "peak_memory_bytes": _most_memory([cost.taken_bytes for cost in run]),
        "texts_embedded": counts.get("texts", 0),
        "tokens_embedded": tokens,
        "pairs_scored": counts.get("pairs", 0),
        "unseen_token_share": unseen / (tokens + unseen) if tokens + unseen else None,
    }


def _most_memory(taken: list[int | None]) -> int | None:
    """Return the memory of the largest stage, or None if any is unknown."""
    known = [amount for amount in taken if amount is not None]
    return max(known, default=0) if len(known) == len(taken) else None


def _index_seconds(costs: list[tuple[Stage[Any], Cost]]) -> float:
    """Return the seconds of the index, including parsing if the index uses symbols.

    Finding the definition of each chunk counts if rankings list definitions. Otherwise it only
    names hits for people.
    """
    listed = {
        needed.fingerprint
        for stage, _ in costs
        if stage.kind == "list-entries"
        for needed in stage.inputs
        if needed.kind == "find-definitions"
    }
    index = [
        stage for stage, _ in costs if stage.kind in INDEX_KINDS or stage.fingerprint in listed
    ]
    parsed = {one.fingerprint for stage in index for one in stage.inputs if one.kind == "parse"}
    made = parsed | {stage.fingerprint for stage in index}
    return sum(cost.seconds for stage, cost in costs if stage.fingerprint in made)


def _is_of_embedder(stage: Stage[Any]) -> bool:
    return stage.kind in ("cut-windows", "cut-chunk-windows")


def _added_up(costs: list[Cost]) -> dict[str, int]:
    total: dict[str, int] = {}
    for cost in costs:
        for name, amount in cost.counts.items():
            total[name] = total.get(name, 0) + amount
    return total
