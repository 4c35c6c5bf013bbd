"""Student's t and the normal distribution, by tail areas.

scipy is imported inside the functions to keep the import of this package fast.
"""

from typing import Any

import numpy as np

from bench.analysis.matrix import Values

Numbers = Values | float


def tail_area(statistic: Numbers, degrees: Numbers) -> Values:
    """Return the chance that a t variable is at least this large."""
    from scipy.special import stdtr

    return np.asarray(stdtr(degrees, -np.asarray(statistic)))


def t_quantile(area: Numbers, degrees: Numbers) -> Values:
    """Return the t value with this area above it."""
    from scipy.special import stdtrit

    found: Values = -np.asarray(stdtrit(degrees, area), np.float64)
    return found


def normal_area(deviate: Numbers) -> Values:
    """Return the chance that a normal variable is at least this large."""
    from scipy.special import ndtr

    return np.asarray(ndtr(-np.asarray(deviate)))


def normal_quantile(area: Numbers) -> Values:
    """Return the normal deviate with this area above it."""
    from scipy.special import ndtri

    return -np.asarray(ndtri(area))


def one_sided(value: Any, error: Any, degrees: Any, *, units: int) -> Values:
    """Return the chance of a difference at least this large if the true difference were 0.

    Without spread there is no t statistic. All `units` then have the same sign, with a chance of 2
    ** -units.
    """
    value, error = np.asarray(value, np.float64), np.asarray(error, np.float64)
    known = error > 0
    statistic = np.divide(value, error, out=np.zeros_like(value), where=known)
    lone = 0.5 - np.sign(value) * (0.5 - 0.5**units)
    return np.where(known, tail_area(statistic, np.where(known, degrees, 1)), lone)


def deviate(value: Any, error: Any, degrees: Any, *, units: int) -> Values:
    """Return the equally rare normal deviate of each studentised difference."""
    size = np.abs(np.asarray(value, np.float64))
    area = one_sided(size, error, degrees, units=units)
    found: Values = np.sign(np.asarray(value)) * normal_quantile(area)
    return found
