"""Measures of answers, and the cost of refusal thresholds."""

from collections.abc import Sequence

from bench.advice import plural
from bench.measures import OF_ANSWERS
from bench.report.html.comparison import Part
from bench.report.html.drawing import swatch
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.lines import Line, Lines, line_plot
from bench.report.html.scales import Scale, said
from bench.report.html.tables import Cell, Heading, number, table
from bench.report.study_view import StudyView
from bench.results import Numbers, Refusal, TrialResult

_DRAWN = 3
_MEANINGS = {
    "citation_coverage": "share of answers that cite, and only what they were given",
    "citation_precision": "share of citations that are of hits with something right",
    "groundedness": "share of answers with all that they must contain and nothing forbidden",
    "refusal_correctness": "share of the negative queries that are refused",
    "false_refusal_rate": "share of the answerable queries that are refused; less is better",
}
_COSTS = {
    "answer_latency_p50_ms": ("p50 ms", ",.1f"),
    "answer_latency_p95_ms": ("p95 ms", ",.1f"),
    "answer_prompt_tokens": ("prompt tokens", ",.0f"),
    "answer_completion_tokens": ("answer tokens", ",.0f"),
    "answer_cost": ("cost", ",.4f"),
}
_REFUSED = {
    "refusal_correctness": "refused, of queries without an answer",
    "false_refusal_rate": "refused, of answerable queries",
}
_HALVES = ("tune", "report")


def answers_section(view: StudyView) -> Part | None:
    """Return measures of answers, with the trade-off of refusal thresholds."""
    answering = [(trial, trial.refusal) for trial in view.listed if trial.refusal]
    if not answering:
        return None
    curves = [(trial, refusal) for trial, refusal in answering if refusal.curve]
    title = "Answers"
    content = collapsed(
        "answers",
        title,
        _table(view, answering),
        [_curve(trial, refusal) for trial, refusal in curves[:_DRAWN]],
    )
    return "answers", title, content


def _table(view: StudyView, answering: Sequence[tuple[TrialResult, Refusal]]) -> Markup:
    columns = [
        (f"avg_{name}", name.replace("_", " "), ".4f", _MEANINGS[name]) for name in OF_ANSWERS
    ]
    columns += [(name, heading, form, heading) for name, (heading, form) in _COSTS.items()]
    known = [c for c in columns if any(t.summary.get(c[0]) is not None for t, _ in answering)]
    rows = [
        [
            Cell(str(view.places[trial.name]), view.places[trial.name]),
            Cell(trial.name, trial.name),
            *(number(trial.summary.get(column), form) for column, _, form, _ in known),
            _refuses(refusal),
        ]
        for trial, refusal in answering
    ]
    headings = [Heading("#"), Heading("trial", text=True)]
    headings += [Heading(heading, meaning) for _, heading, _, meaning in known]
    return table("Answers", [*headings, Heading("refuses", text=True)], rows)


def _refuses(refusal: Refusal) -> Cell:
    if refusal.by == "the model":
        return Cell("where the model says so", "")
    at = refusal.threshold
    below = "only without a hit" if at is None else f"below a score of {at:.4g}"
    return Cell([below, element("small", refusal.by)], below)


def _curve(trial: TrialResult, refusal: Refusal) -> Markup:
    curve = refusal.curve
    lines = _lines(curve)
    title = f"What refusing costs: {trial.name}"
    thresholds = _thresholds(curve)
    legend = [element("li", swatch(line.place), f" {line.name}") for line in lines]
    at = refusal.threshold
    shown = Lines(
        title,
        "Two shares by the threshold, in each half of the queries; a table has the numbers.",
        _scale([*thresholds, *([at] if at is not None else [])]),
        Scale(0.0, 1.0, 0, 1),
        ("threshold: score of the first hit", "share of queries that are refused"),
        lines,
        at=at,
    )
    return element(
        "figure",
        element("h3", title),
        line_plot(shown),
        element("ul", legend, class_="legend"),
        element("figcaption", _explained(trial, refusal)),
        element(
            "details",
            element("summary", "The numbers of this plot"),
            _numbers(title, curve, lines),
        ),
    )


def _thresholds(curve: Sequence[Numbers]) -> list[float]:
    return [point["threshold"] or 0.0 for point in curve]


def _scale(thresholds: Sequence[float]) -> Scale:
    low, high = min(thresholds), max(thresholds)
    pad = (high - low) * 0.03 or abs(high) * 0.1 or 1.0
    return Scale(low - pad, high + pad, 0, 1)


def _lines(curve: Sequence[Numbers]) -> list[Line]:
    wanted = [(measure, half) for measure in _REFUSED for half in _HALVES]
    return [
        Line(f"{_REFUSED[measure]}: {half} half", points, place)
        for place, (measure, half) in enumerate(wanted)
        if (points := _points(curve, f"{measure}_{half}"))
    ]


def _points(curve: Sequence[Numbers], column: str) -> list[tuple[float, float]]:
    pairs = zip(_thresholds(curve), (point.get(column) for point in curve), strict=True)
    return [(at, value) for at, value in pairs if value is not None]


def _explained(trial: TrialResult, refusal: Refusal) -> str:
    negative = plural(_count(trial, "negative_queries"), "query", "queries")
    judged = _count(trial, "judged_queries")
    at = refusal.threshold
    chosen = (
        f"The upright line is the threshold in use, {at:.4g} ({refusal.by})."
        if at is not None
        else f"No threshold is in use ({refusal.by}): it refuses only where nothing was found."
    )
    return (
        f"{chosen} A good threshold refuses many of the {negative} without an answer and few "
        f"of the {judged} others. The smallest step of a line is one query of its half. "
        "Choose on the tune half, and trust the report half."
    )


def _count(trial: TrialResult, column: str) -> int:
    return int(trial.summary.get(column) or 0)


def _numbers(title: str, curve: Sequence[Numbers], lines: Sequence[Line]) -> Markup:
    by_line = [dict(line.points) for line in lines]
    rows = [
        [
            Cell(said(at, 4), f"{place:04}"),
            *(number(points.get(at), ".1%") for points in by_line),
        ]
        for place, at in enumerate(_thresholds(curve))
    ]
    return table(
        title, [Heading("threshold", text=True), *(Heading(one.name) for one in lines)], rows
    )
