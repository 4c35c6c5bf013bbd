"""Changes of each measure with their significance: paired, query by query."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.analysis import (
    Difference,
    ScoreMatrix,
    SignCount,
    difference_elsewhere,
    difference_here,
    lone_queries,
    sign_count,
    too_few_repositories,
)
from bench.compare.queries import Matched
from bench.measures import LOWER_IS_BETTER, macro
from bench.results import QueryKey, TrialResult

Floats = np.ndarray[Any, np.dtype[np.float64]]

_ERROR = 0.05
"""Error rate across the intervals of all trials that are compared together."""
_COSTS = (
    "latency_p50_ms",
    "latency_p95_ms",
    "index_seconds",
    "peak_memory_bytes",
    "empty_result_rate",
    "unseen_token_share",
    "answer_latency_p50_ms",
    "answer_latency_p95_ms",
    "answer_prompt_tokens",
    "answer_completion_tokens",
    "answer_cost",
    "query_latency_p50_ms",
    "query_prompt_tokens",
    "query_completion_tokens",
    "query_cost",
)


@dataclass(frozen=True)
class Delta:
    """A measure on the queries scored in both trials: macro means and their difference."""

    measure: str
    queries: int
    a: float
    b: float
    here: Difference | None
    """Difference on these repositories; None if a repository has a single query."""
    elsewhere: Difference | None
    """Difference on repositories like these; None with fewer than three."""
    signs: SignCount
    trials: int = 1
    """Number of trials that are compared together and share the error rate of the intervals."""
    unchanged: bool = False
    """Whether the measure is the same on every query."""

    @property
    def p_together(self) -> float | None:
        """Two-sided p value, corrected for all trials that are compared together."""
        return None if self.here is None else min(1.0, self.here.p_two_sided * self.trials)

    @property
    def value(self) -> float:
        """b - a."""
        return self.b - self.a


@dataclass(frozen=True)
class CostDelta:
    """A number of the whole trial, without values per query."""

    name: str
    a: float
    b: float
    disturbed: bool = False
    """Whether one of them is a latency measured while the machine was busy."""

    @property
    def unchanged(self) -> bool:
        """Whether both are equal."""
        return self.a == self.b


def measure_deltas(
    a: TrialResult,
    b: TrialResult,
    matched: Matched,
    *,
    trials: int = 1,
    measures: Collection[str] = (),
) -> tuple[Delta, ...]:
    """Return the change of every measure that both trials have, or of `measures` only.

    The error rate is divided by `trials`, the number of trials that are compared together.
    """
    numbers = [trial.by_key[key].known for key in matched.keys for trial in (a, b)]
    names = dict.fromkeys(name for of in numbers for name in of)
    found = (
        _delta(name, a, b, matched, trials) for name in names if not measures or name in measures
    )
    return tuple(delta for delta in found if delta is not None)


def score_matrix(
    a: TrialResult, b: TrialResult, matched: Matched, measure: str
) -> ScoreMatrix | None:
    """Return the scores of a and b as a table. Queries with the same targets are one unit."""
    return _matrix(_rows(a, b, matched, measure), a)


def _matrix(rows: Mapping[QueryKey, tuple[float, float]], a: TrialResult) -> ScoreMatrix | None:
    if not rows:
        return None
    targets = ["\n".join(sorted(a.by_key[key].expected)) for key in rows]
    repositories = [repository for repository, _ in rows]
    return ScoreMatrix.of(list(rows.values()), repositories, ("a", "b"), targets=targets)


def _rows(
    a: TrialResult, b: TrialResult, matched: Matched, measure: str
) -> dict[QueryKey, tuple[float, float]]:
    """Return the values of a measure for each query that both trials have a value for."""
    pairs = {
        key: tuple(trial.by_key[key].numbers.get(measure) for trial in (a, b))
        for key in matched.keys
    }
    return {key: (x, y) for key, (x, y) in pairs.items() if x is not None and y is not None}


def _delta(
    name: str, a: TrialResult, b: TrialResult, matched: Matched, trials: int
) -> Delta | None:
    rows = _rows(a, b, matched, name)
    matrix, repositories = _matrix(rows, a), [repository for repository, _ in rows]
    mean_a, mean_b = (macro(column, repositories) for column in _columns(rows))
    if matrix is None or mean_a is None or mean_b is None:
        return None
    confidence = 1 - _ERROR / trials
    here = (
        None if lone_queries(matrix) else difference_here(matrix, "b", "a", confidence=confidence)
    )
    elsewhere = None
    if not too_few_repositories(matrix):
        elsewhere = difference_elsewhere(matrix, "b", "a", confidence=confidence)
    return Delta(
        measure=name,
        queries=len(rows),
        a=mean_a,
        b=mean_b,
        here=here,
        elsewhere=elsewhere,
        signs=sign_count(matrix, *(("a", "b") if lower_is_better(name) else ("b", "a"))),
        trials=trials,
        unchanged=all(x == y for x, y in rows.values()),
    )


def _columns(rows: Mapping[QueryKey, tuple[float, float]]) -> Floats:
    """Return the numbers of a, and the numbers of b."""
    return np.array(list(rows.values()), np.float64).reshape(-1, 2).T


def lower_is_better(column: str) -> bool:
    """Return whether lower values of a measure are better; unknown columns count as higher."""
    return column.partition("_at_")[0] in LOWER_IS_BETTER


def cost_deltas(a: TrialResult, b: TrialResult) -> tuple[CostDelta, ...]:
    """Return the numbers besides quality that both trials have."""
    pairs = [(name, a.summary.get(name), b.summary.get(name)) for name in _COSTS]
    return tuple(
        CostDelta(name, old, new, a.is_disturbed(name) or b.is_disturbed(name))
        for name, old, new in pairs
        if old is not None and new is not None
    )


def shared_targets(matched: Matched) -> int:
    """Return the number of queries with the same targets as an earlier query."""
    seen: Sequence[tuple[str, ...]] = [
        (one.repository, *sorted(one.expected)) for one in matched.both
    ]
    return len(seen) - len(set(seen))
