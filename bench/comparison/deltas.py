"""By how much each measure changed, and how sure that is: paired, query by query."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.analysis import (
    Difference,
    ScoreMatrix,
    SignCount,
    difference_elsewhere,
    difference_here,
    sign_count,
)
from bench.analysis.refusals import lone_queries, no_generalising
from bench.comparison.queries import Matched
from bench.comparison.stored import StoredTrial
from bench.measures import LOWER_IS_BETTER, macro

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
)


@dataclass(frozen=True)
class Delta:
    """A measure on the queries that both trials answered: macro means and their difference."""

    measure: str
    a: float
    b: float
    here: Difference | None
    """On these repositories; None where a repository has a single query."""
    elsewhere: Difference | None
    """On repositories like these; None for fewer than three."""
    signs: SignCount

    @property
    def value(self) -> float:
        """Return b - a."""
        return self.b - self.a


@dataclass(frozen=True)
class CostDelta:
    """A number of the whole trial that no queries stand behind."""

    name: str
    a: float
    b: float


def measure_deltas(a: StoredTrial, b: StoredTrial, matched: Matched) -> tuple[Delta, ...]:
    """Return the change of every measure that both trials have."""
    if not matched.both:
        return ()
    first = matched.both[0]
    key = (first.repository, first.query)
    names = [name for name in a.queries[key].numbers if name in b.queries[key].numbers]
    found = (score_matrix(a, b, matched, name) for name in names)
    return tuple(
        _delta(name, matrix, a, b, matched)
        for name, matrix in zip(names, found, strict=True)
        if matrix is not None
    )


def score_matrix(
    a: StoredTrial, b: StoredTrial, matched: Matched, measure: str
) -> ScoreMatrix | None:
    """Return the scores of a and b as a table; queries with the same answers are one unit."""
    rows, repositories, targets = [], [], []
    for one in matched.both:
        key = (one.repository, one.query)
        values = [trial.queries[key].numbers.get(measure) for trial in (a, b)]
        if None not in values:
            rows.append(values)
            repositories.append(one.repository)
            targets.append("\n".join(sorted(one.expected)))
    if not rows:
        return None
    return ScoreMatrix.of(rows, repositories, ("a", "b"), targets=targets)


def _delta(
    name: str, matrix: ScoreMatrix, a: StoredTrial, b: StoredTrial, matched: Matched
) -> Delta:
    return Delta(
        measure=name,
        a=_mean(a, matched, name),
        b=_mean(b, matched, name),
        here=None if lone_queries(matrix) else difference_here(matrix, "b", "a"),
        elsewhere=None if no_generalising(matrix) else difference_elsewhere(matrix, "b", "a"),
        signs=sign_count(matrix, *(("a", "b") if lower_is_better(name) else ("b", "a"))),
    )


def lower_is_better(column: str) -> bool:
    """Whether less of a measure is better; a column that is unknown here is taken as it comes."""
    return column.partition("_at_")[0] in LOWER_IS_BETTER


def _mean(trial: StoredTrial, matched: Matched, name: str) -> float:
    """Return the macro mean over the queries that both trials answered."""
    keys = [(one.repository, one.query) for one in matched.both]
    values = np.array([trial.queries[key].numbers.get(name, np.nan) for key in keys], np.float64)
    mean = macro(values, [key[0] for key in keys])
    return float("nan") if mean is None else mean


def cost_deltas(a: StoredTrial, b: StoredTrial) -> tuple[CostDelta, ...]:
    """Return what changed besides quality, where both trials know it."""
    pairs = [(name, a.summary.get(name), b.summary.get(name)) for name in _COSTS]
    return tuple(
        CostDelta(name, old, new)
        for name, old, new in pairs
        if old is not None and new is not None
    )


def shared_targets(matched: Matched) -> int:
    """Return how many queries have the same answers as an earlier one."""
    seen: Sequence[tuple[str, ...]] = [
        (one.repository, *sorted(one.expected)) for one in matched.both
    ]
    return len(seen) - len(set(seen))
