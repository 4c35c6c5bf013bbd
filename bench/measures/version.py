"""Whether numbers of one name mean the same thing."""

MEASURE_VERSION = 2
"""Raise it when a measure that keeps its name changes what it says; a new name changes nothing."""
