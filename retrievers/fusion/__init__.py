"""One ranking out of several."""

from retrievers.fusion.grid import Wanted, ranks_under, simplex, weightings_near
from retrievers.fusion.kinds import is_bare_symbol
from retrievers.fusion.weighted import (
    NORMALISATIONS,
    Aligned,
    FusionError,
    Normalisation,
    align,
    fuse,
    weigh,
)

__all__ = [
    "NORMALISATIONS",
    "Aligned",
    "FusionError",
    "Normalisation",
    "Wanted",
    "align",
    "fuse",
    "is_bare_symbol",
    "ranks_under",
    "simplex",
    "weigh",
    "weightings_near",
]
