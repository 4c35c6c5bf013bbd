"""Checks before the long stages of a study, the same for the command line and for Optuna."""

from collections.abc import Callable, Sequence

from bench.launcher.generated import with_generated_queries
from bench.launcher.grid import Grid, read_grid
from bench.launcher.points import Point
from bench.launcher.search import drawn
from bench.results.collected_trial import Outcomes
from bench.settings.sharing import refuse_remote
from bench.study import Study, refuse_copies, refuse_unexpanded, refuse_unresolved
from bench.wiring import check_places, light_executor


def checked_grid(points: Sequence[Point], say: Callable[[str], None]) -> Grid:
    """Return the grid of these points, or refuse places and servers that it must not use."""
    grid = drawn(read_grid(with_generated_queries(points, say)))
    check_places(grid.settings)
    refuse_remote(grid.settings, [trial for _, trial in grid.trials])
    return grid


def refuse_unjudgeable(study: Study, grid: Grid) -> Outcomes:
    """Refuse documents, targets and questions that cannot be judged; return the stages run."""
    carry_out = light_executor(grid.settings.execution, study.store)
    suite = grid.trials[0][1].suite
    copies = refuse_copies(study, carry_out)
    unresolved = refuse_unresolved(study, suite, carry_out)
    return {**copies, **unresolved, **refuse_unexpanded(study, carry_out)}
