"""The check for numbers that can be logged."""

import math


def finite(value: object) -> float | None:
    """Return `value` as a finite number, or None. Booleans are not numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
