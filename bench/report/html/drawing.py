"""Parts of SVG plots: a frame with axes, lines, markers and texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.analysis import Interval
from bench.report.html.elements import Child, Markup, element
from bench.report.html.scales import Scale, said

WIDE, NARROW = 720, 360
SHAPES = 6


@dataclass(frozen=True)
class Frame:
    """The area of a plot with its axes, in pixels."""

    width: int
    height: int
    left: int = 46
    right: int = 18
    top: int = 30
    bottom: int = 46

    @property
    def across(self) -> tuple[float, float]:
        """Return the left and right edge of the area."""
        return self.left, self.width - self.right

    @property
    def upward(self) -> tuple[float, float]:
        """Return the lower and upper edge of the area."""
        return self.height - self.bottom, self.top

    def axes(
        self, x: Scale, y: Scale, names: tuple[str, str], ticks: Sequence[float]
    ) -> list[Markup]:
        """Return both axes with names; `ticks` are the numbers on the x axis."""
        (left, right), (foot, head) = self.across, self.upward
        drawn = [text(names[1], 4, head - 14, class_="axis")]
        for tick in y.ticks():
            drawn.append(line(left, y(tick), right, y(tick), class_="grid"))
            drawn.append(text(said(tick), left - 6, y(tick) + 4, class_="tick", anchor="end"))
        for tick in ticks:
            drawn.append(line(x(tick), foot, x(tick), foot + 4, class_="foot"))
            drawn.append(text(said(tick), x(tick), foot + 18, class_="tick", anchor="middle"))
        drawn.append(line(left, foot, right, foot, class_="foot"))
        drawn.append(text(names[0], right, foot + 38, class_="axis", anchor="end"))
        return drawn


def responsive(draw: Callable[[int], Markup]) -> Markup:
    """Return a wide and a narrow version of a plot; the style sheet shows the one that fits."""
    return element("div", draw(WIDE), draw(NARROW), class_="plot")


def swatch(place: int) -> Markup:
    """Return the marker of a series, for a legend."""
    drawn = [line(0, 7, 28, 7, class_="curve"), marker(place, 14, 7)]
    inner = element("g", drawn, class_=f"s{place % SHAPES}")
    return element("svg", inner, viewBox="0 0 28 14", width=28, height=14, aria_hidden="true")


def svg(frame: Frame, title: str, description: str, *drawn: Child) -> Markup:
    """Return a plot with a title and a description for screen readers."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        drawn,
        viewBox=f"0 0 {frame.width} {frame.height}",
        role="img",
        aria_label=f"{title}. {description}",
        class_="narrow" if frame.width == NARROW else "wide",
    )


def whisker(interval: Interval | None, at: float, y: Scale) -> Markup | None:
    """Return an interval as a vertical line."""
    if interval is None:
        return None
    return line(at, y(interval.low), at, y(interval.high), class_="whisker")


def marker(shape: int, x: float, y: float) -> Markup:
    """Return one of six shapes, so that series differ without colour."""
    x, y = round(x, 1), round(y, 1)
    outlines = (
        "",
        f"M{x - 4.5} {y - 4.5}h9v9h-9z",
        f"M{x} {y - 6}l6 10h-12z",
        f"M{x} {y - 6}l6 6l-6 6l-6 -6z",
        f"M{x} {y + 6}l6 -10h-12z",
        f"M{x - 5} {y - 2}h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
    )
    outline = outlines[shape % SHAPES]
    if not outline:
        return element("circle", cx=x, cy=y, r=5, class_="marker")
    return element("path", d=outline, class_="marker")


def line(x1: float, y1: float, x2: float, y2: float, *, class_: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=round(x1, 1), y1=y1, x2=round(x2, 1), y2=y2, class_=class_)


def text(shown: str, x: float, y: float, *, class_: str, anchor: str | None = None) -> Markup:
    """Return a line of text."""
    return element("text", shown, x=round(x, 1), y=round(y, 1), class_=class_, text_anchor=anchor)
