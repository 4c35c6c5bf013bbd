"""One combination of a grid, as Hydra composed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Point:
    """What was typed, what it composed to, and the chosen name of each group."""

    overrides: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str]
