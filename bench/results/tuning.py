"""Expected score of chosen weights, and scores of all other weightings."""

from collections.abc import Mapping, Sequence

import numpy as np

from bench.analysis import Sampling, ScoreMatrix, TunedScore, tuned_score
from bench.results.trial_result import Tuning, WeightedScore, WeightsOfRepository
from bench.study import WeightFamily

_FEWEST = 2


def tuning_of(family: WeightFamily, *, seed: int) -> Tuning:
    """Return chosen weights with their expected scores on new queries."""
    owners = [name for name, table in family.scores.items() for _ in table]
    names = [weights_override(row) for row in family.weightings]
    matrix = ScoreMatrix.of(np.concatenate(list(family.scores.values())), owners, names)
    worth = tuned_score(matrix, Sampling(seed)) if matrix.units >= _FEWEST else None
    place = _place(family)
    return Tuning(
        objective=family.objective,
        half="tune",
        queries=matrix.units,
        steps=family.steps,
        chosen_before=family.later,
        channels=family.channels,
        weightings=len(family.weightings),
        chosen=dict(zip(family.channels, family.chosen, strict=True)),
        override=weights_override(family.chosen),
        in_sample=worth.in_sample if worth else float(family.means[place]),
        expected_here=worth.expected_here if worth else None,
        expected_on_a_new_repository=worth.expected_elsewhere if worth else None,
        repositories=_by_repository(matrix, family, worth, chosen=place),
        curve=tuple(
            WeightedScore(tuple(row), score)
            for row, score in zip(family.weightings.tolist(), family.means.tolist(), strict=True)
        ),
    )


def _place(family: WeightFamily) -> int:
    """Return the index of the chosen weighting."""
    return int(np.flatnonzero((family.weightings == family.chosen).all(axis=1))[0])


def _by_repository(
    matrix: ScoreMatrix, family: WeightFamily, worth: TunedScore | None, *, chosen: int
) -> Mapping[str, WeightsOfRepository]:
    """Return each repository's own choice, and the choice of the other repositories for it."""
    without = dict(worth.without if worth else ())
    found = {}
    for name, scores in zip(matrix.names, matrix.repository_means, strict=True):
        others = without.get(name)
        found[name] = WeightsOfRepository(
            queries=len(family.scores[name]),
            score=float(scores[chosen]),
            own_weights=matrix.trials[int(scores.argmax())],
            own_score=float(scores.max()),
            weights_without_it=others,
            score_without_it=float(scores[matrix.place(others)]) if others else None,
        )
    return found


def weights_override(weights: Sequence[float]) -> str:
    """Return weights in the form of an override on the command line."""
    return f"weights=[{','.join(f'{weight:.6g}' for weight in weights)}]"
