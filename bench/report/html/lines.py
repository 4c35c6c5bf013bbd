"""Line plots over a numeric setting."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.report.html.drawing import (
    NARROW,
    SHAPES,
    Frame,
    line,
    marker,
    responsive,
    svg,
)
from bench.report.html.elements import Markup, element
from bench.report.html.scales import Scale

_HEIGHT = 340


@dataclass(frozen=True)
class Line:
    """A named series; `place` selects its shape and colour."""

    name: str
    points: Sequence[tuple[float, float]]
    place: int
    chosen: tuple[float, float] | None = None
    """The chosen point, drawn with a ring."""


@dataclass(frozen=True)
class Level:
    """A reference value: a dashed horizontal line."""

    name: str
    height: float
    place: int


@dataclass(frozen=True)
class Lines:
    """The content of a plot."""

    title: str
    description: str
    x: Scale
    y: Scale
    names: tuple[str, str]
    lines: Sequence[Line]
    levels: Sequence[Level] = ()
    at: float | None = None
    """The position of a vertical line at the value in use."""


def line_plot(shown: Lines) -> Markup:
    """Return lines with markers; the caller adds a legend."""
    return responsive(lambda width: _drawn(shown, width))


def _drawn(shown: Lines, width: int) -> Markup:
    frame = Frame(width, _HEIGHT, top=40)
    x, y = _placed(shown.x, frame.across), _placed(shown.y, frame.upward)
    upright = [] if shown.at is None else [x(shown.at)]
    return svg(
        frame,
        shown.title,
        shown.description,
        frame.axes(x, y, shown.names, x.ticks(4 if width == NARROW else 8)),
        [line(at, frame.height - frame.bottom, at, frame.top, class_="chosen") for at in upright],
        [_level(one, frame, y) for one in shown.levels],
        [_line(one, x, y) for one in shown.lines],
    )


def _placed(scale: Scale, within: tuple[float, float]) -> Scale:
    return Scale(scale.low, scale.high, *within)


def _line(one: Line, x: Scale, y: Scale) -> Markup:
    spots = [(x(across), y(up)) for across, up in one.points]
    path = " ".join(f"{'L' if n else 'M'}{a} {b}" for n, (a, b) in enumerate(spots))
    chosen = None
    if one.chosen is not None:
        spot = (x(one.chosen[0]), y(one.chosen[1]))
        chosen = [element("circle", cx=spot[0], cy=spot[1], r=9, class_="ring")]
    kind = f"s{one.place % SHAPES}"
    small = element("g", [marker(one.place, *spot) for spot in spots], class_="sampled")
    drawn = element("path", d=path, class_="curve")
    return element("g", element("title", one.name), drawn, small, chosen, class_=kind)


def _level(one: Level, frame: Frame, y: Scale) -> Markup:
    (left, right), at = frame.across, y(one.height)
    drawn = line(left, at, right, at, class_=f"level level{one.place}")
    return element("g", element("title", one.name), drawn)


def level_swatch(place: int) -> Markup:
    """Return the dashed line of a level, for a legend."""
    drawn = line(0, 7, 28, 7, class_=f"level level{place}")
    return element("svg", drawn, viewBox="0 0 28 14", width=28, height=14, aria_hidden="true")
