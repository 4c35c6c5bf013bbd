"""Plots as SVG: titled, with named axes, units and intervals, told apart without colour."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.analysis import Effect, Interval, Point, Standing
from bench.reporting.html.elements import Child, Markup, element
from bench.reporting.html.labels import Box, placed
from bench.reporting.html.scales import Scale, cost_scale, effect_scale, said, score_scale
from bench.reporting.insights import Curve, Frontier

WIDE, NARROW = 720, 360
SHAPES = 6
_LINE, _TEXT = 15, 6.6


@dataclass(frozen=True)
class Frame:
    """The area of a plot with its axes."""

    width: int
    height: int
    left: int = 46
    right: int = 18
    top: int = 30
    bottom: int = 46

    @property
    def across(self) -> tuple[float, float]:
        """Return where the area starts and ends sideways."""
        return self.left, self.width - self.right

    @property
    def upward(self) -> tuple[float, float]:
        """Return where the area starts and ends from its foot."""
        return self.height - self.bottom, self.top

    def axes(
        self, x: Scale, y: Scale, names: tuple[str, str], ticks: Sequence[float]
    ) -> list[Markup]:
        """Return both axes with their names, and a line for each number they name."""
        (left, right), (foot, head) = self.across, self.upward
        drawn = [_text(names[1], 4, head - 14, class_="axis")]
        for tick in y.ticks():
            drawn.append(_line(left, y(tick), right, y(tick), class_="grid"))
            drawn.append(_text(said(tick), left - 6, y(tick) + 4, class_="tick", anchor="end"))
        for tick in ticks:
            drawn.append(_line(x(tick), foot, x(tick), foot + 4, class_="foot"))
            drawn.append(_text(said(tick), x(tick), foot + 18, class_="tick", anchor="middle"))
        drawn.append(_line(left, foot, right, foot, class_="foot"))
        drawn.append(_text(names[0], right, foot + 38, class_="axis", anchor="end"))
        return drawn


def responsive(draw: Callable[[int], Markup]) -> Markup:
    """Return a plot twice: for wide and for narrow screens, one of which is shown."""
    return element("div", draw(WIDE), draw(NARROW), class_="plot")


def frontier_plot(found: Frontier, numbers: Mapping[str, int], quality: str) -> Markup:
    """Return quality against cost, every trial a numbered point with its interval."""
    return responsive(lambda width: _frontier(found, numbers, quality, width=width))


def _frontier(found: Frontier, numbers: Mapping[str, int], quality: str, *, width: int) -> Markup:
    frame = Frame(width, 380)
    x = cost_scale([point.cost for point in found.points], *frame.across)
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
        taken=[Box.around(*spot, 6) for spot in spots],
        within=(frame.across, (frame.top, frame.height - frame.bottom)),
    )
    return _svg(
        frame,
        f"{quality} against {names[0]}",
        f"{len(best)} of {len(found.points)} trials are on the frontier; a table has the numbers.",
        frame.axes(x, y, names, x.ticks(4 if width == NARROW else 7)),
        element("path", d=steps, class_="frontier"),
        [
            _point(point, x, y, numbers[point.trial], faint=many)
            for point in reversed(found.points)
        ],
        [_text(text, *spot, class_="number") for text, spot in labels],
    )


def _by_cost(point: Point) -> tuple[float, float]:
    return point.cost, point.quality


def _ends(point: Point) -> tuple[float, ...]:
    interval = point.interval
    return (point.quality,) if interval is None else (interval.low, interval.high)


def _point(point: Point, x: Scale, y: Scale, number: int, *, faint: bool) -> Markup:
    on_it = point.standing is Standing.FRONTIER
    kind = {Standing.FRONTIER: "best", Standing.BEHIND: "behind", Standing.DOMINATED: "beaten"}
    title = f"{number} {point.trial}: {point.quality:.4f}, {said(point.cost, 3)}; {point.standing}"
    whisker = _whisker(point.interval, x(point.cost), y) if on_it or not faint else None
    spot = _marker(0 if on_it else 1, x(point.cost), y(point.quality))
    return element("g", element("title", title), whisker, spot, class_=kind[point.standing])


def curve_plot(
    curves: Sequence[Curve], others: Sequence[Curve], numbers: Mapping[str, int]
) -> Markup:
    """Return recall against the budget: some trials told apart, the others faint behind them."""
    return responsive(lambda width: _curves(curves, others, numbers, width=width))


def _curves(
    curves: Sequence[Curve], others: Sequence[Curve], numbers: Mapping[str, int], *, width: int
) -> Markup:
    frame = Frame(width, 380, right=44)
    budgets = curves[0].budgets
    x = Scale(budgets[0] / 1.12, budgets[-1] * 1.12, *frame.across, logarithmic=True)
    ends = [e for c in curves for i in c.intervals if i for e in (i.low, i.high)]
    y = score_scale([*ends, *(r for c in (*curves, *others) for r in c.recalls)], *frame.upward)
    names = ("budget of text shown (tokens)", "recall: share of what is right that was shown")
    last = _spread([(y(curve.recalls[-1]), numbers[curve.trial]) for curve in curves])
    middle = (len(curves) - 1) / 2
    return _svg(
        frame,
        "Recall against the budget of tokens",
        "Bars are 95 % intervals on these repositories; the table has the numbers.",
        frame.axes(x, y, names, budgets),
        [element("path", d=_polyline(c, x, y), class_="other") for c in others],
        [_curve(c, n, x, y, shift=(n - middle) * 4) for n, c in enumerate(curves)],
        [
            _text(str(number), frame.width - frame.right + 12, at + 4, class_="number")
            for at, number in last
        ],
    )


def _curve(curve: Curve, place: int, x: Scale, y: Scale, *, shift: float) -> Markup:
    spots = zip(curve.budgets, curve.recalls, curve.intervals, strict=True)
    drawn = [
        [_whisker(interval, x(budget) + shift, y), _marker(place, x(budget) + shift, y(recall))]
        for budget, recall, interval in spots
    ]
    path = element("path", d=_polyline(curve, x, y, shift), class_="curve")
    return element("g", element("title", curve.trial), path, drawn, class_=f"s{place % SHAPES}")


def _polyline(curve: Curve, x: Scale, y: Scale, shift: float = 0.0) -> str:
    pairs = zip(curve.budgets, curve.recalls, strict=True)
    return " ".join(
        f"{'L' if n else 'M'}{x(b) + shift:.1f} {y(r)}" for n, (b, r) in enumerate(pairs)
    )


def effect_plot(effects: Sequence[Effect], title: str, quality: str) -> Markup:
    """Return each effect with its interval beside a line at nothing."""
    return responsive(lambda width: _effects(effects, title, quality, width=width))


def _effects(effects: Sequence[Effect], title: str, quality: str, *, width: int) -> Markup:
    stacked = width == NARROW
    row = 44 if stacked else 30
    left = 26 if stacked else 300
    frame = Frame(width, row * len(effects) + 56, left=left, right=26, top=10)
    ends = [end for effect in effects for end in (effect.size, *_reach(effect))]
    x = effect_scale(ends, *frame.across)
    foot, _ = frame.upward
    drawn = [_text(f"difference in {quality}", width - 18, foot + 38, class_="axis", anchor="end")]
    for tick in x.ticks(3 if stacked else 6):
        line = "grid" if tick else "zero"
        drawn.append(_line(x(tick), frame.top, x(tick), foot, class_=line))
        shown = f"{tick:+g}" if tick else "0"
        drawn.append(_text(shown, x(tick), foot + 18, class_="tick", anchor="middle"))
    tops = (frame.top + row * place for place in range(len(effects)))
    rows = [
        _effect(effect, x, top, stacked=stacked) for effect, top in zip(effects, tops, strict=True)
    ]
    description = "Points are means, bars intervals; a table has the numbers."
    return _svg(frame, title, description, drawn, rows)


def _reach(effect: Effect) -> tuple[float, ...]:
    interval = effect.here.together if effect.here else None
    return () if interval is None else (interval.low, interval.high)


def _effect(effect: Effect, x: Scale, top: float, *, stacked: bool) -> Markup:
    at = top + (32 if stacked else 15)
    name = effect.name if len(effect.name) < 44 else f"{effect.name[:42]}…"  # noqa: PLR2004
    label = (
        _text(name, 12, top + 16, class_="name")
        if stacked
        else _text(name, 288, at + 4, class_="name", anchor="end")
    )
    reach = _reach(effect)
    bar = _line(x(reach[0]), at, x(reach[1]), at, class_="bar") if reach else None
    clear = bool(reach) and (reach[0] > 0 or reach[1] < 0)
    title = element("title", f"{effect.name}: {effect.size:+.4f}")
    dot = _marker(0, x(effect.size), at)
    return element("g", title, label, bar, dot, class_="clear" if clear else "unclear")


def swatch(place: int) -> Markup:
    """Return the sign of a series, for a legend."""
    drawn = [_line(0, 7, 28, 7, class_="curve"), _marker(place, 14, 7)]
    inner = element("g", drawn, class_=f"s{place % SHAPES}")
    return element("svg", inner, viewBox="0 0 28 14", width=28, height=14, aria_hidden="true")


def _svg(frame: Frame, title: str, description: str, *drawn: Child) -> Markup:
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


def _whisker(interval: Interval | None, at: float, y: Scale) -> Markup | None:
    if interval is None:
        return None
    return _line(at, y(interval.low), at, y(interval.high), class_="whisker")


def _marker(shape: int, x: float, y: float) -> Markup:
    """Return one of six shapes, so that a series is known without its colour."""
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


def _line(x1: float, y1: float, x2: float, y2: float, *, class_: str) -> Markup:
    return element("line", x1=round(x1, 1), y1=y1, x2=round(x2, 1), y2=y2, class_=class_)


def _text(text: str, x: float, y: float, *, class_: str, anchor: str | None = None) -> Markup:
    return element("text", text, x=round(x, 1), y=round(y, 1), class_=class_, text_anchor=anchor)


def _spread(wanted: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return labels at the end of lines, moved apart until none covers another."""
    found: list[tuple[float, int]] = []
    for at, number in sorted(wanted):
        lowest = found[-1][0] + _LINE if found else at
        found.append((max(at, lowest), number))
    return found
