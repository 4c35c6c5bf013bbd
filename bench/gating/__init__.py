"""Floors under a study's numbers: what CI asks."""

from bench.gating.floors import Verdict, check_floor_names, judge

__all__ = ["Verdict", "check_floor_names", "judge"]
