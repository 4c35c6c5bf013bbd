"""Corrected scores of tuned settings: the best of many looks better on its own queries."""

from dataclasses import dataclass

import numpy as np

from bench.analysis.caveats import lone_queries
from bench.analysis.differences import Difference, difference_here
from bench.analysis.matrix import Counts, ScoreMatrix, Truths, Values
from bench.analysis.sampling import Sampling
from bench.errors import UsageError

_FOLDS = 5
_DEALS = 10
"""Repetitions of the split into folds, so that the result does not depend on one split."""
_COMMON, _OWN = "common", "own"
_FEWEST = 2


@dataclass(frozen=True)
class TunedScore:
    """The score of the chosen setting: in sample, on new queries, and on new repositories."""

    chosen: str
    in_sample: float
    expected_here: float
    """Score on new queries of these repositories: five folds, stratified by repository."""
    expected_elsewhere: float | None
    """Score on a new repository: chosen without it, scored on it; None for one repository."""
    without: tuple[tuple[str, str], ...]
    """The setting chosen without each repository."""


def tuned_score(matrix: ScoreMatrix, sampling: Sampling) -> TunedScore:
    """Choose the setting with the highest macro mean (ties: the first) and correct its score."""
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


@dataclass(frozen=True)
class OwnChoices:
    """Gain from one trial per repository over one trial for all repositories.

    Trials are chosen on four fifths of each repository's queries and scored on the other fifth.
    """

    gain: Difference
    by_repository: tuple[tuple[str, float], ...]
    """The gain of each repository from its own choice."""


def own_choices(matrix: ScoreMatrix, sampling: Sampling) -> OwnChoices | None:
    """Return the gain of own choices; None for one repository, a lone query or one trial."""
    if len(matrix.names) == 1 or len(matrix.trials) == 1 or lone_queries(matrix):
        return None
    generator = sampling.shuffler()
    scores = np.zeros((matrix.units, 2))
    for _ in range(_DEALS):
        folds = _deal(matrix.counts, generator)
        for fold in range(_FOLDS):
            scores += _chosen_outside(matrix, folds == fold)
    pair = ScoreMatrix(scores / _DEALS, matrix.repositories, (_COMMON, _OWN), matrix.queries)
    gains = pair.repository_means[:, 1] - pair.repository_means[:, 0]
    return OwnChoices(
        difference_here(pair, _OWN, _COMMON),
        tuple(zip(matrix.names, gains.tolist(), strict=True)),
    )


def _chosen_outside(matrix: ScoreMatrix, inside: Truths) -> Values:
    """Return the scores of a fold under the common choice and under each repository's own."""
    outside = ~inside
    counts = np.add.reduceat(outside.astype(np.float64), matrix.starts)
    sums: Values = np.add.reduceat(matrix.values * outside[:, None], matrix.starts, axis=0)
    means = sums / np.maximum(counts, 1)[:, None]
    known = counts > 0
    common = int(means[known].mean(axis=0).argmax())
    own = np.where(known, means.argmax(axis=1), common)
    rows = np.arange(matrix.units)
    found = np.stack(
        [matrix.values[:, common], matrix.values[rows, np.repeat(own, matrix.counts)]], axis=1
    )
    return np.where(inside[:, None], found, 0.0)


def _without_each(matrix: ScoreMatrix) -> Counts | None:
    """Return the column that is best without each repository; None for one repository."""
    if len(matrix.names) == 1:
        return None
    others = matrix.repository_means.sum(axis=0) - matrix.repository_means
    found: Counts = others.argmax(axis=1)
    return found


def _by_folds(matrix: ScoreMatrix, sampling: Sampling) -> float:
    """Return the macro mean of the scores of each fold under the setting chosen without it."""
    folds = _deal(matrix.counts, sampling.shuffler())
    scores = np.zeros(matrix.units)
    for fold in range(_FOLDS):
        outside = folds != fold
        if outside.all():
            continue
        scores[~outside] = matrix.values[~outside, _best_of(matrix, outside)]
    return float((scores * matrix.weights).sum())


def _best_of(matrix: ScoreMatrix, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    """Return the best column on some rows, by the mean over their repositories."""
    counts = np.add.reduceat(rows.astype(np.float64), matrix.starts)
    sums: Values = np.add.reduceat(matrix.values * rows[:, None], matrix.starts, axis=0)
    present = counts > 0
    return int(np.argmax((sums[present] / counts[present, None]).mean(axis=0)))


def _deal(counts: Counts, generator: np.random.Generator) -> Counts:
    """Assign each row to a fold at random, evenly within each repository."""
    dealt, first = [], 0
    for count in counts.tolist():
        # `first` continues the deal, so that folds are balanced across small repositories.
        dealt.append((generator.permutation(count) + first) % _FOLDS)
        first += count
    return np.concatenate(dealt)
