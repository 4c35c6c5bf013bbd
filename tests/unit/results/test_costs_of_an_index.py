"""What counts as making an index: whatever is made before anything is asked."""

from typing import Any

import bench.stages  # noqa: F401 - which defines every stage
from bench.engine import Stage
from bench.results.costs import INDEX_KINDS

FETCHED = {"check-out", "check-out-folder", "read-corpus", "parse"}
"""Fetching costs no trial; parsing does where something is made of it."""
ASKED = {
    "ask",
    "ask-engine",
    "answer-queries",
    "apply-rules",
    "embed-queries",
    "embed-query-tokens",
    "list-hits",
    "measure-latency",
    "pack-context",
    "take-places",
}
JUDGED = {
    "calibrate-refusal",
    "choose-weights",
    "describe-chunks",
    "evaluate",
    "find-copies",
    "resolve-targets",
    "score-weights",
}


def kinds(of: type[Stage[Any]] = Stage) -> set[str]:
    """Return the kinds of all our stages."""
    own = {of.kind} if of.__module__.startswith("bench.stages") else set()
    return own.union(*(kinds(one) for one in of.__subclasses__()))


def test_every_stage_is_of_the_index_or_is_known_not_to_be() -> None:
    """A stage that is in neither list would cost nothing."""
    ranked = {kind for kind in kinds() if kind.startswith(("rank-", "rerank-", "fuse"))}

    assert kinds() - ranked == {*INDEX_KINDS, *FETCHED, *ASKED, *JUDGED}
