"""Queries made of a repository itself: of its documentation, tests, guides and messages."""

from bench.authoring.generated.candidates import SOURCES, Candidate, Rejection, SourceName
from bench.authoring.generated.generate import Generated, Generating, generate, generated_from

__all__ = [
    "SOURCES",
    "Candidate",
    "Generated",
    "Generating",
    "Rejection",
    "SourceName",
    "generate",
    "generated_from",
]
