"""What the rules add and take away, and how each is switched off."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from retrievers.errors import RulesError

Unit = Literal["chunk", "definition", "file"]
UNITS: tuple[Unit, ...] = get_args(Unit)

OFF: Mapping[str, float] = MappingProxyType(
    {"name_boost": 0.0, "definition_boost": 0.0, "test_penalty": 1.0, "aggregation": 0.0}
)
"""The value at which each rule changes nothing."""

_DEEPEST = 100


@dataclass(frozen=True)
class Rules:
    """How much the rules weigh beside a best score of 1, and what a ranking lists."""

    name_boost: float = 1.0
    """For words that the query shares with a file's name."""
    definition_boost: float = 0.5
    """For a chunk where something begins that the query calls by its exact name."""
    test_penalty: float = 0.5
    """Factor of the scores in tests, benchmarks and mocks; 1 is none."""
    aggregation: float = 0.3
    """What each next best chunk of a file counts beside the one before it in the score of the
    file; 0 is nothing. Where files are not what is listed, no score is a file's."""
    depth_of_aggregation: int = 4
    """How many chunks of a file count."""
    unit: Unit = "chunk"
    """What has one entry in a ranking."""

    def __post_init__(self) -> None:
        """Refuse values that are not allowed."""
        for name in ("name_boost", "definition_boost"):
            if not 0 <= getattr(self, name) < math.inf:
                raise RulesError(f"{name}={getattr(self, name)} is no weight; choose 0 or more")
        for name in ("test_penalty", "aggregation"):
            if not 0 <= getattr(self, name) <= 1:
                raise RulesError(f"{name}={getattr(self, name)} is out of range; choose 0 to 1")
        if not 1 <= self.depth_of_aggregation <= _DEEPEST:
            message = (
                f"depth_of_aggregation={self.depth_of_aggregation} is out of range; "
                f"choose 1 to {_DEEPEST}"
            )
            raise RulesError(message)
        if self.unit not in UNITS:
            raise RulesError(f"unit={self.unit} is not known; choose one of {', '.join(UNITS)}")

    @property
    def effective(self) -> "Rules":
        """These rules with one value for whatever makes no difference."""
        if self.unit == "file" and self.aggregation and self.depth_of_aggregation > 1:
            return self
        return replace(self, aggregation=OFF["aggregation"], depth_of_aggregation=1)

    @property
    def change_nothing(self) -> bool:
        """Whether every rule is off, so that a ranking keeps its order."""
        effective = self.effective
        off = all(getattr(effective, name) == value for name, value in OFF.items())
        return off and self.unit == "chunk"
