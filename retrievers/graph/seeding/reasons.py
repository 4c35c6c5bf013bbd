"""The reasons why a symbol is a seed: the keywords of the task, and the channels' results."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrievers.graph.model import Keywords

NEIGHBOURS = "neighbours"
"""The origin of a class that consists of the names of callers and callees."""


@dataclass(frozen=True)
class MatchedConcept:
    """An equivalence class that connects a task with a symbol."""

    concept: str
    phrases: tuple[str, ...]
    """The phrases of the class that the task contains."""
    target: str
    """The name in the class that equals the symbol's name."""
    origin: str
    weight: float


@dataclass(frozen=True)
class SeedReasons:
    """The reasons why one symbol is a seed for a task."""

    keywords: Keywords = field(default_factory=Keywords)
    ranks: Mapping[str, int] = field(default_factory=dict)
    """The rank of the symbol, from 1, in each channel that found it."""
    tiers: Mapping[str, str] = field(default_factory=dict)
    """The tier that found the symbol, for each channel with tiers."""
    concepts: tuple[MatchedConcept, ...] = ()
