"""report.md: a study on one page, for pull requests and mail."""

from collections.abc import Iterator, Sequence

from bench.advice import plural, rules_of_thumb, sign_count_text
from bench.analysis import Answer, Effect, Interval
from bench.report.budget_table import HEADINGS, TITLE, budget_rows
from bench.report.insights import Insights
from bench.report.markdown import number, plain, table
from bench.report.study_view import StudyView
from bench.report.worst import expected_of, found_of, worst_queries
from bench.results import TrialResult
from bench.results.columns import disturbed_note, known_columns

_MOST_TRIALS, _MOST_EFFECTS = 20, 20
_LONGEST = 200


def report_markdown(view: StudyView, found: Insights) -> str:
    """Return the recommendation, trials, effects and method as Markdown."""
    parts = [
        f"# Retrieval on {plain(view.study.suite)}",
        *_advice(view),
        *_worst(view),
        *_failures(view),
        *_trials(view, found),
        *_effects(view, found),
        *_account(view),
    ]
    return "\n\n".join(parts) + "\n"


def _advice(view: StudyView) -> Iterator[str]:
    yield "## Recommendation"
    yield "\n".join(f"- {plain(sentence, 600)}" for sentence in view.sentences)
    if view.study.advice.budgets:
        rows = [[plain(cell) for cell in row] for row in budget_rows(view.study.advice.budgets)]
        yield f"## {TITLE}"
        yield table(HEADINGS, rows)


def _worst(view: StudyView) -> Iterator[str]:
    queries = worst_queries(view)
    if queries and view.chosen is not None:
        count = plural(len(queries), "worst question", "worst questions")
        yield f"## The {count} of {plain(view.chosen.name)}"
        yield "\n".join(
            f"- {plain(query.text, _LONGEST)} ({plain(query.repository)}, {plain(query.id)}):"
            f" expected {plain(expected_of(query))}; found {plain(found_of(query))}"
            for query in queries
        )


def _failures(view: StudyView) -> Iterator[str]:
    failed = [trial for trial in view.trials if trial.failed]
    if failed:
        yield "## What failed"
        yield "\n".join(f"- {plain(trial.name)}: {_causes(trial)}" for trial in failed)


def _causes(trial: TrialResult) -> str:
    return "; ".join(plain(f"{one.stage} {one.subject}: {one.cause}") for one in trial.failures)


def _trials(view: StudyView, found: Insights) -> Iterator[str]:
    if not view.ranked:
        return
    first, *others = known_columns(view.columns, view.ranked)
    headings = ["trial", first.heading, "95 % interval", *(one.heading for one in others)]
    rows = [
        [
            _name(trial, view),
            first.text(trial),
            _between(found.intervals.get(trial.name), ".3f"),
            *(column.text(trial) for column in others),
        ]
        for trial in view.ranked[:_MOST_TRIALS]
    ]
    yield "## Trials"
    if view.names.shared:
        yield f"Every trial: {plain(view.names.shared)}"
    yield table(headings, rows)
    left = len(view.ranked) - len(rows)
    more = f" {left} more are in report.html." if left > 0 else ""
    if view.chosen and (ratings := rules_of_thumb(view.chosen.mean)):
        yield f"{plain(view.chosen.name)}: {ratings}"
    level = plain(view.study.level_and_credit)
    note = disturbed_note(view.ranked)
    marked = f" {note}." if note else ""
    yield f"At {level}; intervals hold on these repositories, one by one.{marked}{more}"


def _name(trial: TrialResult, view: StudyView) -> str:
    is_chosen = view.chosen is not None and trial.name == view.chosen.name
    name = plain(view.names.of[trial.name])
    return f"**{name}**" if is_chosen else name


def _between(interval: Interval | None, form: str) -> str:
    if interval is None:
        return "-"
    return f"{format(interval.low, form)} to {format(interval.high, form)}"


def _effects(view: StudyView, found: Insights) -> Iterator[str]:
    if not found.effects:
        return
    yield "## What each axis does"
    yield (
        f"Paired differences in {view.quality}, averaged over trials that are otherwise equal; "
        "intervals at 95 % on these repositories, corrected for all rows."
    )
    yield _effect_table(found.effects[:_MOST_EFFECTS])
    clear = [effect for effect in found.interactions if _is_clear(effect.here)]
    if clear:
        yield "Interactions whose interval excludes 0:"
        yield _effect_table(clear[:_MOST_EFFECTS])


def _effect_table(effects: Sequence[Effect]) -> str:
    rows = [
        [
            plain(effect.name),
            plain(effect.against),
            number(effect.size, "+.4f"),
            _between(effect.here.together if effect.here else None, "+.3f"),
            sign_count_text(effect.signs),
        ]
        for effect in effects
    ]
    return table(["setting", "against", "difference", "95 % interval", "repositories"], rows)


def _is_clear(answer: Answer | None) -> bool:
    interval = answer.together if answer else None
    return interval is not None and (interval.low > 0 or interval.high < 0)


def _account(view: StudyView) -> Iterator[str]:
    study = view.study
    facts = [
        f"study {study.id}, {study.timestamp}",
        f"command: {study.command or '-'}",
        f"commit {study.git_sha or 'not known'}, seed {study.settings.seed}",
        *([view.choice] if view.choice else []),
        *(f"note: {note}" for note in study.notes),
    ]
    yield "## How it was measured"
    yield "\n".join(f"- {plain(fact)}" for fact in facts)
