"""Hydra's whole sweep becomes one study; a run without -m takes the same path."""

from bench.launcher.study_launcher import StudyLauncher, point_of

__all__ = ["StudyLauncher", "point_of"]
