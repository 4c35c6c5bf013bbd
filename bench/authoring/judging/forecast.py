"""Estimate of the number of further answers until the trials are decided."""

from collections.abc import Callable, Sequence

import numpy as np

from bench.authoring.judging.scoring import Values

FEWEST_ANSWERS = 5
"""With fewer answers, the share of relevant hits is too uncertain for an estimate."""
FORECAST_DRAWS = 500
_TRIES = 8
_STEPS = 20
"""Relative precision of the estimate, as a fraction of the open candidates."""


def answers_needed(
    values: Values,
    effects: Sequence[tuple[int, Values]],
    *,
    share: float,
    decides: Callable[[Values], bool],
    seed: int = 0,
) -> int | None:
    """Return the median number of answers until a test decides, or None if it rarely does.

    Open candidates get random answers in their order, and the share `share` of them is relevant.
    Each has a row of `values` and an effect on it. The sum of effects is an approximation, because
    two hits may find the same text.
    """
    random = np.random.default_rng(seed)
    found = []
    for _ in range(_TRIES):
        right = random.random(len(effects)) < share
        answers = [one if is_right else None for one, is_right in zip(effects, right, strict=True)]
        needed = _needed(values, answers, decides)
        if needed is not None:
            found.append(needed)
    return int(np.median(found)) if len(found) > _TRIES // 2 else None


def _needed(
    values: Values,
    answers: Sequence[tuple[int, Values] | None],
    decides: Callable[[Values], bool],
) -> int | None:
    def decided_after(count: int) -> bool:
        changed = values.copy()
        for one in answers[:count]:
            if one is not None:
                row, effect = one
                changed[row] = np.clip(changed[row] + effect, 0, 1)
        return decides(changed)

    low, high = 0, len(answers)
    if not decided_after(high):
        return None
    while high - low > max(1, len(answers) // _STEPS):
        middle = (low + high) // 2
        low, high = (low, middle) if decided_after(middle) else (middle, high)
    return high
