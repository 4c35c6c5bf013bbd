"""Terminal output at the end of a run: a table and ten lines, or everything with --verbose."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.advice import (
    Advice,
    Line,
    ending_lines,
    explains_mark,
    measure_label,
    plural,
    rules_of_thumb,
    sentences,
)
from bench.measures import OF_ANSWERS
from bench.report.budget_table import HEADINGS, INTERVAL, TITLE, budget_rows
from bench.report.console import open_console, print_line
from bench.report.detail_tables import show_detail
from bench.report.ending import MOST_LINES, only_trial, shortened, show_ending
from bench.results import COLUMNS, Column, LatencyMethod, Refusal, StudyResult, TrialResult
from bench.results.columns import (
    DISTURBED,
    WIDE,
    best_texts,
    can_be_best,
    disturbed_note,
    known_columns,
    objective_first,
    with_asked,
)
from bench.results.engine_rankings import ON_ENGINES
from bench.results.short_names import headed_names, short_names
from bench.results.unjudged import ON_UNJUDGED

_STOPPED = 10
_CAUSE = 110
"""Maximum characters of an error; the report has the full text."""
_WARNING = "warning: "
_LATE = ": budget_minutes="
"""Marks trials that ran out of time. They were not compared, so a reader needs to know."""
_MOST_COLUMNS = 7
"""Maximum number of columns besides the name of the trial."""
_NAME, _FRAME = 30, 3
"""Minimum width of the name column, and width of a column's frame."""


@dataclass(frozen=True)
class Extras:
    """Optional parts of the output."""

    words: bool = False
    """All sentences of the report."""
    queries: bool = False
    """A table of the advised trial's queries."""


_NO_EXTRAS = Extras()


def show_result(
    result: StudyResult,
    said: Advice,
    *,
    where: Sequence[Line] = (),
    columns: Sequence[Column] = COLUMNS,
    console: Console | None = None,
    extras: Extras = _NO_EXTRAS,
) -> None:
    """Print the comparison of all trials and at most ten lines, with `where` at the end."""
    page = console or open_console()
    done = [trial for trial in result.trials if not trial.failed]
    if done:
        print_line(page, _title(result), style="bold")
        if len(done) == 1 and len(done[0].name) > _NAME:  # its column would be cut
            print_line(page, f"trial: {done[0].name}")
        tables = list(_shown_columns(result, done, columns, width=page.width))
        for shown in tables:
            page.print(_table(done, shown, width=page.width))
        if (note := _mark_note(tables, done)) and not explains_mark(next_trial(result, said)):
            print_line(page, f"{note}.")
        for note in result.notes:
            if note.startswith(ON_ENGINES):  # this note is about the numbers in the table
                print_line(page, f"{note}.")
        show_detail(_advised(said, done), page, queries=extras.queries)
    if extras.words:
        _show_everything(result, said, done, page)
    lines = (*_failed(result), *_answered(result, said), *_noted(result))
    advice = ending_lines(said, next_trial(result, said))
    show_ending((*advice, *lines, *where), page, most=None if extras.words else MOST_LINES)


def show_advice(
    result: StudyResult,
    said: Advice,
    *,
    console: Console | None = None,
    is_verbose: bool = False,
) -> None:
    """Print the recommendation without the table."""
    page = console or open_console()
    if is_verbose:
        _show_sentences(said, page)
    advice = (*only_trial(said), *ending_lines(said, next_trial(result, said)))
    show_ending(advice, page, most=None if is_verbose else MOST_LINES)


def _advised(said: Advice, done: Sequence[TrialResult]) -> TrialResult:
    """Return the trial to show in detail: the advised, else the highest, else the first one."""
    highest = said.highest.trial if said.highest else ""
    names = (said.next_run, highest)
    named = (one for name in names for one in done if one.name == name)
    return next(named, done[0])


def next_trial(result: StudyResult, said: Advice) -> TrialResult | None:
    """Return the trial advised for the next run, or None."""
    return next((trial for trial in result.trials if trial.name == said.next_run), None)


def _show_everything(
    result: StudyResult, said: Advice, done: Sequence[TrialResult], page: Console
) -> None:
    if done:
        print_line(page, _caption(result))
    for note in result.notes:
        print_line(page, f"note: {note}")
    for name, cause in _failures(result):
        print_line(page, f"failed: {name}: {cause}")
    for line in _left_out(result):
        print_line(page, line)
    for trial in done:
        if trial.refusal:
            print_line(page, f"Answers of {trial.name}: {_answers(trial, trial.refusal)}.")
    _show_sentences(said, page)
    if ratings := _ratings(done, said):
        page.print(Text(ratings))
    page.print(Text(_plan(result)))
    page.print()


def _show_sentences(said: Advice, page: Console) -> None:
    if said.budgets:
        page.print(_budgets(said, narrow=page.width < WIDE))
    page.print()
    for sentence in sentences(said):
        page.print(Text(sentence))
    page.print()


