"""Chart of the first screen: coverage at each budget of tokens."""

from collections.abc import Iterator, Sequence

from bench.advice import plural
from bench.report.html.drawing import WIDE, Frame, marker, responsive, svg, swatch, text
from bench.report.html.elements import Markup, element
from bench.report.html.scales import Scale
from bench.report.insights import Curve, Insights
from bench.report.study_view import StudyView
from bench.results import TrialResult

_FAINT = 40
"""Maximum number of grey curves in the background."""
_ABOVE, _BELOW = -10, 22
"""Vertical offset in pixels of a number from its point."""


def coverage_chart(view: StudyView, found: Insights) -> Markup | None:
    """Return coverage at each token budget, with the advised trial and the runner-up marked."""
    curves = {one.trial: one for one in found.curves.get("coverage", ())}
    roles = {trial.name: role for trial, role in _marked(view)}
    marked = [curves[name] for name in roles if name in curves]
    if not marked:
        return None
    others = [curves[trial.name] for trial in view.ranked if trial.name in curves]
    behind = [curve for curve in others if curve not in marked][:_FAINT]
    legend = [
        element("li", swatch(place), f" {roles[curve.trial]}: {curve.trial}")
        for place, curve in enumerate(marked)
    ]
    if behind:
        legend.append(element("li", f"grey: {plural(len(behind), 'other', 'others')}"))
    return element(
        "figure",
        responsive(lambda width: _drawn(marked, behind, width)),
        element("ul", legend, class_="legend"),
        element("figcaption", other)
        if (other := _at_other_budgets(view, marked[0].trial))
        else None,
    )


def _marked(view: StudyView) -> Iterator[tuple[TrialResult, str]]:
    if view.chosen:
        yield view.chosen, view.role
    if view.runner_up:
        yield view.runner_up, view.rank_of(view.runner_up)


def _at_other_budgets(view: StudyView, name: str) -> str:
    """Return the decided trials at other token budgets if they differ from `name`."""
    amounts: dict[str, list[str]] = {}
    for one in view.study.advice.budgets:
        if one.tokens is not None and one.decided and one.trial != name:
            amounts.setdefault(one.trial, []).append(f"{one.tokens:,}")
    said = (f"use {trial} at {' and '.join(each)} tokens" for trial, each in amounts.items())
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _drawn(marked: Sequence[Curve], behind: Sequence[Curve], width: int) -> Markup:
    frame = Frame(width, 330 if width == WIDE else 200, right=30, top=26)
    budgets = marked[0].budgets
    x = Scale(budgets[0] / 1.15, budgets[-1] * 1.15, *frame.across, logarithmic=True)
    most = max(share for curve in (*marked, *behind) for share in curve.shares)
    y = Scale(0.0, max(100 * most * 1.15, 1.0), *frame.upward)
    return svg(
        frame,
        "Share of the right code at each budget of tokens",
        "The marked lines are named below; the section on budgets has the numbers.",
        frame.axes(x, y, ("tokens that are read", "% of the right code shown"), budgets),
        [element("path", d=_path(curve, x, y), class_="other") for curve in behind],
        [_line(curve, place, x, y) for place, curve in reversed(list(enumerate(marked)))],
        _values(marked, x, y),
    )


def _line(curve: Curve, place: int, x: Scale, y: Scale) -> Markup:
    spots = zip(curve.budgets, curve.shares, strict=True)
    return element(
        "g",
        element("title", curve.trial),
        element("path", d=_path(curve, x, y), class_="curve"),
        [marker(place, x(budget), y(100 * share)) for budget, share in spots],
        class_=f"s{place}{'' if place else ' advised'}",
    )


def _values(marked: Sequence[Curve], x: Scale, y: Scale) -> list[Markup]:
    """Return the numbers of the first curve, on the side away from the second curve."""
    first, rival = marked[0], marked[-1]
    return [
        text(
            f"{100 * share:.0f}",
            x(budget),
            y(100 * share) + (_BELOW if its > share else _ABOVE),
            class_="number",
            anchor="middle",
        )
        for budget, share, its in zip(first.budgets, first.shares, rival.shares, strict=True)
    ]


def _path(curve: Curve, x: Scale, y: Scale) -> str:
    pairs = zip(curve.budgets, curve.shares, strict=True)
    return " ".join(f"{'L' if n else 'M'}{x(b)} {y(100 * s)}" for n, (b, s) in enumerate(pairs))
