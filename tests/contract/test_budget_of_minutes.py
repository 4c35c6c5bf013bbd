"""A budget of minutes: which trials are started, and what becomes of one that takes too long."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.engine import Fingerprint, Outcome, Plan
from bench.launcher.grid import Grid
from bench.launcher.planning import planned
from bench.launcher.search import Searched, search
from bench.wiring import CarryOut, executor
from tests.composed_grids import composed_grid
from tests.small_suite import write_suite

SLOW = ["retriever=command", "retriever.command=[sleep,'900']", "name=slow"]


def grid_of(folder: Path, *trials: list[str], minutes: float | None) -> Grid:
    """Return a grid of one small repository."""
    suite = ["suite=file", f"suite.path={write_suite(folder, ['shop'])}", "execution=local"]
    budget = f"budget_minutes={'null' if minutes is None else minutes}"
    shared = [*suite, f"store={folder}/store", "latency=off", "execution.workers=1", budget]
    return composed_grid(shared, *trials)


def searched(grid: Grid, carry_out: CarryOut | None = None) -> Searched:
    """Run the grid's search, with real workers unless others are given."""
    study = planned(grid)
    run = carry_out or executor(grid.settings.execution, study.store, say=lambda _: None)
    return search(study, grid, run, say=lambda _: None, started=time.monotonic())


@dataclass
class _NothingDone(CarryOut):
    """Takes note of the kinds of stages that it is given, and runs none of them."""

    kinds: list[set[str]] = field(default_factory=list)

    def __call__(self, plan: Plan, *, deadline: float = math.inf) -> Mapping[Fingerprint, Outcome]:
        self.kinds.append({stage.kind for stage in plan.stages})
        return {}


def test_a_trial_that_takes_too_long_is_stopped_and_named(tmp_path: Path) -> None:
    """The first trial is measured, whatever it takes; no other one exceeds the minutes."""
    grid = grid_of(tmp_path, ["retriever=bm25", "name=words"], SLOW, minutes=0.3)

    found = searched(grid)

    assert [one.name for one in found.study.trials] == ["words"]
    assert [str(one) for one in found.left_out] == ["slow: stopped unfinished: budget_minutes=0.3"]


def test_trials_with_vectors_wait_for_all_others(tmp_path: Path) -> None:
    """They take nine tenths of the time, and may find none left."""
    vectors, words = ["retriever=dense", "name=vectors"], ["retriever=bm25", "name=words"]
    asked = _NothingDone()

    found = searched(grid_of(tmp_path, vectors, words, minutes=5), asked)

    assert ["embed" in kinds for kinds in asked.kinds] == [False, True]
    assert [one.trial for one in found.left_out] == ["words", "vectors"]


def test_without_a_budget_all_trials_run_together(tmp_path: Path) -> None:
    asked = _NothingDone()

    searched(grid_of(tmp_path, ["retriever=bm25"], ["retriever=dense"], minutes=None), asked)

    assert len(asked.kinds) == 1
