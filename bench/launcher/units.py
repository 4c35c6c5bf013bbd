"""`retriever.unit=auto`: the unit follows from the level of the study.

Points get the unit before they become trials. A trial with the same unit typed is therefore the
same trial, and results, files of settings and served configurations never contain `auto`.
"""

from collections.abc import Sequence

from bench.launcher.points import Point
from bench.settings.retrieving import AUTO, UNIT_OF_LEVEL
from bench.settings.suite import SuiteSettings
from bench.study.corpus import level_of
from retrievers.listing import Unit

_NAME = "retriever.unit"


def with_units(
    points: Sequence[Point], suite: SuiteSettings
) -> tuple[Sequence[Point], tuple[str, ...]]:
    """Return the points with a unit instead of `auto`, and a line that names the unit."""
    automatic = [one.has(_NAME) and one.value(_NAME) == AUTO for one in points]
    level = points[0].config["measure_level"]
    if not any(automatic) or level not in (
        None,
        *UNIT_OF_LEVEL,
    ):  # parsing reports an invalid level
        return points, ()
    level = level or level_of(suite)
    unit = UNIT_OF_LEVEL[level]
    said = f"{_NAME}={unit}: one entry per {unit}, because the study is judged at {level} level"
    return _distinct(points, automatic, unit), (said,)


def _distinct(points: Sequence[Point], automatic: Sequence[bool], unit: Unit) -> list[Point]:
    """Return the points with the unit, without duplicates of points where it was typed."""
    typed_out = {_key(one) for one, is_auto in zip(points, automatic, strict=True) if not is_auto}
    kept = []
    for point, is_auto in zip(points, automatic, strict=True):
        resolved = point.with_value(_NAME, unit) if is_auto else point
        if not is_auto or _key(resolved) not in typed_out:
            kept.append(resolved)
    return kept


def _key(point: Point) -> tuple[tuple[str, str], ...]:
    return tuple(point.typed.items())
