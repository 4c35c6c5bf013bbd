"""The advice in words, and all trials in one table."""

from collections.abc import Mapping, Sequence

from bench.advice import plural, rules_of_thumb, tuned_score_text
from bench.analysis import Interval
from bench.reporting.html.elements import Markup, element, section
from bench.reporting.html.tables import Cell, Heading, number, table
from bench.reporting.insights import Insights
from bench.reporting.study_view import StudyView
from bench.results import TrialResult

Part = tuple[str, str, Markup]
Column = tuple[str, str, int, str, str]
COLUMNS: tuple[Column, ...] = (
    ("NDCG@10", "avg_ndcg_at_10", 1, ".4f", "ranking quality of the first 10 hits, 0 to 1"),
    ("MRR@10", "avg_mrr", 1, ".4f", "1 over the rank of the first right hit, mean"),
    ("R@10", "avg_recall_at_10", 1, ".4f", "share of what is right among the first 10 hits"),
    ("P@10", "avg_precision_at_10", 1, ".4f", "share of the first 10 hits that is right"),
    (
        "R@4k tokens",
        "avg_recall_at_4000_tokens",
        1,
        ".4f",
        "share of what is right in 4,000 tokens",
    ),
    ("p50 ms", "latency_p50_ms", -1, ".1f", "median time of a query, alone on its machine"),
    ("p95 ms", "latency_p95_ms", -1, ".1f", "95th percentile of the time of a query"),
    (
        "index s",
        "index_seconds",
        -1,
        ".1f",
        "time of all stages that make the index, also shared ones",
    ),
    ("memory MB", "peak_memory_bytes", -1, ",.0f", "most memory that one stage took"),
)
"""Heading, column, whether high (1) or low (-1) is good, format, meaning."""
_BYTES_IN_MB = 1e6


def columns_of(view: StudyView) -> list[Column]:
    """Return the columns of the table: first the measure that trials are compared by."""
    column = f"avg_{view.objective}"
    meaning = "what trials are compared by"
    first = next((c for c in COLUMNS if c[1] == column), (view.quality, column, 1, ".4f", meaning))
    return [first, *(c for c in COLUMNS if c[1] != column)]


def advice_section(view: StudyView, found: Insights) -> Part:
    """Return the recommendation: what to do first, then the evidence."""
    sentences = view.study.advice.sentences
    lead = _lead(view, sentences)
    notes = [each.removeprefix("Note: ") for each in sentences if each.startswith("Note: ")]
    evidence = [each for each in sentences if each != lead and not each.startswith("Note: ")]
    return (
        "advice",
        "Recommendation",
        section(
            "advice",
            "Recommendation",
            element("p", lead, class_="lead"),
            element(
                "ul", [element("li", each) for each in [*evidence, *_hanging_on(view, found)]]
            ),
            element("h3", "What limits this") if notes else None,
            element("ul", [element("li", note) for note in notes], class_="notes")
            if notes
            else None,
        ),
    )


def _lead(view: StudyView, sentences: Sequence[str]) -> str:
    tested = view.study.advice.tested
    if tested and tested.statements:
        return tested.statements[0].text
    return sentences[0] if sentences else "No trial has a result: there is nothing to recommend."


def _hanging_on(view: StudyView, found: Insights) -> list[str]:
    """Return whether the choice hangs on a single repository."""
    tuned = found.tuned
    if tuned is None or len(tuned.without) < 2:  # noqa: PLR2004 - one cannot be left out
        return []
    other = [(repository, trial) for repository, trial in tuned.without if trial != tuned.chosen]
    said = (
        f"{tuned.chosen} is the highest whichever of the {len(tuned.without)} is left out."
        if not other
        else "The highest would have been another one "
        + ", ".join(f"without {repository}: {trial}" for repository, trial in other)
        + "."
    )
    return [
        f"Leaving out one repository at a time: {said}",
        f"{view.quality} of the highest: {tuned_score_text(tuned)}.",
    ]


def comparison_section(view: StudyView, found: Insights) -> Part | None:
    """Return every trial's numbers, the best of each column marked."""
    if not view.ranked:
        return None
    known = [
        c for c in columns_of(view) if any(t.summary.get(c[1]) is not None for t in view.ranked)
    ]
    best = _best_values(view, known)
    headings = [
        Heading("#", f"place by {view.quality}"),
        Heading("trial", text=True),
        *(Heading(name, meaning) for name, *_, meaning in known),
    ]
    rows = [
        [
            Cell(str(place), place),
            Cell([trial.name, _role(view, trial)], trial.name),
            *_cells(trial, known, best, _interval_of(view, found, trial)),
        ]
        for place, trial in enumerate(view.listed, 1)
    ]
    several = len(rows) > 1
    return (
        "trials",
        "All trials",
        section(
            "trials",
            "All trials",
            element("p", _caption(view), class_="facts"),
            _filter()
            if several
            else element("p", "One trial: there is nothing to compare it with."),
            table("All trials", headings, rows, key="all-trials"),
            _ratings(view.chosen),
        ),
    )


