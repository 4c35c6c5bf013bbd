"""Why a symbol is a seed: what the task names, and how each channel came to the symbol."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrievers.graph.model import Keywords

NEIGHBOURS = "neighbours"
"""The origin of a class that is made of the names of callers and callees."""


@dataclass(frozen=True)
class MatchedConcept:
    """An equivalence class by which a task means a symbol."""

    concept: str
    phrases: tuple[str, ...]
    """Those that the task has."""
    target: str
    """The name in the class that the symbol has."""
    origin: str
    weight: float


@dataclass(frozen=True)
class SeedReasons:
    """How a task came to one symbol."""

    keywords: Keywords = field(default_factory=Keywords)
    ranks: Mapping[str, int] = field(default_factory=dict)
    """The rank of the symbol, from 1, in each channel that found it."""
    tiers: Mapping[str, str] = field(default_factory=dict)
    """The tier that found it, in a channel that has tiers."""
    concepts: tuple[MatchedConcept, ...] = ()
