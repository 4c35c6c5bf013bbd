"""Quality against cost and token budgets, and by repository."""

from collections.abc import Mapping, Sequence

from bench.analysis import Standing
from bench.report.html.comparison import Part
from bench.report.html.drawing import SHAPES, swatch
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.plots import Curves, curve_plot, frontier_plot
from bench.report.html.tables import Cell, Heading, number, shade, table
from bench.report.insights import Curve, Frontier, Insights
from bench.report.study_view import StudyView
from bench.results import GROUPS, TrialResult
from bench.results.tiers import tier_order

_EXPLAINED = (
    "A filled circle is a trial on the frontier: no other trial is as good for the same cost or "
    "less. Hollow squares are behind the frontier. Pale ones are clearly dominated: another "
    "trial that costs no more is better (95 % confidence, corrected for all rivals). Bars are "
    "95 % intervals; a cost with a single sample, such as the time to make an index, has none. "
    "Costs within 5 % count as equal. The numbers are the rows of the table of all trials."
)


def frontier_section(view: StudyView, found: Insights) -> Part | None:
    """Return quality against each known cost, or a note on the missing latency."""
    if len(view.ranked) < 2:  # noqa: PLR2004 - one trial has nothing to be weighed against
        return None
    parts = [_frontier(one, view) for one in found.frontiers]
    is_drawn = any(not one.is_flat for one in found.frontiers)
    latency = any(one.unit == "ms" for one in found.frontiers)
    missing = "No latency was measured, so quality is not compared with latency."
    if any(trial.latency.busy for trial in view.ranked):
        missing = (
            "Latency was measured while the machine was busy, so quality is not compared with it."
        )
    return (
        "frontier",
        "Quality and cost",
        collapsed(
            "frontier",
            "Quality and cost",
            element("p", _EXPLAINED, class_="facts") if is_drawn else None,
            None if latency else element("p", missing, class_="empty"),
            parts,
        ),
    )


def _frontier(one: Frontier, view: StudyView) -> Markup:
    if one.is_flat:
        said = (
            f"All trials cost about the same in {one.cost}: {one.points[0].cost:,.1f} {one.unit}."
        )
        return element("p", said, class_="empty")
    numbers = view.places
    answers = "answers fewer queries" if len(one.silent) == 1 else "answer fewer queries"
    silent = f"Not drawn: {', '.join(one.silent)} {answers} than others." if one.silent else None
    without = f"Unknown cost: {', '.join(one.without)}." if one.without else None
    return element(
        "figure",
        element("h3", f"{view.quality} against {one.cost}"),
        frontier_plot(one, numbers, view.quality),
        element("figcaption", without) if without else None,
        element("figcaption", silent) if silent else None,
        _more("The numbers of this plot", _frontier_table(one, view)),
    )


def _frontier_table(one: Frontier, view: StudyView) -> Markup:
    numbers = view.places
    rows = [
        [
            Cell(str(numbers[point.trial]), numbers[point.trial]),
            Cell(point.trial, point.trial),
            number(point.quality, ".4f"),
            number(point.interval.low if point.interval else None, ".4f"),
            number(point.interval.high if point.interval else None, ".4f"),
            number(point.cost, ",.1f"),
            *(number(end, ",.1f") for end in point.cost_reach or (None, None)),
            Cell(_said(point.standing, point.dominated_by, numbers), str(point.standing)),
        ]
        for point in one.points
    ]
    headings = [
        Heading("#"),
        Heading("trial", text=True),
        Heading(view.quality),
        Heading("from", f"95 % interval of {view.quality} on these repositories"),
        Heading("to"),
        Heading(f"{one.cost} ({one.unit})"),
        Heading("from", "95 % interval of the cost, where it has several samples"),
        Heading("to"),
        Heading("standing", text=True),
    ]
    return table(f"{view.quality} against {one.cost}", headings, rows)


def _said(standing: Standing, by: str | None, numbers: Mapping[str, int]) -> str:
    return f"{standing} by {numbers[by]}" if by else str(standing)


def _more(title: str, *content: Markup) -> Markup:
    return element("details", element("summary", title), content)


def curves_section(view: StudyView, found: Insights) -> Part | None:
    """Return recall and coverage at several token budgets."""
    if not view.ranked:
        return None
    figures = [_figure(view, name, curves) for name, curves in found.curves.items() if curves]
    if not figures:
        empty = "The results have no recall at several budgets of tokens."
        return _curves_part([element("p", empty, class_="empty")])
    return _curves_part(figures)


def _figure(view: StudyView, measure: str, curves: Sequence[Curve]) -> Markup:
    shown, others = _told_apart(view, curves)
    numbers = view.places
    legend = [
        element("li", swatch(place), f" {numbers[curve.trial]} {curve.trial}")
        for place, curve in enumerate(shown)
    ]
    faint = f" The other {len(others)} trials are drawn faintly." if others else ""
    return element(
        "figure",
        element("h3", f"{measure.capitalize()} at budgets of tokens"),
        curve_plot(Curves(measure, shown, others, numbers)),
        element("ul", legend, class_="legend"),
        element(
            "figcaption",
            "Each ranking is read from the top until the budget of tokens is spent. "
            f"Bars are 95 % intervals on these repositories, each for itself.{faint}",
        ),
        _more("The numbers of this plot", _curve_table(measure, curves, numbers)),
    )