def _ratings(trial: TrialResult | None) -> Markup | None:
    """Return how the means of the advised trial rate by the rules of thumb."""
    said = rules_of_thumb(trial.mean) if trial else ""
    return element("p", f"{trial.name}: {said}", class_="facts") if trial and said else None


def _role(view: StudyView, trial: TrialResult) -> Markup | None:
    """Return what sets a trial apart from those that could be shipped."""
    said = f"ruled out: {view.ruled_out[trial.name]}" if trial.name in view.ruled_out else None
    said = "a bound to compare with, nothing to ship" if trial.is_bound else said
    if view.study.advice.ship == trial.name:
        said = "advised"
    failed = _failed_queries(trial)
    missing = f"{plural(failed, 'failed query is', 'failed queries are')} in no mean"
    told = [each for each in (said, missing if failed else None) if each]
    return element("small", f" {'; '.join(told)}", class_="role") if told else None


def _failed_queries(trial: TrialResult) -> int:
    return int(trial.summary.get("failed_queries") or 0)


def _interval_of(
    view: StudyView, found: Insights, trial: TrialResult
) -> dict[str, Interval | None]:
    return {f"avg_{view.objective}": found.intervals.get(trial.name)}


def _filter() -> Markup:
    field = element("input", type="search", id="filter", placeholder="chunk=512 reranker=on")
    count = element("output", id="filtered", aria_live="polite")
    return element(
        "p", element("label", "Show only trials with ", field), " ", count, class_="controls"
    )


def _cells(
    trial: TrialResult,
    columns: Sequence[Column],
    best: Mapping[str, str | None],
    intervals: Mapping[str, Interval | None],
) -> list[Cell]:
    """Return a trial's numbers; one whose means are of other queries is nowhere the best."""
    can_be_best = not trial.is_bound and not _failed_queries(trial)
    return [
        _cell(trial, column, form, best[column] if can_be_best else None, intervals.get(column))
        for _, column, _, form, _ in columns
    ]


def _cell(
    trial: TrialResult, column: str, form: str, best: str | None, interval: Interval | None
) -> Cell:
    value = trial.summary.get(column)
    if value is None:
        return number(None, form)
    value = value / _BYTES_IN_MB if column.endswith("_bytes") else value
    is_best = format(value, form) == best
    star = element("span", " ★", class_="star", aria_label="best") if is_best else None
    between = None
    if interval is not None:
        between = element("small", f"{interval.low:.3f} to {interval.high:.3f}", class_="interval")
    return Cell(
        [format(value, form), star, between], round(float(value), 6), "best" if is_best else None
    )


def _best_values(view: StudyView, columns: Sequence[Column]) -> dict[str, str | None]:
    """Return the best value of each column as it is shown, of trials on the same queries."""
    whole = [trial for trial in view.ranked if not _failed_queries(trial)]
    return {column[1]: _best(whole, column) for column in columns}


def _best(trials: Sequence[TrialResult], of: Column) -> str | None:
    """Return the best value as it is shown; where all are equal, none is best."""
    _, column, sign, form, _ = of
    values = [value for trial in trials if (value := trial.summary.get(column)) is not None]
    if column.endswith("_bytes"):
        values = [value / _BYTES_IN_MB for value in values]
    shown = {format(value, form) for value in values}
    return format(sign * max(sign * value for value in values), form) if len(shown) > 1 else None


def _caption(view: StudyView) -> str:
    counts = view.ranked[0].summary
    judged = counts.get("judged_queries")
    repositories = len(view.repositories)
    where = f"{repositories} {'repository' if repositories == 1 else 'repositories'}"
    said = [
        f"Means over {where} ({judged} judged queries), {view.study.level} level.",
        f"★ best of its column. Under {view.quality}: its 95 % interval on these repositories.",
    ]
    if view.comparable and len(view.questions) < (judged or 0):
        said.append(
            f"Intervals, plots and tests are of the {len(view.questions)} queries that every "
            "trial has a result for."
        )
    if counts.get("negative_queries"):
        said.append(f"{counts['negative_queries']} negative queries are in no mean.")
    return " ".join(said)
