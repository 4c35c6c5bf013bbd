"""Version of the definitions of the measures."""

MEASURE_VERSION = 2
"""Raise it when a measure changes its values but keeps its name; a new measure needs no change."""
