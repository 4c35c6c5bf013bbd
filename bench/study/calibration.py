"""Calibration of the refusal of answers: on the tune half, whatever half is reported on."""

from collections.abc import Sequence

from bench.settings import TrialSettings
from bench.stages import CalibrateRefusal
from bench.study.branch import Branch
from retrievers.answerers import Extractive


def calibration(settings: TrialSettings, branches: Sequence[Branch]) -> CalibrateRefusal | None:
    """Return what calibrates the answerer, if it has a threshold that is not set.

    `branches` are those of the repositories with the queries of the tune half.
    """
    answerer = settings.answerer
    if not isinstance(answerer, Extractive) or not settings.calibrates:
        return None
    repositories = [branch.repository for branch in branches]
    return CalibrateRefusal(
        rankings=tuple(ranking for branch in branches for ranking in branch.evidence),
        tuned=tuple(one.in_tune_half for one in repositories),
        negative=tuple(tuple(query.negative for query in one.queries) for one in repositories),
        most_false_refusals=answerer.most_false_refusals,
    )
