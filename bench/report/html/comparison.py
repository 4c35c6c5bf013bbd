"""The recommendation in words, and the table of all trials."""

from collections.abc import Mapping, Sequence

from bench.advice import capitalised, plural, rules_of_thumb, tuned_score_text
from bench.analysis import Interval
from bench.report.budget_table import HEADINGS, TITLE, budget_rows
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.tables import Cell, Heading, number, table
from bench.report.insights import Insights
from bench.report.study_view import StudyView
from bench.results import BudgetAdvice, Column, TrialResult
from bench.results.columns import best_texts, can_be_best, disturbed_note, known_columns

_NOTE = "Note: "
Part = tuple[str, str, Markup]


def advice_section(view: StudyView, found: Insights) -> Part:
    """Return the recommendation, followed by its evidence."""
    lead, *sentences = view.sentences
    notes = [capitalised(each[len(_NOTE) :]) for each in sentences if each.startswith(_NOTE)]
    evidence = [each for each in sentences if not each.startswith(_NOTE)]
    return (
        "advice",
        "Recommendation",
        collapsed(
            "advice",
            "Recommendation",
            element("p", lead, class_="lead"),
            _budgets(view.study.advice.budgets),
            element(
                "ul", [element("li", each) for each in [*evidence, *_hanging_on(view, found)]]
            ),
            element("h3", "What limits this") if notes else None,
            element("ul", [element("li", note) for note in notes], class_="notes")
            if notes
            else None,
        ),
    )


def _budgets(choices: Sequence[BudgetAdvice]) -> Markup | None:
    """Return the advised configuration for each token budget."""
    if not choices:
        return None
    words = {"text", "configuration", "decided"}
    headings = [Heading(name, text=name in words) for name in HEADINGS]
    rows = [
        [
            Cell(text, text if name in words else None)
            for name, text in zip(HEADINGS, row, strict=True)
        ]
        for row in budget_rows(choices)
    ]
    return table(TITLE, headings, rows)


def _hanging_on(view: StudyView, found: Insights) -> list[str]:
    """Return notes on whether the choice depends on a single repository."""
    tuned = found.tuned
    if tuned is None or len(tuned.without) < 2:  # noqa: PLR2004 - one cannot be left out
        return []
    other = [(repository, trial) for repository, trial in tuned.without if trial != tuned.chosen]
    said = (
        f"{tuned.chosen} stays the highest without any one of the {len(tuned.without)}."
        if not other
        else "another trial would have been the highest "
        + ", ".join(f"without {repository}: {trial}" for repository, trial in other)
        + "."
    )
    return [
        f"Leaving out one repository at a time: {said}",
        f"The highest in {view.quality}: {tuned_score_text(tuned)}.",
    ]


def comparison_section(view: StudyView, found: Insights) -> Part | None:
    """Return the numbers of every trial, with the best of each column marked."""
    if not view.ranked:
        return None
    known = known_columns(view.columns, view.ranked)
    best = best_texts(known, view.ranked)
    headings = [
        Heading("#", f"place by {view.quality}"),
        Heading("trial", text=True),
        *(Heading(column.heading, column.meaning) for column in known),
    ]
    rows = [
        [
            Cell(str(place), place),
            Cell([view.names.of[trial.name], _role(view, trial)], trial.name),
            *_cells(trial, known, best, found.intervals.get(trial.name)),
        ]
        for place, trial in enumerate(view.listed, 1)
    ]
    several = len(rows) > 1
    return (
        "trials",
        "All trials",
        collapsed(
            "trials",
            "All trials",
            element("p", _caption(view), class_="facts"),
            _shared(view),
            _filter()
            if several
            else element("p", "One trial: there is nothing to compare it with."),
            table("All trials", headings, rows, key="all-trials"),
            _ratings(view.chosen),
        ),
    )


def _shared(view: StudyView) -> Markup | None:
    """Return the settings that all trials share, which the table omits."""
    shared = view.names.shared
    return element("p", f"Every trial: {shared}", class_="facts") if shared else None


def _ratings(trial: TrialResult | None) -> Markup | None:
    """Return ratings of the advised trial's means by rules of thumb."""
    said = rules_of_thumb(trial.mean) if trial else ""
    return element("p", f"{trial.name}: {said}", class_="facts") if trial and said else None


def _role(view: StudyView, trial: TrialResult) -> Markup | None:
    """Return labels of a trial, such as "advised", "ruled out" or its failed queries."""
    said = f"ruled out: {view.ruled_out[trial.name]}" if trial.name in view.ruled_out else None
    said = "a bound for comparison, not a candidate" if trial.is_bound else said
    if view.study.advice.ship == trial.name:
        said = "advised"
    failed = trial.failed_query_count
    missing = f"{plural(failed, 'failed query is', 'failed queries are')} excluded from the means"
    told = [each for each in (said, missing if failed else None) if each]
    return element("small", f" {'; '.join(told)}", class_="role") if told else None


def _filter() -> Markup:
    field = element("input", type="search", id="filter", placeholder="chunk=512 reranker=on")
    count = element("output", id="filtered", aria_live="polite")
    return element(
        "p", element("label", "Show only trials with ", field), " ", count, class_="controls"
    )


def _cells(
    trial: TrialResult,
    columns: Sequence[Column],
    best: Mapping[str, str],
    interval: Interval | None,
) -> list[Cell]:
    """Return cells for the numbers of a trial; the first is the objective with its interval."""
    marked = best if can_be_best(trial) else {}
    return [
        _cell(column, trial, marked.get(column.number), None if place else interval)
        for place, column in enumerate(columns)
    ]


def _cell(column: Column, trial: TrialResult, best: str | None, interval: Interval | None) -> Cell:
    value, shown = column.value(trial), column.text(trial)
    if value is None:
        return number(None, column.format)
    is_best = shown == best
    star = element("span", " ★", class_="star", aria_label="best") if is_best else None
    between = None
    if interval is not None:
        between = element("small", f"{interval.low:.3f} to {interval.high:.3f}", class_="interval")
    return Cell([shown, star, between], round(float(value), 6), "best" if is_best else None)


def _caption(view: StudyView) -> str:
    counts = view.ranked[0].summary
    judged = counts.get("judged_queries")
    repositories = len(view.repositories)
    where = f"{repositories} {'repository' if repositories == 1 else 'repositories'}"
    said = [
        f"Means over {where} ({judged} judged queries), {view.study.level_and_credit}.",
        f"★ best of its column. Below {view.quality}: its 95 % interval on these repositories.",
    ]
    if view.comparable and len(view.questions) < (judged or 0):
        said.append(
            f"Intervals, plots and tests use the {len(view.questions)} queries that every "
            "trial has a result for."
        )
    if negative := counts.get("negative_queries"):
        are = plural(negative, "negative query is", "negative queries are")
        said.append(f"{are} excluded from the means.")
    if note := disturbed_note(view.ranked):
        said.append(f"{note}.")
    return " ".join(said)