def _failed(result: StudyResult) -> list[Line]:
    """Return a line on failures with the first error."""
    causes = list(_failures(result))
    if not causes:
        return []
    more = f"; {len(causes) - 1} more in the report" if len(causes) > 1 else ""
    trials = sum(trial.failed for trial in result.trials)
    queries = len({query.key for trial in result.trials for query in trial.failed_queries})
    counts = [plural(trials, "trial", "trials")] if trials else []
    counts += [plural(queries, "query", "queries")] if queries else []
    about = f"{' and '.join(counts)}; " if counts else ""
    trial, cause = causes[0]
    # The name comes last, because a long name would leave no room for the error.
    return [Line("Failed", f"{about}{shortened(cause, _CAUSE)} ({shortened(trial, _NAME)}{more})")]


def _failures(result: StudyResult) -> Iterator[tuple[str, str]]:
    """Yield the errors of stages, queries and latency measurements with their trials."""
    for trial in result.trials:
        for failure in trial.failures:
            yield trial.name, f"{failure.stage} {failure.subject}: {failure.cause}"
        for query in trial.failed_queries:
            yield trial.name, f"query {query.id} of {query.repository}: {query.error}"
        if trial.latency.failed and not trial.failed:
            yield trial.name, f"latency: {trial.latency.failed}"


def _noted(result: StudyResult) -> list[Line]:
    """Return warnings, the first note, and trials that were left out of a search."""
    # A note on unjudged hits comes before all others, because the comparison depends on them.
    others = (note for note in result.notes if not note.startswith(ON_ENGINES))
    notes = sorted(others, key=lambda note: not note.startswith(ON_UNJUDGED))
    warnings = [note for note in notes if note.startswith(_WARNING)]
    lines = [Line("Warning", note.removeprefix(_WARNING), rank=2) for note in warnings]
    left_out = _left_out(result)
    late = [one for one in left_out if _LATE in one]
    lines += [Line("Not run", one, rank=1) for one in late]
    said = [note for note in notes if note not in warnings]
    said += [one for one in left_out if one not in late]
    more = f" (and {len(said) - 1} more in the report)" if len(said) > 1 else ""
    return [*lines, *([Line("Note", f"{said[0]}{more}", rank=3)] if said else [])]


def _answered(result: StudyResult, said: Advice) -> list[Line]:
    trial = next_trial(result, said)
    if trial is None or trial.refusal is None:
        return []
    return [Line("Answers", _answers(trial, trial.refusal), rank=2)]


def _answers(trial: TrialResult, refusal: Refusal) -> str:
    """Return measures of a trial's answers and its refusal threshold."""
    values = ((name, trial.summary.get(f"avg_{name}")) for name in OF_ANSWERS)
    told = (
        f"{name.replace('_', ' ')} {'-' if value is None else format(value, '.2f')}"
        for name, value in values
    )
    refuses = f"refused only without a hit ({refusal.by})"
    if refusal.by == "the model":
        refuses = "refused by the model"
    if refusal.threshold is not None:
        refuses = f"refused below a score of {refusal.threshold:.4f} ({refusal.by})"
    return f"{', '.join(told)}; {refuses}"


def _left_out(result: StudyResult) -> list[str]:
    """Return stopped trials one by one, and the number of other omitted trials by reason."""
    stopped = [one for one in result.left_out if one.behind is not None]
    lines = [str(one) for one in stopped[:_STOPPED]]
    if len(stopped) > _STOPPED:
        lines.append(f"and {len(stopped) - _STOPPED} more were stopped (results.json: stopped)")
    others = Counter(one.why for one in result.left_out if one.behind is None)
    counted = (f"{plural(count, 'trial', 'trials')} {why}" for why, count in others.items())
    return [*lines, *counted]


def _shown_columns(
    result: StudyResult, done: Sequence[TrialResult], columns: Sequence[Column], *, width: int
) -> Iterator[Sequence[Column]]:
    """Yield the columns of one table, and of more tables if requested columns do not fit."""
    objective = result.settings.advice.measure
    asked = {one: measure_label(one) for one in result.settings.measures}
    ordered = objective_first(objective, measure_label(objective), with_asked(columns, asked))
    left = known_columns(ordered, done)
    while left:
        shown = _fitting(left, done, width)
        yield shown
        left = [one for one in left if one.is_asked and one not in shown]


def _mark_note(tables: Sequence[Sequence[Column]], done: Sequence[TrialResult]) -> str:
    """Return an explanation of the latency mark if any table shows it."""
    cells = (column.text(trial) for shown in tables for column in shown for trial in done)
    return disturbed_note(done) if any(DISTURBED in cell for cell in cells) else ""


