"""Commands of rankgrid besides the grid, such as `init`, `fixtures`, `track` and `cache`."""

from bench.cli.program import main

__all__ = ["main"]
