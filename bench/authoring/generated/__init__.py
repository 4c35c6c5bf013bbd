"""Queries made of a repository itself: of its documentation, tests, guides and messages."""

from bench.authoring.generated.candidates import SOURCES, Candidate, Rejection, SourceName
from bench.authoring.generated.generate import (
    FEW,
    HISTORY,
    Generated,
    Generating,
    generate,
    generated_from,
)
from bench.authoring.generated.history import Said

__all__ = [
    "FEW",
    "HISTORY",
    "SOURCES",
    "Candidate",
    "Generated",
    "Generating",
    "Rejection",
    "Said",
    "SourceName",
    "generate",
    "generated_from",
]
