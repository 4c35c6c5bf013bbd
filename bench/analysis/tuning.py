"""What a tuned setting is worth: the best of many looks better on the queries that chose it."""

from dataclasses import dataclass

import numpy as np

from bench.analysis.matrix import Counts, ScoreMatrix, Values
from bench.analysis.sampling import Sampling
from bench.errors import UsageError

_FOLDS = 5
_FEWEST = 2


@dataclass(frozen=True)
class TunedScore:
    """The score of the chosen setting: as seen, as expected here, as expected elsewhere."""

    chosen: str
    in_sample: float
    expected_here: float
    """On new queries of these repositories: five folds, stratified by repository."""
    expected_elsewhere: float | None
    """On a new repository: chosen without it, scored on it; None for one repository."""
    without: tuple[tuple[str, str], ...]
    """Which setting would have been chosen without each repository."""


def tuned_score(matrix: ScoreMatrix, sampling: Sampling) -> TunedScore:
    """Choose the setting of the highest macro mean (the first of equals) and correct its score."""
    if matrix.units < _FEWEST:
        raise UsageError(
            f"tuned score: {matrix.units} query; a setting is chosen on some queries and scored on"
            f" others, so give at least {_FEWEST}"
        )
    chosen = int(np.argmax(matrix.means))
    without = _without_each(matrix)
    elsewhere = None
    if without is not None:
        elsewhere = float(matrix.repository_means[np.arange(len(without)), without].mean())
    places = [] if without is None else without.tolist()
    return TunedScore(
        chosen=matrix.trials[chosen],
        in_sample=float(matrix.means[chosen]),
        expected_here=_by_folds(matrix, sampling),
        expected_elsewhere=elsewhere,
        without=tuple(
            (name, matrix.trials[place]) for name, place in zip(matrix.names, places, strict=False)
        ),
    )


def _without_each(matrix: ScoreMatrix) -> Counts | None:
    """Return the column that is best on all repositories but one, for each one."""
    if len(matrix.names) == 1:
        return None
    others = matrix.repository_means.sum(axis=0) - matrix.repository_means
    found: Counts = others.argmax(axis=1)
    return found


def _by_folds(matrix: ScoreMatrix, sampling: Sampling) -> float:
    """Return the macro mean of what each fold scores under the setting chosen without it."""
    folds = _deal(matrix.counts, sampling.shuffler())
    scores = np.zeros(matrix.units)
    for fold in range(_FOLDS):
        outside = folds != fold
        if outside.all():
            continue
        scores[~outside] = matrix.values[~outside, _best_of(matrix, outside)]
    return float((scores * matrix.weights).sum())


def _best_of(matrix: ScoreMatrix, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    """Return the best column on some rows, by the mean of the repositories they are in."""
    counts = np.add.reduceat(rows.astype(np.float64), matrix.starts)
    sums: Values = np.add.reduceat(matrix.values * rows[:, None], matrix.starts, axis=0)
    present = counts > 0
    return int(np.argmax((sums[present] / counts[present, None]).mean(axis=0)))


def _deal(counts: Counts, generator: np.random.Generator) -> Counts:
    """Return a fold for each row, dealt out in turn within each repository."""
    dealt, first = [], 0
    for count in counts.tolist():
        dealt.append((generator.permutation(count) + first) % _FOLDS)
        first += count
    return np.concatenate(dealt)
