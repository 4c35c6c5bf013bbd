"""Weights of the channels of a hybrid: given, by default, or from a grid."""

from collections.abc import Mapping, Sequence
from math import comb, inf
from types import MappingProxyType
from typing import Any

from bench.errors import SettingError
from bench.settings.fields import in_range, typed
from retrievers.listing import Unit
from retrievers.reading import QueryKind

DENSE_WEIGHT = 0.5
"""Default weight of dense in a hybrid; the other channels share the rest."""
CHUNK_WEIGHT = 0.6
"""Default weight of dense if each chunk is an entry.

Dense gets more there, because chunks are not summed up by file or definition.
"""
EXACT_WEIGHT: Mapping[QueryKind, float] = MappingProxyType({"name": 0.35, "error": 0.35})
"""Default weight of dense for kinds of queries whose words occur in the code."""
STATIC_WEIGHT = 0.0
"""Default weight of dense for static models, with one vector per token regardless of context.

They did not improve the ranking of words on any suite beyond chance, and files got worse with any
weight.
"""
WEIGHT_OF_KIND: Mapping[QueryKind, str] = MappingProxyType(
    {"name": "symbol_weight", "error": "error_weight", "issue": "issue_weight"}
)
"""Settings with the weights of kinds of queries."""

MOST_WEIGHTINGS = 20_000
_STEPS = {"steps"}


def is_grid(weights: object) -> bool:
    """Return whether weights are a grid to choose from: `{steps: 20}`."""
    return isinstance(weights, Mapping) and set(weights) == _STEPS


def steps_of(config: Mapping[str, Any], names: Sequence[str]) -> int | None:
    """Return the number of steps from 0 to 1 if the weights are a grid, or None."""
    weights = config["weights"]
    if not is_grid(weights):
        return None
    steps, channels = weights["steps"], len(names)
    typed, most = as_typed(steps), _most_steps(channels)
    if type(steps) is not int or steps < 1:
        message = f"weights={typed}: steps must be a whole number from 1 to {most}"
        raise SettingError(message)
    if steps > most:
        # Counting the weightings of a huge number of steps would itself take long.
        message = (
            f"weights={typed}: more than {MOST_WEIGHTINGS:,} weightings of {channels} channels."
            f" Use at most {as_typed(most)}."
        )
        raise SettingError(message)
    return steps


def as_typed(steps: object) -> str:
    """Return a grid of weights as on the command line, without a need for shell quotes."""
    return f"{{steps:{steps}}}"


def _count(channels: int, steps: int) -> int:
    return comb(steps + channels - 1, channels - 1)


def _most_steps(channels: int) -> int:
    steps = 1
    while _count(channels, steps + 1) <= MOST_WEIGHTINGS:
        steps += 1
    return steps


def weights_of(
    config: Mapping[str, Any],
    names: Sequence[str],
    *,
    unit: Unit = "chunk",
    is_static: bool = False,
) -> tuple[float, ...]:
    """Return a weight for each channel, with the sum 1, or the defaults before a grid search.

    `unit` is the unit of the ranking; `is_static` tells whether dense has a static model.
    """
    weight, weights = config["weight"], config["weights"]
    if weight is not None and weights is not None:
        message = f"weight={weight} and weights={typed(weights)}: pass only one of them"
        raise SettingError(message)
    if weights is not None and not is_grid(weights):
        return _given(weights, names)
    if "dense" not in names:
        if weight is not None:
            message = f"weight={weight}: dense is not a channel here; use weights=[…]"
            raise SettingError(message)
        return tuple(1.0 / len(names) for _ in names)
    recipe = CHUNK_WEIGHT if unit == "chunk" else DENSE_WEIGHT
    recipe = STATIC_WEIGHT if is_static and weights is None else recipe
    return around_dense(recipe if weight is None else weight, names, where="weight")


def weights_of_kinds(
    given: Mapping[QueryKind, object],
    config: Mapping[str, Any],
    names: Sequence[str],
    *,
    is_static: bool,
) -> list[tuple[QueryKind, tuple[float, ...]]]:
    """Return the weights for kinds of queries: as given, or defaults if no weight was given."""
    weighed = config["weight"] is not None or config["weights"] is not None
    follows = weighed or is_static or "dense" not in names
    found = {
        kind: EXACT_WEIGHT.get(kind) if weight is None and not follows else weight
        for kind, weight in given.items()
    }
    return [
        (kind, around_dense(weight, names, where=f"retriever.{WEIGHT_OF_KIND[kind]}"))
        for kind, weight in found.items()
        if weight is not None
    ]


def around_dense(weight: object, names: Sequence[str], *, where: str) -> tuple[float, ...]:
    """Return this weight for dense, and equal parts of the rest for the other channels."""
    if "dense" not in names:
        raise SettingError(f"{where}={weight}: dense is not a channel here; remove it")
    if not isinstance(weight, int | float) or isinstance(weight, bool):
        message = f"{where}={typed(weight)}: must be a number from 0 to 1 (the share of dense)"
        raise SettingError(f"{message}; write {where}=0.55 for example")
    in_range(weight, 0, 1, name=where)
    rest = (1.0 - float(weight)) / (len(names) - 1)
    return tuple(float(weight) if name == "dense" else rest for name in names)


def _or_weight(weights: object) -> str:
    """Return a hint for a single number, which may be the share of dense."""
    is_share = type(weights) in (int, float) and 0 <= weights <= 1  # type: ignore[operator]
    return f"; or weight={weights} for the share of dense" if is_share else ""


def _given(weights: object, names: Sequence[str]) -> tuple[float, ...]:
    numbers = (
        [item for item in weights if type(item) in (int, float)]
        if isinstance(weights, list)
        else []
    )
    # NaN fails `>= 0`, while `< 0` would accept it.
    if len(numbers) != len(names) or not min(numbers) >= 0 or not 0 < sum(numbers) < inf:
        wanted = f"[{', '.join(names)}], numbers from 0 up, not all of them 0"
        message = (
            f"weights={typed(weights)}: must be {wanted}; or {as_typed(20)} for all in steps of"
            f" 1/20{_or_weight(weights)}"
        )
        raise SettingError(message)
    return tuple(float(number) / sum(numbers) for number in numbers)
