"""Start of studies from command lines: settings, points of a grid, and their execution."""
