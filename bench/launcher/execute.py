"""Execution of a study, from the points of a grid to the exit code.

Exit codes: 0 success, 1 something failed, 2 invalid request, 3 the gate failed, 4 the baseline is
not comparable, 130 interrupted. If several apply, the order is 2, 130, 1, 4, 3, 0.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.advice import Line, advice_record, advise, plural
from bench.commands import shown_path
from bench.engine import leases
from bench.errors import RankgridError, TrackingError, UsageError
from bench.files import create_ignored, write_whole
from bench.gate.opened import Gate, open_gate
from bench.launcher.baseline import NAME as BASELINE
from bench.launcher.baseline import Baselines, followed
from bench.launcher.checking import checked_grid, refuse_unjudgeable
from bench.launcher.chosen import write_chosen
from bench.launcher.explain import INTERRUPTED, explained
from bench.launcher.flags import Flags
from bench.launcher.grid import Grid
from bench.launcher.planning import fetch_models, planned
from bench.launcher.points import Point
from bench.launcher.search import about_search, search
from bench.report import (
    Extras,
    about_study,
    record_opening,
    show_plan,
    show_result,
    write_report,
    write_stages,
)
from bench.results import (
    AdviceRecord,
    StudyResult,
    completed,
    point_latest,
    text_of,
    write_results,
)
from bench.results.collect import collect
from bench.results.collected_trial import Outcomes
from bench.study import (
    DistinctCuts,
    Estimate,
    Study,
    distinct_cuts,
)
from bench.wiring import (
    executor,
    light_executor,
    prior_tables,
    serve_command,
    store_in_use,
    track_results,
    worker_count,
)


def run_study(points: Sequence[Point], flags: Flags) -> int:
    """Run one study over all points and return the exit code; errors are printed."""
    try:
        return _run(points, flags)
    except KeyboardInterrupt:
        _say("interrupted; finished stages are kept, the same command goes on from there")
        return INTERRUPTED
    except RankgridError as error:
        return explained(error, debug=flags.debug)


def _run(points: Sequence[Point], flags: Flags) -> int:
    grid = checked_grid(points, _say)
    study = planned(grid, flags.gate.measures)
    _refuse_few(study, flags.min_queries)
    # A study that cannot be planned must not create a store.
    with store_in_use(grid.settings, say=_say):
        return _gated(study, grid, flags)


def _gated(study: Study, grid: Grid, flags: Flags) -> int:
    if flags.plan and flags.measures_a_tree:
        _say(f"--baseline {flags.earlier} is measured before the stages of this plan")
        return _show_plan(study, grid)
    gate, earlier = _open(study, grid, flags)
    study = followed(study, grid, earlier)
    if flags.plan:
        return _show_plan(study, grid)
    fetch_models(study, grid, say=_say)
    checked = refuse_unjudgeable(study, grid)
    _say(f"study {study.id}: {about_study(study)}")
    for line in grid.defaults:
        _say(line)
    with leases.hold(Path(grid.settings.output).expanduser(), study.id):
        return _carried_out(study, grid, flags, gate, earlier, checked)


def _open(study: Study, grid: Grid, flags: Flags) -> tuple[Gate, StudyResult | None]:
    """Return the gate, and the study that this one is compared with, by the gate or the caller."""
    baselines = Baselines(grid, flags.gate.measures, _say)
    gate = open_gate(flags.gate, grid.settings, study.corpus, baselines.find)
    if gate.baseline is None and flags.followed:
        return gate, baselines.find(flags.followed, grid.settings).study
    return gate, gate.baseline


def _carried_out(
    study: Study,
    grid: Grid,
    flags: Flags,
    gate: Gate,
    earlier: StudyResult | None,
    checked: Outcomes,
) -> int:
    """Carry out a study, write and show its results, and return the exit code."""
    tables = prior_tables(grid.settings)  # an invalid file is reported before the work
    result, study, outcomes = _result(study, grid, flags, checked)
    said = advise(result, grid.settings.advice, seed=grid.settings.seed, tables=tables)
    result = replace(result, advice=advice_record(said))
    folder, stored = _keep(result, Path(grid.settings.output).expanduser())
    if earlier is not None and flags.measures_a_tree:
        write_whole(folder / BASELINE, text_of(earlier))
    ready = write_chosen(grid, result, said, folder)
    write_stages(study.remaining, outcomes, folder, wall_seconds=result.seconds)
    tracked = _track(stored, grid, folder)
    verdict, lines = gate.close(stored)
    where = (Line("Report", shown_path(folder / "report.html"), is_whole=True), *ready, *tracked)
    extras = Extras(words=flags.verbose, queries=flags.queries)
    show_result(result, said, where=where, extras=extras)
    for line in lines:
        print(line)  # noqa: T201 - the verdict of the gate is a result of the program
    queries_failed = any(trial.failed_queries for trial in result.trials)
    if queries_failed or any(outcome.failure for outcome in outcomes.values()):
        return 1
    return verdict.exit_code


def _result(
    study: Study, grid: Grid, flags: Flags, checked: Outcomes
) -> tuple[StudyResult, Study, Outcomes]:
    """Carry out a study; return its result without advice, its trials and their outcomes."""
    started = time.perf_counter()
    carry_out = executor(grid.settings.execution, study.store, say=_say)
    cut = _cut(study, grid)
    # A tree as the baseline was measured first, which must not count against the budget.
    began = time.monotonic() if flags.measures_a_tree else flags.started
    found = search(cut.study, grid, carry_out, say=_say, started=began)
    study, outcomes = found.study, {**checked, **cut.outcomes, **found.outcomes}
    result = collect(
        study,
        outcomes,
        (*grid.notes, *cut.notes, *found.notes, *_opened(study, grid, flags)),
        settings=grid.settings,
        left_out=found.left_out,
    )
    wall = time.perf_counter() - started
    _say(f"stages: {wall:.1f} s")
    result = completed(result, AdviceRecord(), command=flags.command, seconds=wall)
    return result, study, outcomes


def _cut(study: Study, grid: Grid) -> DistinctCuts:
    """Drop trials with chunks identical to another's, unless the chunking could take too long."""
    if grid.settings.search.budget_minutes is not None:
        return DistinctCuts(study, {})
    cut = distinct_cuts(study, light_executor(grid.settings.execution, study.store))
    for note in cut.notes:
        _say(note)
    return cut


