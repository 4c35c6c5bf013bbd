"""First screen of the report: the recommendation, a chart, four cards and the worst questions."""

from collections.abc import Iterator, Sequence

from bench.advice import (
    configuration_text,
    is_much_faster,
    language_label,
    plural,
    score_text,
    short_number,
)
from bench.report.html.comparison import Part
from bench.report.html.drawing import WIDE, Frame, marker, responsive, svg, swatch, text
from bench.report.html.elements import Markup, element, section
from bench.report.html.scales import Scale
from bench.report.insights import Curve, Insights
from bench.report.study_view import StudyView
from bench.report.worst import expected_of, found_of, worst_queries
from bench.results import TrialResult

_MAIN = ("retriever", "chunk", "embedder", "reranker")
_WORDS = {
    "retriever": "retriever",
    "chunk": "chunk size",
    "embedder": "embedding model",
    "reranker": "reranker",
}
_FAINT = 40
"""Maximum number of grey curves in the background."""
_ABOVE, _BELOW = -10, 22
"""Vertical offset in pixels of a number from its point."""
_LANGUAGES = 3
_MINUTES = 120
"""Seconds from which times are shown in minutes."""
_LONGEST = 200


def answer_section(view: StudyView, found: Insights) -> Part:
    """Return the recommendation, its chart and its four cards."""
    title = "What to use"
    trial = view.chosen
    if trial is None:
        lead = "No configuration has a result, so there is nothing to recommend."
        return "answer", title, section("answer", title, element("p", lead, class_="lead"))
    first, second = _sentences(view, trial)
    overview = [_chart(view, found), element("div", *_cards(view, trial), class_="cards")]
    content = section(
        "answer",
        title,
        element("p", element("b", first), " ", second, class_="lead"),
        element("div", overview, class_="overview"),
    )
    return "answer", title, content


def worst_section(view: StudyView) -> Part | None:
    """Return the questions with the lowest scores, with expected and retrieved spans."""
    queries = worst_queries(view)
    if not queries or view.chosen is None:
        return None
    title = f"The {plural(len(queries), 'worst question', 'worst questions')}"
    about = f"Of {view.chosen.name}, by {view.quality}."
    items = [
        element(
            "li",
            element("b", query.text[:_LONGEST], class_="asked"),
            element("small", f" {query.repository} · {query.id}"),
            element("div", "expected: ", element("span", expected_of(query), class_="place")),
            element("div", "found: ", element("span", found_of(query), class_="place")),
        )
        for query in queries
    ]
    content = section(
        "worst", title, element("p", about, class_="facts"), element("ol", items, class_="worst")
    )
    return "worst", title, content


def _sentences(view: StudyView, trial: TrialResult) -> tuple[str, str]:
    what = _named(view, trial)
    score = f"{_share(view, trial)}{_in_time(trial)}."
    if len(view.done) == 1:
        return f"Only one configuration was measured: {what}.", f"It {score}"
    if view.study.advice.ship == trial.name:
        return f"Use {what}.", f"It {score}"
    count = len(view.done)
    lead = f"The questions do not decide between {count} configurations."
    prior = view.study.advice.prior
    if prior and prior.trial == trial.name:
        others = f"{prior.repositories} other repositories"
        return lead, f"With what {others} taught, take {what}: it {score}"
    return lead, f"The highest, {what}, {score}"


def _named(view: StudyView, trial: TrialResult) -> str:
    """Return a trial by the settings that vary in the study, or else by its main settings."""
    varied = _varied(view) or _MAIN
    return configuration_text(trial.axes, varied) or trial.name


def _varied(view: StudyView) -> list[str]:
    names = dict.fromkeys(name for trial in view.done for name in trial.axes)
    return [name for name in names if len({str(t.axes.get(name)) for t in view.done}) > 1]


def _share(view: StudyView, trial: TrialResult) -> str:
    """Return the score in words, such as "shows 69 % of the right code in 4,000 tokens"."""
    value = trial.mean(view.objective)
    if value is None:
        return f"has no number for {view.quality}"
    if not view.objective.startswith("coverage_at_"):
        return f"has {score_text(view.objective, value)}"
    limit = view.objective.removeprefix("coverage_at_")
    tokens = limit.removesuffix("_tokens")
    amount = f"{int(tokens):,} tokens" if tokens != limit else f"{tokens} hits"
    return f"shows {_percent(value)} of the right {_kind(trial)} in {amount}"


def _kind(trial: TrialResult) -> str:
    is_text = set(trial.languages) <= {"markdown", ""} and bool(trial.languages)
    return "text" if is_text else "code"


def _in_time(trial: TrialResult) -> str:
    median = trial.price("latency_p50_ms")
    return "" if median is None else f", and a search takes {_time(median)}"


def _time(milliseconds: float) -> str:
    if milliseconds >= 1000:  # noqa: PLR2004 - a second
        return f"{milliseconds / 1000:.1f} s"
    if milliseconds < 1:
        return "less than 1 ms"
    return f"{milliseconds:.0f} ms"


def _time_figure(milliseconds: float) -> str:
    """Return a time short enough for one line of a card."""
    return _time(milliseconds).replace("less than", "<").replace(" ", "\u00a0")


def _long_time(seconds: float) -> str:
    if seconds >= _MINUTES:
        return f"{seconds / 60:.0f} minutes"
    return f"{short_number(seconds)} s"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"  # the sign stays on the line of its number


