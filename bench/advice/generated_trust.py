"""How far advice by generated questions was from the best, judged by questions of people.

Printed by `scripts/measure_generated.py compare`, and the same as in docs/generated.md.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Trust(NamedTuple):
    """How much higher the best configuration was than the chosen one: means over repositories."""

    repositories: int
    advised: float
    """Chosen by generated questions and people's about the other repositories."""
    alone: float
    """Chosen by generated questions alone."""
    floor: float
    """Chosen by people's questions about the other repositories alone."""


MEASURED: Mapping[str, Trust] = MappingProxyType(
    {
        "coverage_at_4000_tokens": Trust(14, 0.038, 0.050, 0.042),
        "ndcg_at_10": Trust(14, 0.021, 0.033, 0.014),
    }
)
WIDENED: Mapping[str, Trust] = MappingProxyType(
    {
        "coverage_at_4000_tokens": Trust(12, 0.097, 0.141, 0.092),
        "ndcg_at_10": Trust(12, 0.039, 0.070, 0.039),
    }
)
"""The same for repositories with few fair questions, and more by wider rules."""
