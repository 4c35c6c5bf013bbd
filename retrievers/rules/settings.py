"""Settings of the rules: boosts and penalties, and the values that turn them off."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from retrievers.errors import RulesError

OFF: Mapping[str, float] = MappingProxyType(
    {
        "name_boost": 0.0,
        "definition_boost": 0.0,
        "path_boost": 0.0,
        "frame_boost": 0.0,
        "test_penalty": 1.0,
        "example_penalty": 1.0,
        "documentation_penalty": 1.0,
        "generated_penalty": 1.0,
        "translation_penalty": 1.0,
        "prose_penalty": 1.0,
        "data_penalty": 1.0,
    }
)
"""Value at which each rule has no effect."""


@dataclass(frozen=True)
class Rules:
    """Weights of the rules, relative to a best score of 1."""

    name_boost: float = 1.0
    """Boost for words that the query shares with a file's name."""
    definition_boost: float = 0.5
    """Boost for a chunk where a definition begins that the query calls by its exact name."""
    path_boost: float = 0.3
    """Boost for the chunks of files whose paths the query has, unless it names code elsewhere."""
    frame_boost: float = 0.5
    """Boost for files and functions in a traceback of the query; it halves every three frames."""
    test_penalty: float = 0.5
    """Factor of scores in tests, benchmarks and mocks; 1 turns the penalty off."""
    example_penalty: float = 1.0
    documentation_penalty: float = 1.0
    """Factor of scores of code in folders of documentation."""
    generated_penalty: float = 1.0
    translation_penalty: float = 1.0
    prose_penalty: float = 1.0
    data_penalty: float = 1.0

    def __post_init__(self) -> None:
        """Refuse values that are not allowed."""
        for name in ("name_boost", "definition_boost", "path_boost", "frame_boost"):
            if not 0 <= getattr(self, name) < math.inf:
                raise RulesError(f"{name}={getattr(self, name)} is not a weight; use 0 or more")
        for name in OFF:
            value = getattr(self, name)
            if name.endswith("_penalty") and not 0 <= value <= 1:
                raise RulesError(f"{name}={value} is out of range; choose 0 to 1")

    @property
    def factors(self) -> dict[str, float]:
        """Factor of each kind of file with a penalty."""
        ends = "_penalty"
        return {
            name.removesuffix(ends): getattr(self, name) for name in OFF if name.endswith(ends)
        }

    @property
    def change_nothing(self) -> bool:
        """Whether every rule is off, so that a ranking keeps its order."""
        return all(getattr(self, name) == value for name, value in OFF.items())
