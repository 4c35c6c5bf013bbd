"""Ternary plots of three weights that sum to 1."""

from collections.abc import Sequence
from math import sqrt

from bench.report.html.drawing import text
from bench.report.html.elements import Markup, element
from bench.report.html.tables import shade

_SIDE, _LEFT, _TOP, _WIDTH = 280.0, 40.0, 30.0, 360
_HEIGHT = round(_TOP + _SIDE * sqrt(3) / 2 + 44)
_EDGE, _LONGEST = 14, 20
Weighting = tuple[Sequence[float], float]


def ternary_plot(
    title: str, channels: Sequence[str], points: Sequence[Weighting], steps: int
) -> Markup:
    """Return a triangle with one shaded cell per weighting, and a ring around the best."""
    scores = [score for _, score in points]
    low, high = min(scores), max(scores)
    size = _SIDE / (steps + 1) / sqrt(3)
    cells = [_cell(channels, point, size, shade(point[1], low, high)) for point in points]
    best = _spot(max(points, key=lambda point: point[1])[0])
    ring = element("circle", cx=best[0], cy=best[1], r=round(max(size, 6.0), 1), class_="ring")
    foot = _HEIGHT - 10
    names = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in channels]
    corners = [
        text(names[0], _EDGE, foot, class_="axis"),
        text(names[1], _WIDTH - _EDGE, foot, class_="axis", anchor="end"),
        text(names[2], _LEFT + _SIDE / 2, _TOP - 16, class_="axis", anchor="middle"),
    ]
    said = "A corner is all of one channel; darker is higher; a table has the numbers."
    return element(
        "div",
        element(
            "svg",
            element("title", title),
            element("desc", said),
            cells,
            element("g", ring, class_="s1"),
            corners,
            viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
            role="img",
            aria_label=f"{title}. {said}",
            class_="triangle",
        ),
        class_="plot",
    )


def _spot(weights: Sequence[float]) -> tuple[float, float]:
    _, second, third = weights
    up = _SIDE * sqrt(3) / 2
    return round(_LEFT + _SIDE * (second + third / 2), 1), round(_TOP + up * (1 - third), 1)


def _cell(channels: Sequence[str], point: Weighting, size: float, kind: str | None) -> Markup:
    weights, score = point
    x, y = _spot(weights)
    half, tall = round(size * sqrt(3) / 2, 1), round(size, 1)
    corners = f"M{x} {round(y - tall, 1)}l{half} {tall / 2:.1f}v{tall}l{-half} {tall / 2:.1f}"
    shape = f"{corners}l{-half} {-tall / 2:.1f}v{-tall}z"
    named = ", ".join(f"{name} {of:g}" for name, of in zip(channels, weights, strict=True))
    return element("path", element("title", f"{named}: {score:.4f}"), d=shape, class_=kind)
