"""Costs of query expansion: tokens, time and money."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bench.results.query_result import Numbers
from bench.stages import Expanded, ExpandQueries
from bench.study import Study, Trial
from retrievers.answerers import Expansion

Counts = np.ndarray[Any, np.dtype[np.float64]]


def expansion_numbers(study: Study, trial: Trial) -> Numbers:
    """Return times and tokens of query expansion, or nothing for other trials.

    Cached replies keep the numbers of the original request, although they cost nothing now.
    """
    found, expansion = _expanded(study, trial), trial.settings.expansion
    if expansion is None or not found:
        return {}
    times = np.concatenate([one.milliseconds for one in found])
    times = times[times > 0]
    prompt, completion = (
        _known(np.concatenate([getattr(one, name) for one in found]))
        for name in ("prompt_tokens", "completion_tokens")
    )
    cost = None
    if len(prompt) and len(completion):
        cost = expansion.server.cost(float(prompt.sum()), float(completion.sum()))
    return {
        "query_latency_p50_ms": float(np.percentile(times, 50)) if len(times) else None,
        "query_latency_p95_ms": float(np.percentile(times, 95)) if len(times) else None,
        "query_prompt_tokens": float(prompt.mean()) if len(prompt) else None,
        "query_completion_tokens": float(completion.mean()) if len(completion) else None,
        "query_cost": cost,
    }


def notes_on_expansions(study: Study, trials: Sequence[Trial]) -> Iterator[str]:
    """Yield a note for each method of query expansion in the study."""
    first = {one.settings.expansion: one for one in trials if one.settings.expansion}
    for expansion, trial in first.items():
        if expansion is not None:
            yield _said(expansion, study, trial)


def _said(expansion: Expansion, study: Study, trial: Trial) -> str:
    numbers = expansion_numbers(study, trial)
    count = sum(len(one.errors) for one in _expanded(study, trial))
    asked = f"query={expansion.method}: {expansion.server.model} expanded {count} questions"
    parts = (
        ("query_latency_p50_ms", "{:,.0f} ms (p50)"),
        ("query_prompt_tokens", "{:,.0f} prompt tokens"),
        ("query_completion_tokens", "{:,.0f} completion tokens"),
    )
    each = [text.format(value) for name, text in parts if (value := numbers.get(name)) is not None]
    cost = numbers.get("query_cost")
    whole = "" if cost is None else f"; {cost:,.4f} for all"
    return f"{asked}; each took {', '.join(each)}{whole}" if each else asked


def _expanded(study: Study, trial: Trial) -> list[Expanded]:
    stages = (one for end in trial.judged for one in end.answers)
    found = dict.fromkeys(one for one in stages if isinstance(one, ExpandQueries))
    return [study.result_of(stage) for stage in found if not study.has_failed(stage)]


def _known(counts: Counts) -> Counts:
    return counts[~np.isnan(counts)]
