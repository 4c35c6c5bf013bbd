"""One combination of a grid, as Hydra composed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Point:
    """What was typed, what it composed to, and the chosen name of each group.

    `idle` are those of the overrides that set a field which the chosen member of a group does
    not have (`reranker.depth` with `reranker=off`).
    """

    overrides: tuple[str, ...]
    idle: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str]
