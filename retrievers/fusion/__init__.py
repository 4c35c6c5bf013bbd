"""One ranking out of several."""

from retrievers.fusion.grid import Wanted, ranks_under, simplex, weightings_near
from retrievers.fusion.kinds import QueryKind, is_bare_symbol, kind_of_query
from retrievers.fusion.weighted import NORMALISATIONS, Aligned, Normalisation, align, fuse, weigh

__all__ = [
    "NORMALISATIONS",
    "Aligned",
    "Normalisation",
    "QueryKind",
    "Wanted",
    "align",
    "fuse",
    "is_bare_symbol",
    "kind_of_query",
    "ranks_under",
    "simplex",
    "weigh",
    "weightings_near",
]
