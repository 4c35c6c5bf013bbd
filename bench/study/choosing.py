"""The chosen weights of a fusion, and the scores of all other weightings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.stages import by_repository

if TYPE_CHECKING:
    from bench.settings import TrialSettings
    from bench.study.study import Study
    from bench.study.trial import Trial

Doubles = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class WeightFamily:
    """All weightings of a trial's channels, scored on the queries of the tune half."""

    channels: tuple[str, ...]
    steps: int
    objective: str
    chosen: tuple[float, ...]
    weightings: Doubles = field(compare=False, repr=False)
    """Weightings x channels, ordered by distance from the recipe."""
    means: Doubles = field(compare=False, repr=False)
    """Macro mean of each weighting."""
    scores: Mapping[str, Doubles] = field(compare=False, repr=False)
    """Queries x weightings, by repository."""
    later: tuple[str, ...] = ()
    """Names of later steps that reorder the fused ranking. The choice did not include them."""


def family_of(study: "Study", trial: "Trial") -> WeightFamily | None:
    """Return the weightings of a finished trial, or None if its weights were given."""
    fusion = trial.settings.retrieval.fusion
    if trial.chosen is None or fusion is None:
        return None
    chosen = study.result_of(trial.chosen)
    scored = [study.result_of(stage) for stage in trial.chosen.scored]
    return WeightFamily(
        channels=fusion.names,
        steps=trial.chosen.weighing.steps,
        objective=trial.chosen.weighing.objective,
        chosen=chosen.weights,
        weightings=chosen.weightings,
        means=chosen.means,
        scores=by_repository(trial.chosen.repositories, scored),
        later=_later(trial.settings),
    )


def _later(settings: "TrialSettings") -> tuple[str, ...]:
    retrieval = settings.retrieval
    steps = {
        "rules": retrieval.rules is not None,
        "unit": retrieval.listing.unit != "chunk",
        "reranker": settings.reranker is not None,
    }
    return tuple(name for name, applies in steps.items() if applies)
