"""Fusion of several rankings into one."""

from retrievers.fusion.grid import Wanted, ranks_under, simplex, weightings_near
from retrievers.fusion.weighted import (
    NORMALISATIONS,
    Aligned,
    Normalisation,
    align,
    fuse,
    weigh,
    weigh_each,
)

__all__ = [
    "NORMALISATIONS",
    "Aligned",
    "Normalisation",
    "Wanted",
    "align",
    "fuse",
    "ranks_under",
    "simplex",
    "weigh",
    "weigh_each",
    "weightings_near",
]
