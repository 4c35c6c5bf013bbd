"""One ranking out of several."""

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
    "align",
    "fuse",
    "weigh",
]