def _curves_part(content: Sequence[Markup]) -> Part:
    title = "Quality at a budget of text"
    return "budgets", title, collapsed("budgets", title, content)


def _told_apart(view: StudyView, curves: Sequence[Curve]) -> tuple[list[Curve], list[Curve]]:
    """Return the highlighted trials and all others.

    The advised trial, the best at each budget, the fastest and the baseline are highlighted. The
    best of the others fill the free shapes.
    """
    by_name = {curve.trial: curve for curve in curves}
    chosen = view.chosen
    wanted = [chosen.name] if chosen else []
    by_budget = zip(*(curve.shares for curve in curves), strict=True)
    wanted += [curves[shares.index(max(shares))].trial for shares in by_budget]
    wanted += [view.study.advice.fastest or "", view.baseline.name if view.baseline else ""]
    wanted += [trial.name for trial in view.ranked]
    names = [name for name in dict.fromkeys(wanted) if name in by_name][:SHAPES]
    return [by_name[name] for name in names], [c for c in curves if c.trial not in names]


def _curve_table(measure: str, curves: Sequence[Curve], numbers: Mapping[str, int]) -> Markup:
    headings = [Heading("#"), Heading("trial", text=True)]
    headings += [Heading(f"{budget:,} tokens") for budget in curves[0].budgets]
    rows = []
    for curve in curves:
        cells = [
            Cell(str(numbers[curve.trial]), numbers[curve.trial]),
            Cell(curve.trial, curve.trial),
        ]
        for share, interval in zip(curve.shares, curve.intervals, strict=True):
            between = f"{interval.low:.3f} to {interval.high:.3f}" if interval else None
            small = element("small", between, class_="interval") if between else None
            cells.append(Cell([f"{share:.4f}", small], share))
        rows.append(cells)
    return table(f"{measure.capitalize()} at budgets of tokens", headings, rows)


def repositories_section(view: StudyView) -> Part | None:
    """Return the best trials in every repository and every group of queries."""
    if not view.ranked:
        return None
    parts = [_heat(view, kind) for kind in GROUPS]
    parts.append(_top_file_types(view))
    title = "By repository and kind of query"
    intro = f"Mean {view.quality} of the best trials. A darker colour is a higher score."
    content = collapsed("groups", title, element("p", intro, class_="facts"), parts)
    return "groups", title, content


_COLUMNS = 8
"""Number of trials side by side."""
_TOPS = {
    "share_at_1": "first hit",
    "share_at_5": "first 5 hits",
    "share_at_10": "first 10 hits",
    "share_of_targets": "right places",
}


def _top_file_types(view: StudyView) -> Markup | None:
    """Return the file types among the advised trial's hits and among the targets."""
    types = view.chosen.top_file_types if view.chosen else {}
    if view.chosen is None or not types:
        return None
    ordered = sorted(types, key=lambda name: -(types[name].get("share_at_10") or 0.0))
    rows = [
        [
            Cell(name, name),
            *(
                number(types[name].get(column), ".1%", kind=shade(types[name].get(column), 0, 1))
                for column in _TOPS
            ),
        ]
        for name in ordered
    ]
    label = f"Types of files that {view.chosen.name} shows"
    headings = [Heading("type", text=True), *map(Heading, _TOPS.values())]
    return element("div", element("h3", label), table(label, headings, rows))


def _heat(view: StudyView, kind: str) -> Markup | None:
    """Return a row per repository or other group, and a column for each of the best trials."""
    names = dict.fromkeys(group for trial in view.listed for group in trial.groups[kind])
    groups = list(names) if kind == "repository" else sorted(names, key=tier_order)
    column, trials = f"avg_{view.objective}", _compared(view)
    means = {g: [t.groups[kind].get(g, {}).get(column) for t in trials] for g in groups}
    known = [value for row in means.values() for value in row if value is not None]
    if not known:
        return None
    headings = [Heading(kind.replace("_", " "), text=True), Heading("queries")]
    headings += [Heading(f"{view.places[trial.name]} {trial.name}") for trial in trials]
    rows = [
        [
            Cell(group, group),
            number(trials[0].groups[kind].get(group, {}).get("count"), ".0f"),
            *(number(v, ".3f", kind=shade(v, min(known), max(known))) for v in means[group]),
        ]
        for group in groups
    ]
    label = f"By {kind.replace('_', ' ')}"
    left = len(view.listed) - len(trials)
    more = f"{left} more trials are in results.json." if left > 0 else None
    return element(
        "div",
        element("h3", label),
        table(label, headings, rows),
        element("p", more, class_="facts") if more else None,
    )


def _compared(view: StudyView) -> list[TrialResult]:
    """Return the advised trial, the runner-up, the baseline, and the best others."""
    first = [trial for trial in (view.chosen, view.runner_up, view.baseline) if trial]
    return list({trial.name: trial for trial in (*first, *view.listed)}.values())[:_COLUMNS]
