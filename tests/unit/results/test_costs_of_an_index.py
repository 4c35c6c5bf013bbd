"""What counts as making an index: whatever is made before anything is asked."""

from pathlib import Path
from typing import Any

import pytest

import bench.stages  # noqa: F401 - which defines every stage
from bench.engine import Alone, NoObserver, Stage, carry_out
from bench.launcher.planning import planned
from bench.results.costs import INDEX_KINDS, costs_of
from tests.composed_grids import composed_grid

FETCHED = {"check-out", "check-out-folder", "read-corpus", "parse", "find-definitions"}
"""Fetching costs no trial; parsing does where something is made of it, and so do definitions where
they are listed."""
ASKED = {
    "ask",
    "ask-engine",
    "answer-queries",
    "expand-queries",
    "take-wording",
    "apply-rules",
    "embed-queries",
    "embed-query-tokens",
    "list-entries",
    "list-hits",
    "measure-latency",
    "take-places",
    "take-run",
}
JUDGED = {
    "calibrate-refusal",
    "choose-weights",
    "describe-chunks",
    "evaluate",
    "find-copies",
    "measure-engine-recall",
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


def test_definitions_cost_an_index_where_they_are_listed(tmp_path: Path) -> None:
    """They name the hits of both trials; one of them needs them to rank."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text("def total():\n    return 1\n", encoding="utf-8")
    queries = "queries:\n- {id: q, query: the total, expected_symbols: [cart.total]}\n"
    (tmp_path / "queries.yaml").write_text(queries, encoding="utf-8")
    suite = ["suite=own", f"repository={tmp_path}/code", f"queries={tmp_path}/queries.yaml"]
    shared = [*suite, "retriever=bm25", "latency=off", f"store={tmp_path}/store"]
    units = (["retriever.unit=chunk"], ["retriever.unit=definition"])
    study = planned(composed_grid(shared, *units))
    study.carry_out(lambda plan: carry_out(plan, study.store.url, Alone(), NoObserver()))

    chunk, definition = (costs_of(study, one)["index_seconds"] or 0 for one in study.trials)

    made = {stage.kind: study.cost_of(stage).seconds for stage in study.whole.stages}
    assert definition - chunk == pytest.approx(made["parse"] + made["find-definitions"])
