"""Calibration of the refusal threshold. It uses the tune half, whichever half is reported."""

from collections.abc import Sequence

from bench.settings import TrialSettings
from bench.stages import CalibrateRefusal
from bench.study.repository_trial import RepositoryTrial
from retrievers.answerers import Extractive


def calibration(
    settings: TrialSettings, trials: Sequence[RepositoryTrial]
) -> CalibrateRefusal | None:
    """Return the stage that calibrates the answerer, or None if it needs no calibration.

    `trials` cover the repositories with the queries of the tune half.
    """
    answerer = settings.answerer
    if not isinstance(answerer, Extractive) or not settings.calibrates:
        return None
    repositories = [trial.repository for trial in trials]
    return CalibrateRefusal(
        rankings=tuple(ranking for trial in trials for ranking in trial.evidence),
        tuned=tuple(one.in_tune_half for one in repositories),
        negative=tuple(tuple(query.negative for query in one.queries) for one in repositories),
        most_false_refusals=answerer.most_false_refusals,
    )
