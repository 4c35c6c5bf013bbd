"""From a command line to a finished study: settings, points of a grid, and how they run."""