def _table(done: Sequence[TrialResult], shown: Sequence[Column], *, width: int) -> Table:
    best = best_texts(shown, done)
    names = headed_names(
        [one.name for one in done], max(_NAME, width - _FRAME - _width(shown, done))
    )
    shared = Text(f"every trial: {names.shared}") if names.shared else None
    table = Table(title=shared, title_justify="left", title_style="")
    table.add_column(names.heading, overflow="fold")
    for column in shown:
        table.add_column(column.heading, justify="right", no_wrap=True)
    for trial in sorted(done, key=lambda one: one.is_bound):
        marked = best if can_be_best(trial) else {}
        cells = [_cell(column.text(trial), marked.get(column.number)) for column in shown]
        table.add_row(Text(names.of[trial.name]), *cells)
    return table


def _title(result: StudyResult) -> str:
    first = next(trial for trial in result.trials if not trial.failed)
    judged = plural(first.summary["judged_queries"], "query", "queries")
    where = plural(len(first.repositories), "repository", "repositories")
    half_of = " of the repositories" if result.half_of == "repositories" else ""
    half = "" if result.half == "all" else f", {result.half} half{half_of}"
    only = f", {result.only}" if result.only else ""
    best = ", * best" if len(result.trials) > 1 else ""
    return f"{result.suite}: {judged} of {where}, {result.level_and_credit}{half}{only}{best}"


def _fitting(
    columns: Sequence[Column], done: Sequence[TrialResult], width: int
) -> Sequence[Column]:
    """Return columns that leave room for names, dropping those for wide terminals first."""
    names = short_names([trial.name for trial in done]).of.values()
    room = width - _FRAME - min(_NAME, max(map(len, names)) + _FRAME)
    kept = [one for one in columns if width >= one.width]
    most = max(_MOST_COLUMNS, 1 + sum(one.is_asked for one in columns))
    while len(kept) > 1 and (len(kept) > most or _width(kept, done) > room):
        kept.remove(max(reversed(kept[1:]), key=lambda one: one.width))
    return kept


def _width(columns: Sequence[Column], done: Sequence[TrialResult]) -> int:
    longest = (
        max(len(column.heading), *(len(column.text(trial)) + 1 for trial in done))
        for column in columns
    )
    return sum(length + _FRAME for length in longest)


def _budgets(said: Advice, *, narrow: bool) -> Table:
    """Return a table of the advised configuration per budget, without intervals if `narrow`."""
    table = Table(title=TITLE)
    shown = [place for place, name in enumerate(HEADINGS) if not (narrow and name == INTERVAL)]
    for place in shown:
        is_name = HEADINGS[place] == "configuration"
        table.add_column(
            HEADINGS[place],
            overflow="fold" if is_name else "ellipsis",
            justify="left" if place in (0, 1) else "right",
            no_wrap=not is_name,
            min_width=20 if is_name else None,
        )
    for row in budget_rows(said.budgets):
        table.add_row(*(Text(row[place]) for place in shown))
    return table


def _cell(shown: str, best: str | None) -> Text:
    return Text(f"{shown}*", style="bold") if shown == best else Text(f"{shown} ")


def _caption(result: StudyResult) -> str:
    first = next(trial for trial in result.trials if not trial.failed)
    judged, negative = first.summary["judged_queries"], first.summary["negative_queries"]
    where = plural(len(first.repositories), "repository", "repositories")
    parts = [f"* best; means over {where}, {plural(judged, 'query', 'queries')}"]
    if negative:
        are = plural(negative, "negative query is", "negative queries are")
        parts.append(f"{are} excluded from the means")
    hows = [trial.latency for trial in result.trials if trial.latency.samples is not None]
    if hows:
        parts.append(_latency(hows))
    return "; ".join(parts) + "."


def _latency(hows: Sequence[LatencyMethod]) -> str:
    """Return the method of the latency measurements; some trials do not search vectors."""
    counts = sorted({how.samples or 0 for how in hows})
    samples = "1 sample" if counts == [1] else f"{counts[0]} samples"
    samples = f"{counts[0]} to {counts[-1]} samples" if len(counts) > 1 else samples
    engines = sorted({str(how.engine) for how in hows} - {"none"})
    engine = f", engine {', '.join(engines)}" if engines else ""
    shares = [how.engine_recall_at_10 for how in hows]
    known = [share for share in shares if share is not None]
    recall = f" (finds {min(known):.1%} of the 10 nearest)" if known else ""
    return f"latency: one query at a time, {samples}, {hows[0].threads} thread{engine}{recall}"


def _ratings(done: Sequence[TrialResult], said: Advice) -> str:
    """Return ratings of the highest trial's means by rules of thumb."""
    highest = said.highest
    trial = next((one for one in done if highest and one.name == highest.trial), None)
    return rules_of_thumb(lambda name: trial.summary.get(f"avg_{name}")) if trial else ""


def _plan(result: StudyResult) -> str:
    plan = result.plan
    text = (
        f"One plan of {plan.distinct} stages: {plan.executed} executed, "
        f"{plan.reused} reused, {plan.failed} failed"
    )
    if len(result.trials) > 1:
        text += (
            f"; {len(result.trials)} separate trials would have been {plan.separate} stages, "
            f"{plan.separate_seconds:.0f} s of work instead of {plan.seconds:.0f} s"
        )
    return text + "."
