"""The commands beside the grid: `rankgrid init`, `fixtures`, `track`, `ui`, `cache`."""

from bench.cli.program import main

__all__ = ["main"]
