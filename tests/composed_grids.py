"""Grids as the command line gives them, for tests that run a study in their own process."""

from collections.abc import Sequence
from pathlib import Path

from hydra import compose, initialize_config_dir

from bench.launcher import point_of
from bench.launcher.grid import Grid, read_grid
from bench.launcher.point import Point
from bench.launcher.quoting import quoted

CONF = Path(__file__).parents[1] / "conf"


def composed_grid(shared: Sequence[str], *trials: Sequence[str]) -> Grid:
    """Return the grid of some trials; all of them have the `shared` overrides."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        return read_grid([_point([*shared, *own]) for own in trials])


def _point(overrides: Sequence[str]) -> Point:
    texts = [quoted(text) for text in overrides]
    config = compose("config", texts, return_hydra_config=True)
    return point_of(config, texts, choices=config.hydra.runtime.choices)
