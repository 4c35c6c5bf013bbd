"""Grids as the command line gives them, for tests that run a study in their own process."""

from collections.abc import Sequence
from pathlib import Path

from bench.launcher.grid import Grid, read_grid
from bench.launcher.points import read_points

CONF = Path(__file__).parents[1] / "conf"


def composed_grid(shared: Sequence[str], *trials: Sequence[str]) -> Grid:
    """Return the grid of some trials; all of them have the `shared` overrides."""
    points = [read_points([*shared, *own], CONF, multirun=False) for own in trials]
    return read_grid([point for (point,) in points])