def _show_plan(study: Study, grid: Grid) -> int:
    """Show the stages of a study without running them."""
    workers = worker_count(grid.settings.execution)
    estimate = Estimate.of(study.remaining, study.store, workers=workers)
    show_plan(study, estimate, about=(*grid.defaults, *about_search(study, grid)))
    return 0


def _refuse_few(study: Study, least: int) -> None:
    """Refuse a study with fewer queries than --min-queries."""
    count = sum(len(one.queries) for one in study.corpus.repositories)
    if count < least:
        message = f"--min-queries {least}: {study.corpus.suite} asks {count}; write more queries"
        raise UsageError(message)


def _opened(study: Study, grid: Grid, flags: Flags) -> Sequence[str]:
    """Record a look at the report half, and return a note with the number of looks."""
    if study.corpus.half != "report":
        return ()
    asked = {
        "study": study.id,
        "half_of": study.corpus.half_of,
        "only": str(study.corpus.only),
        "trials": [trial.name for trial in study.trials],
        "objective": grid.settings.advice.measure,
        "limits": [str(limit) for limit in flags.gate.limits],
        "command": flags.command,
    }
    output = Path(grid.settings.output).expanduser()
    count = record_opening(output, study.corpus.suite, asked)
    times = plural(count, "time", "times")
    return (f"the report half of {study.corpus.suite} has been opened {times}",)


def _keep(result: StudyResult, output: Path) -> tuple[Path, StudyResult]:
    """Write the results and their report; return the folder, and the study as stored."""
    create_ignored(output)
    folder = output / result.id
    # The numbers are on disk before anything else is made of them.
    stored = write_results(result, folder)
    write_report(stored, folder)
    point_latest(folder)
    return folder, stored


def _track(stored: StudyResult, grid: Grid, folder: Path) -> Sequence[Line]:
    """Send the results to the tracking server. They are already on disk."""
    if grid.settings.tracking.kind == "none":
        return ()
    started = time.perf_counter()
    try:
        addresses = track_results(stored, folder, grid.settings)
    except TrackingError as error:
        return (Line("Tracking", error.message, is_whole=True),)
    _say(f"tracking: {time.perf_counter() - started:.1f} s")
    serve = serve_command(grid.settings)
    # MLflow's address has 97 characters and would not fit on a line with a label.
    hint = f"{serve} shows the study at" if serve else "the study is at"
    return (Line("MLflow", f"{hint}\n{addresses['MLflow']}", rank=2, is_whole=True),)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - progress, not result
