"""The weights that a trial chose among many, and how far its score can be believed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.analysis import Sampling, ScoreMatrix, TunedScore, tuned_score
from bench.study import StudyResult, WeightFamily

_FEWEST = 2


@dataclass(frozen=True)
class RepositoryWeights:
    """The chosen weights on one repository, its own choice, and the choice of all others."""

    repository: str
    queries: int
    score: float
    own_weights: str
    own_score: float
    weights_without_it: str | None
    score_without_it: float | None


@dataclass(frozen=True)
class TunedWeights:
    """The choice of a trial, and its worth on the queries that chose and on new ones."""

    trial: str
    half: str
    """The half of the queries that the study reports on: all, tune or report."""
    family: WeightFamily
    queries: int
    """How many chose."""
    in_sample: float
    """The macro mean of the chosen weights on the queries that chose."""
    worth: TunedScore | None
    """None for a single query, which cannot choose and score."""
    repositories: tuple[RepositoryWeights, ...]


def tuned_weights(result: StudyResult, *, seed: int) -> dict[str, TunedWeights]:
    """Return the choices of weights in a study, by the names of their trials."""
    return {
        trial.name: tuned_weights_of(trial.name, result.half, trial.family, seed=seed)
        for trial in result.trials
        if trial.family is not None
    }


def tuned_weights_of(trial: str, half: str, family: WeightFamily, *, seed: int) -> TunedWeights:
    """Return what the choice of one trial is worth."""
    matrix = _matrix(family)
    worth = tuned_score(matrix, Sampling(seed)) if matrix.units >= _FEWEST else None
    chosen = int(np.flatnonzero((family.weightings == family.chosen).all(axis=1))[0])
    return TunedWeights(
        trial=trial,
        half=half,
        family=family,
        queries=matrix.units,
        in_sample=worth.in_sample if worth else float(family.means[chosen]),
        worth=worth,
        repositories=_by_repository(family, matrix, chosen, worth),
    )


def weights_override(weights: Sequence[float]) -> str:
    """Return weights as they are typed on the command line."""
    return f"weights=[{','.join(f'{weight:.6g}' for weight in weights)}]"


def _matrix(family: WeightFamily) -> ScoreMatrix:
    """Return every judged query under every weighting."""
    owners = [name for name, table in family.scores.items() for _ in table]
    names = [weights_override(row) for row in family.weightings]
    return ScoreMatrix.of(np.concatenate(list(family.scores.values())), owners, names)


def _by_repository(
    family: WeightFamily, matrix: ScoreMatrix, chosen: int, worth: TunedScore | None
) -> tuple[RepositoryWeights, ...]:
    without = dict(worth.without if worth else ())
    found = []
    for name, scores in zip(matrix.names, matrix.repository_means, strict=True):
        others = without.get(name)
        found.append(
            RepositoryWeights(
                repository=name,
                queries=len(family.scores[name]),
                score=float(scores[chosen]),
                own_weights=matrix.trials[int(scores.argmax())],
                own_score=float(scores.max()),
                weights_without_it=others,
                score_without_it=float(scores[matrix.place(others)]) if others else None,
            )
        )
    return tuple(found)
