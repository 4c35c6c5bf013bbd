"""SVG plots with titles, named axes, units and intervals, readable without colour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.analysis import Effect, Point, Standing
from bench.report.html.drawing import (
    NARROW,
    SHAPES,
    Frame,
    line,
    marker,
    responsive,
    svg,
    text,
    whisker,
)
from bench.report.html.elements import Markup, element
from bench.report.html.labels import Box, placed
from bench.report.html.scales import Scale, cost_scale, effect_scale, said, score_scale
from bench.report.insights import Curve, Frontier

_LINE = 15


def frontier_plot(found: Frontier, numbers: Mapping[str, int], quality: str) -> Markup:
    """Return quality against cost, with a numbered point and an interval per trial."""
    return responsive(lambda width: _frontier(found, numbers, quality, width=width))


def _frontier(found: Frontier, numbers: Mapping[str, int], quality: str, *, width: int) -> Markup:
    frame = Frame(width, 380)
    x = cost_scale([end for point in found.points for end in _cost_ends(point)], *frame.across)
    y = score_scale([end for point in found.points for end in _ends(point)], *frame.upward)
    names = (f"{found.cost} ({found.unit})", quality)
    best = sorted((p for p in found.points if p.standing is Standing.FRONTIER), key=_by_cost)
    steps = " ".join(f"{'L' if n else 'M'}{x(p.cost)} {y(p.quality)}" for n, p in enumerate(best))
    many = len(found.points) > 16  # noqa: PLR2004 - beyond, numbers would cover the points
    shown = (
        best if many else sorted(found.points, key=lambda p: p.standing is not Standing.FRONTIER)
    )
    spots = [(x(point.cost), y(point.quality)) for point in found.points]
    labels = placed(
        [(str(numbers[p.trial]), (x(p.cost), y(p.quality))) for p in shown],
        taken=[Box.around(*spot, 6) for spot in spots] + [_bar(p, x, y) for p in found.points],
        within=(frame.across, (frame.top, frame.height - frame.bottom)),
    )
    return svg(
        frame,
        f"{quality} against {names[0]}",
        f"{len(best)} of {len(found.points)} trials are on the frontier; a table has the numbers.",
        frame.axes(x, y, names, x.ticks(4 if width == NARROW else 7)),
        element("path", d=steps, class_="frontier"),
        [
            _point(point, x, y, numbers[point.trial], faint=many)
            for point in reversed(found.points)
        ],
        [text(label, *spot, class_="number") for label, spot in labels],
    )


def _by_cost(point: Point) -> tuple[float, float]:
    return point.cost, point.quality


def _ends(point: Point) -> tuple[float, ...]:
    interval = point.interval
    return (point.quality,) if interval is None else (interval.low, interval.high)


def _cost_ends(point: Point) -> tuple[float, ...]:
    low, high = point.cost_reach or (None, None)
    return tuple(end for end in (low, point.cost, high) if end is not None)


def _bar(point: Point, x: Scale, y: Scale) -> Box:
    """Return the box that a cost interval occupies in the plot."""
    ends = [x(end) for end in _cost_ends(point)]
    return Box(min(ends), y(point.quality) - 1, max(ends), y(point.quality) + 1)


def _point(point: Point, x: Scale, y: Scale, number: int, *, faint: bool) -> Markup:
    on_it = point.standing is Standing.FRONTIER
    kind = {Standing.FRONTIER: "best", Standing.BEHIND: "behind", Standing.DOMINATED: "beaten"}
    title = f"{number} {point.trial}: {point.quality:.4f}, {said(point.cost, 3)}; {point.standing}"
    reach = whisker(point.interval, x(point.cost), y) if on_it or not faint else None
    ends, level = [x(end) for end in _cost_ends(point)], y(point.quality)
    across = line(min(ends), level, max(ends), level, class_="whisker") if reach else None
    spot = marker(0 if on_it else 1, x(point.cost), level)
    return element("g", element("title", title), reach, across, spot, class_=kind[point.standing])


_SHARES = {
    "recall": "recall: share of the targets that was found",
    "coverage": "coverage: share of the targets' text that was shown",
}


@dataclass(frozen=True)
class Curves:
    """A measure at each token budget, for highlighted trials and all others."""

    measure: str
    told_apart: Sequence[Curve]
    others: Sequence[Curve]
    numbers: Mapping[str, int]


def curve_plot(drawn: Curves) -> Markup:
    """Return a measure against the token budget, with the other trials in grey."""
    return responsive(lambda width: _curves(drawn, width=width))


def _curves(drawn: Curves, *, width: int) -> Markup:
    curves, others, numbers = drawn.told_apart, drawn.others, drawn.numbers
    frame = Frame(width, 380, right=44)
    budgets = curves[0].budgets
    x = Scale(budgets[0] / 1.12, budgets[-1] * 1.12, *frame.across, logarithmic=True)
    ends = [e for c in curves for i in c.intervals if i for e in (i.low, i.high)]
    y = score_scale([*ends, *(r for c in (*curves, *others) for r in c.shares)], *frame.upward)
    names = ("budget of text shown (tokens)", _SHARES[drawn.measure])
    last = _spread([(y(curve.shares[-1]), numbers[curve.trial]) for curve in curves])
    middle = (len(curves) - 1) / 2
    return svg(
        frame,
        f"{drawn.measure.capitalize()} against the budget of tokens",
        "Bars are 95 % intervals on these repositories; the table has the numbers.",
        frame.axes(x, y, names, budgets),
        [element("path", d=_polyline(c, x, y), class_="other") for c in others],
        [_curve(c, n, x, y, shift=(n - middle) * 4) for n, c in enumerate(curves)],
        [
            text(str(number), frame.width - frame.right + 12, at + 4, class_="number")
            for at, number in last
        ],
    )


def _curve(curve: Curve, place: int, x: Scale, y: Scale, *, shift: float) -> Markup:
    spots = zip(curve.budgets, curve.shares, curve.intervals, strict=True)
    drawn = [
        [whisker(interval, x(budget) + shift, y), marker(place, x(budget) + shift, y(share))]
        for budget, share, interval in spots
    ]
    path = element("path", d=_polyline(curve, x, y, shift), class_="curve")
    return element("g", element("title", curve.trial), path, drawn, class_=f"s{place % SHAPES}")


def _polyline(curve: Curve, x: Scale, y: Scale, shift: float = 0.0) -> str:
    pairs = zip(curve.budgets, curve.shares, strict=True)
    return " ".join(
        f"{'L' if n else 'M'}{x(b) + shift:.1f} {y(r)}" for n, (b, r) in enumerate(pairs)
    )


def effect_plot(effects: Sequence[Effect], title: str, quality: str) -> Markup:
    """Return each effect with its interval, beside a line at zero."""
    return responsive(lambda width: _effects(effects, title, quality, width=width))


def _effects(effects: Sequence[Effect], title: str, quality: str, *, width: int) -> Markup:
    stacked = width == NARROW
    row = 44 if stacked else 30
    left = 26 if stacked else 300
    frame = Frame(width, row * len(effects) + 56, left=left, right=26, top=10)
    ends = [end for effect in effects for end in (effect.size, *_reach(effect))]
    x = effect_scale(ends, *frame.across)
    foot, _ = frame.upward
    drawn = [text(f"difference in {quality}", width - 18, foot + 38, class_="axis", anchor="end")]
    for tick in x.ticks(3 if stacked else 6):
        kind = "grid" if tick else "zero"
        drawn.append(line(x(tick), frame.top, x(tick), foot, class_=kind))
        shown = f"{tick:+g}" if tick else "0"
        drawn.append(text(shown, x(tick), foot + 18, class_="tick", anchor="middle"))
    tops = (frame.top + row * place for place in range(len(effects)))
    rows = [
        _effect(effect, x, top, stacked=stacked) for effect, top in zip(effects, tops, strict=True)
    ]
    description = "Points are means, bars intervals; a table has the numbers."
    return svg(frame, title, description, drawn, rows)


def _reach(effect: Effect) -> tuple[float, ...]:
    interval = effect.here.together if effect.here else None
    return () if interval is None else (interval.low, interval.high)


def _effect(effect: Effect, x: Scale, top: float, *, stacked: bool) -> Markup:
    at = top + (32 if stacked else 15)
    name = effect.name if len(effect.name) < 44 else f"{effect.name[:42]}…"  # noqa: PLR2004
    label = (
        text(name, 12, top + 16, class_="name")
        if stacked
        else text(name, 288, at + 4, class_="name", anchor="end")
    )
    reach = _reach(effect)
    bar = line(x(reach[0]), at, x(reach[1]), at, class_="bar") if reach else None
    clear = bool(reach) and (reach[0] > 0 or reach[1] < 0)
    title = element("title", f"{effect.name}: {effect.size:+.4f}")
    dot = marker(0, x(effect.size), at)
    return element("g", title, label, bar, dot, class_="clear" if clear else "unclear")


def _spread(wanted: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return labels at the ends of lines, moved apart until none overlap."""
    found: list[tuple[float, int]] = []
    for at, number in sorted(wanted):
        lowest = found[-1][0] + _LINE if found else at
        found.append((max(at, lowest), number))
    return found
