"""First screen of the report: the recommendation, a chart, four cards and the worst questions."""

from collections.abc import Iterator

from bench.advice import (
    configuration_text,
    is_much_faster,
    language_label,
    plural,
    score_text,
    seconds_text,
)
from bench.report.html.comparison import Part
from bench.report.html.coverage_chart import coverage_chart
from bench.report.html.elements import Markup, element, section
from bench.report.insights import Insights
from bench.report.study_view import StudyView
from bench.report.worst import expected_of, found_of, worst_queries
from bench.results import PriorChoice, TrialResult

_MAIN = ("retriever", "chunk", "embedder", "reranker")
_WORDS = {
    "retriever": "retriever",
    "chunk": "chunk size",
    "embedder": "embedding model",
    "reranker": "reranker",
}
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
    overview = [coverage_chart(view, found), element("div", *_cards(view, trial), class_="cards")]
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
    what, others = _named(view, trial), view.by_others
    score = f"{_share(view, trial)}{_in_time(trial)}."
    if len(view.done) == 1:
        return f"Only one configuration was measured: {what}.", f"It {score}"
    if not view.allowed:
        return "No configuration is within the limits.", f"The highest, {what}, {score}"
    if view.role == "advised":
        return f"Use {what}.", f"It {score}{f' {_evidence(others)}' if others else ''}"
    if len(view.allowed) == 1:
        return f"Use {what}.", f"It is the only configuration within the limits. It {score}"
    lead = f"The questions do not decide between {len(view.allowed)} configurations."
    if others:
        taught = f"{others.repositories} other repositories"
        return lead, f"With what {taught} taught, take {what}: it {score}"
    return lead, f"The highest, {what}, {score}"


def _evidence(others: PriorChoice) -> str:
    """Return the evidence of a choice that the study's own questions do not decide."""
    if others.standing == "not asked here":
        where = f"on {others.repositories} other repositories"
        return f"It is the choice {where}; the generated questions are not used."
    where = f"{others.repositories} other repositories"
    return f"These questions and {where} decide together; the questions alone do not."


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
    return seconds_text(seconds)


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
        said.append(f"The {view.rank_of(other)}, {_named(view, other)}: {shown(its)}.")
    return (shown(value), *said)


def _speed(view: StudyView, trial: TrialResult) -> tuple[str, ...]:
    median, slow, index = (
        trial.summary.get(name) for name in ("latency_p50_ms", "latency_p95_ms", "index_seconds")
    )
    made = [] if index is None else [f"The index takes {_long_time(index)} to make."]
    if median is None:
        return ("Not measured", *made)
    most = "" if slow is None else f"{_time(slow)}{' or less' if slow >= 1 else ''}"
    tail = f"; 19 of 20 take {most}" if most else ""
    typical = f"for a typical search{tail}."
    if trial.is_disturbed("latency_p50_ms"):
        busy = "It was measured while the machine was busy."
        return (_time_figure(median), typical, busy)
    return (_time_figure(median), typical, *(_faster(view, median) or made))


def _faster(view: StudyView, median: float) -> list[str]:
    """Return a note on a much faster trial that may be as good, if no trial is advised."""
    advice = view.study.advice
    fastest = next((trial for trial in view.done if trial.name == advice.fastest), None)
    is_decided = advice.ship and not view.by_others
    if is_decided or advice.tested is None or fastest is None:
        return []
    its = fastest.summary.get("latency_p50_ms")
    is_rival = fastest.name in advice.tested.may_be_best
    if its is None or not is_rival or not is_much_faster(its, median):
        return []
    if _time(its) == _time(median):
        return []
    named = _named(view, fastest)
    return [f"{named[:1].upper()}{named[1:]} may be as good, and takes {_time(its)}."]


def _certainty(view: StudyView) -> tuple[str, ...]:
    tested, count, others = view.study.advice.tested, len(view.done), view.by_others
    if count == 1:
        return ("Not compared", "There is one configuration.")
    expected = _expected(others) if others else []
    if others and others.standing == "not asked here":
        return ("Not asked", "The questions were generated and are not used.")
    if tested is None:
        return ("Not decided", "There are too few questions for a test.", *expected)
    evidence = dict(tested.statements[0].evidence) if tested.statements else {}
    bound, where = evidence.get("regret_bound"), _where(view)
    if view.study.advice.ship and not others:
        if bound is None:
            return ("Tied", f"All {count} have the same score on every question, {where}.")
        return ("95 %", f"sure that no other is more than {_points(bound)} better, {where}.")
    said = f"{len(tested.may_be_best)} of {count} may be the best, {where}."
    more = [] if bound is None else [f"Another may be up to {_points(bound)} better."]
    return ("Not decided", said, *more, *expected)


def _expected(others: PriorChoice) -> list[str]:
    """Return the expected lead of the best trial over the choice, by all evidence."""
    if others.regret is None:
        return []
    where = f"With {others.repositories} other repositories"
    return [f"{where}, the best is expected to be {_points(others.regret)} better."]


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