def _cards(view: StudyView, trial: TrialResult) -> Iterator[Markup]:
    yield _card("Quality", *_quality(view, trial))
    yield _card("Speed", *_speed(view, trial))
    yield _card("Certainty", *_certainty(view))
    yield _card("Not tested", "", f"{'; '.join(_not_tested(view, trial))}.")


def _card(title: str, figure: str, *said: str) -> Markup:
    return element(
        "div",
        element("h3", title),
        element("p", figure, class_="figure") if figure else None,
        [element("p", one) for one in said],
        class_="card",
    )


def _quality(view: StudyView, trial: TrialResult) -> tuple[str, ...]:
    value, other = trial.mean(view.objective), view.runner_up
    if value is None:
        return ("-", f"There is no number for {view.quality}.")
    is_share = view.objective.startswith("coverage_at_")
    shown = _percent if is_share else "{:.3f}".format
    what = _share(view, trial).partition(" of ")[2] if is_share else view.quality
    said = [f"{'of ' if is_share else ''}{what}."]
    if other is not None and (its := other.mean(view.objective)) is not None:
        said.append(f"The runner-up, {_named(view, other)}: {shown(its)}.")
    return (shown(value), *said)


def _speed(view: StudyView, trial: TrialResult) -> tuple[str, ...]:
    median, slow, index = (
        trial.summary.get(name) for name in ("latency_p50_ms", "latency_p95_ms", "index_seconds")
    )
    made = [] if index is None else [f"The index takes {_long_time(index)} to make."]
    if median is None:
        return ("Not measured", *made)
    tail = "" if slow is None else f"; 19 of 20 take {_time(slow)} or less"
    typical = f"for a typical search{tail}."
    if trial.is_disturbed("latency_p50_ms"):
        busy = "It was measured while the machine was busy."
        return (_time_figure(median), typical, busy)
    return (_time_figure(median), typical, *(_faster(view, median) or made))


def _faster(view: StudyView, median: float) -> list[str]:
    """Return a note on a much faster trial that may be as good, if no trial is advised."""
    advice = view.study.advice
    fastest = next((trial for trial in view.done if trial.name == advice.fastest), None)
    if advice.ship or advice.tested is None or fastest is None:
        return []
    its = fastest.summary.get("latency_p50_ms")
    is_rival = fastest.name in advice.tested.may_be_best
    if its is None or not is_rival or not is_much_faster(its, median):
        return []
    named = _named(view, fastest)
    return [f"{named[:1].upper()}{named[1:]} may be as good, and takes {_time(its)}."]


def _certainty(view: StudyView) -> tuple[str, ...]:
    tested, count = view.study.advice.tested, len(view.done)
    if count == 1:
        return ("Not compared", "There is one configuration.")
    if tested is None:
        return ("Not decided", "There are too few questions for a test.")
    evidence = dict(tested.statements[0].evidence) if tested.statements else {}
    bound, where = evidence.get("regret_bound"), _where(view)
    if view.study.advice.ship:
        if bound is None:
            return ("Tied", f"All {count} have the same score on every question, {where}.")
        return ("95 %", f"sure that no other is more than {_points(bound)} better, {where}.")
    said = f"{len(tested.may_be_best)} of {count} may be the best, {where}."
    more = [] if bound is None else [f"Another may be up to {_points(bound)} better."]
    return ("Not decided", said, *more)


def _points(bound: float) -> str:
    return f"{max(100 * bound, 0.1):.1f} points"


def _where(view: StudyView) -> str:
    names = view.repositories
    return f"in {names[0]}" if len(names) == 1 else f"in these {len(names)} repositories"


def _not_tested(view: StudyView, trial: TrialResult) -> Iterator[str]:
    """Yield limits of the study that a reader might overlook."""
    count = len(view.repositories)
    yield "Any other repository" if count == 1 else f"Repositories besides these {count}"
    languages = list(trial.languages)
    if 0 < len(languages) <= _LANGUAGES:
        yield f"languages besides {', '.join(map(language_label, languages))}"
    same = [word for name, word in _WORDS.items() if name not in _varied(view)]
    if same:
        yield f"another {', '.join(same[:-1])}{' or ' if same[1:] else ''}{same[-1]}"
    failed = sum(one.failed for one in view.trials)
    if failed:
        yield f"{plural(failed, 'configuration', 'configurations')} that failed"
    if trial.summary.get("latency_p50_ms") is not None:
        yield "several searches at a time"


def _chart(view: StudyView, found: Insights) -> Markup | None:
    """Return coverage at each token budget, with the advised trial and the runner-up marked."""
    curves = {one.trial: one for one in found.curves.get("coverage", ())}
    names = [trial.name for trial in (view.chosen, view.runner_up) if trial]
    marked = [curves[name] for name in names if name in curves]
    if not marked:
        return None
    others = [curves[trial.name] for trial in view.ranked if trial.name in curves]
    behind = [curve for curve in others if curve not in marked][:_FAINT]
    role = "advised" if view.study.advice.ship == names[0] else "highest"
    legend = [
        element("li", swatch(place), f" {kind}: {curve.trial}")
        for place, (kind, curve) in enumerate(zip((role, "runner-up"), marked, strict=False))
    ]
    if behind:
        legend.append(element("li", f"grey: {plural(len(behind), 'other', 'others')}"))
    return element(
        "figure",
        responsive(lambda width: _drawn(marked, behind, width)),
        element("ul", legend, class_="legend"),
        element("figcaption", other) if (other := _at_other_budgets(view, names[0])) else None,
    )


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
