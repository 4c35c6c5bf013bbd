"""Sentences on a study: facts, choice, exceptions and limits."""

from bench.advice.advice import (
    Advice,
    DensePart,
    Fastest,
    Highest,
    SameText,
    TunedWeights,
)
from bench.advice.limits import Excess, RuledOut
from bench.advice.select import FEWEST_QUERIES
from bench.advice.silence import Silence
from bench.advice.trades import Trade
from bench.advice.wording.phrases import (
    amount_text,
    capitalised,
    cost_label,
    language_label,
    level_phrase,
    measure_label,
    short_number,
    tuned_score_text,
    vectors_text,
)
from bench.advice.wording.prior import prior_sentences
from bench.advice.wording.recommendation import (
    Labels,
    recommendation_statements,
    recommendation_warnings,
)
from bench.printable import plural
from bench.results import Exceptional, Statement
from bench.settings.study import USUAL_BUDGET

_SHOWN = 3
_LIMITS = {
    "latency_p95_ms": ("p95 latency", "ms"),
    "index_seconds": ("index", "s"),
    "peak_memory_bytes": ("memory", "MB"),
    "avg_shown_tokens_at_10": ("text of 10 hits", "tokens"),
}
_REPORTED_ON = {
    "all": " The numbers above include the queries that chose.",
    "tune": " The numbers above are of the queries that chose.",
    "report": "",
}


def sentences(advice: Advice) -> tuple[str, ...]:
    """Return all sentences about a study, in reading order."""
    return (
        _highest(advice),
        *map(_tuned, advice.tuned),
        *([_fastest(advice.fastest)] if advice.fastest else []),
        *_disturbed(advice),
        *_ruled_out(advice),
        *_silences(advice),
        *([_same_text(advice.same_text)] if advice.same_text else []),
        *(one.text for one in statements(advice)),
        *prior_sentences(advice),
        *_for_a_budget(advice),
        *(_trade(one, advice) for one in advice.trades),
        *_untested(advice),
        *([_dense_part(advice.dense_part)] if advice.dense_part else []),
        *_own_choices(advice),
        *map(_exception, advice.exceptions),
        *(f"Note: {warning}" for warning in warnings(advice)),
    )


def statements(advice: Advice) -> tuple[Statement, ...]:
    """Return the results of the tests, the choice first; empty without a test."""
    return recommendation_statements(advice.tested, _labels(advice)) if advice.tested else ()


def warnings(advice: Advice) -> tuple[str, ...]:
    """Return the limits of the statements."""
    return recommendation_warnings(advice.tested, _labels(advice)) if advice.tested else ()


def limits_text(ruled_out: RuledOut) -> str:
    """Return the limits that a trial exceeds, with its values."""
    return ", ".join(map(_excess, ruled_out.excesses))


def choice_role(advice: Advice) -> str:
    """Return the role of the trial for the next run: advised, or why it was chosen otherwise."""
    if advice.next_run == advice.ship:
        return "advised"
    if advice.prior and advice.next_run == advice.prior.trial:
        return "the most likely best, by your queries and other repositories"
    if advice.ruled_out and len(advice.allowed) == 1:
        return "the only one within the limits"
    return "the highest, but not shown to be the best"


def _labels(advice: Advice) -> Labels:
    column = advice.settings.measure
    measure = f"{measure_label(column)}{level_phrase(column, advice.level)}"
    return Labels(measure, cost_label(advice.settings.cost))


def _highest(advice: Advice) -> str:
    column = advice.settings.measure
    measure, level = measure_label(column), level_phrase(column, advice.level)
    if advice.highest is None:
        return (
            f"No trial has a number for {measure}." if advice.trials else "No trial has a result."
        )
    highest, where = advice.highest, _where(advice.highest, advice)
    if advice.trials == 1:
        return capitalised(f"{measure} is {highest.score:.4f}{level}, {where}.")
    level_with = f" (level with {', '.join(highest.level_with)})" if highest.level_with else ""
    return f"Highest: {highest.trial}{level_with} ({measure} {highest.score:.4f}{level}, {where})."


def _disturbed(advice: Advice) -> list[str]:
    """Return a sentence on the latencies that the advice ignores, if any."""
    if not advice.disturbed:
        return []
    remedy = "Run the study again on a quiet machine: only these latencies are measured again."
    if advice.disturbed < advice.timed:
        count = f"{advice.disturbed} of {advice.timed} latencies"
        why = "measured while the machine was busy. The advice does not use them."
        return [f"Marked with ~: {count}, {why} {remedy}"]
    is_price = advice.settings.cost.startswith("latency")
    unused = "compares no costs" if is_price else "uses none of them"
    why = "Latency was measured while the machine was busy"
    return [f"{why}, for every trial: the advice {unused}. {remedy}"]


def _where(highest: Highest, advice: Advice) -> str:
    queries = plural(highest.queries, "query", "queries")
    if not highest.of_shared:
        repositories = plural(highest.repositories, "repository", "repositories")
        return f"over {queries} of {repositories}"
    if advice.settings.is_of_answers:
        return f"over the {queries} with this measure in all trials"
    return f"over the {queries} without a failure in any trial"


def _tuned(tuned: TunedWeights) -> str:
    tuning = tuned.tuning
    weights = ", ".join(f"{name} {weight:.4g}" for name, weight in tuning.chosen.items())
    queries = plural(tuning.queries, "query", "queries")
    worth = f"in-sample {tuning.in_sample:.2f} on one query"
    if tuning.worth:
        worth = tuned_score_text(tuning.worth)
    before = f" Chosen on fused rankings, before {' and '.join(tuning.chosen_before)}."
    return (
        f"Weights of {tuned.trial}: {weights} ({tuning.override}), the best of"
        f" {tuning.weightings:,} on {queries} of the tune half;"
        f" {measure_label(tuning.objective)} {worth}."
        f"{before if tuning.chosen_before else ''}{_REPORTED_ON[tuned.half]}"
    )


def _fastest(fastest: Fastest) -> str:
    p95 = "" if fastest.p95_ms is None else f", {fastest.p95_ms:.1f} ms p95"
    return f"Fastest: {fastest.trial} ({fastest.median_ms:.1f} ms median{p95} per query)."


def _ruled_out(advice: Advice) -> list[str]:
    if not advice.ruled_out:
        return []
    shown = "; ".join(f"{one.trial} ({limits_text(one)})" for one in advice.ruled_out[:_SHOWN])
    more = len(advice.ruled_out) - _SHOWN
    rest = f"; and {more} more" if more > 0 else ""
    left = "" if advice.allowed else " No trial is within the limits."
    if len(advice.allowed) == 1:
        left = f" Only {advice.allowed[0]} is within the limits."
    return [f"Ruled out: {shown}{rest}.{left}"]


def _silences(advice: Advice) -> list[str]:
    measure = measure_label(advice.settings.measure)
    said = [_silence(one, measure) for one in advice.silences[:_SHOWN]]
    more = len(advice.silences) - _SHOWN
    rest = f"Note: {plural(more, 'other trial answers', 'other trials answer')} nothing somewhere."
    return [*said, rest] if more > 0 else said


def _silence(one: Silence, measure: str) -> str:
    others = f" (and {plural(one.others, 'other trial', 'other trials')})" if one.others else ""
    begun = f"Note: {one.trial}{others} answers nothing"
    if one.empty == one.queries:
        return f"{begun} at all."
    places = (*map(language_label, one.languages), *one.repositories)
    named = ", ".join(places[:_SHOWN])
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    count = f"{begun} in {named}{more}: {one.empty} of {plural(one.queries, 'query', 'queries')}."
    if one.rival is None:
        return count
    how = "leads" if one.lead >= 0 else "is behind"
    return f"{count} On the rest it {how} {one.rival} by {abs(one.lead):.3f} {measure}."


def _excess(excess: Excess) -> str:
    name, unit = _LIMITS[excess.column]
    if excess.value is None:
        return f"{name} was not measured"
    return (
        f"{name} {short_number(excess.value)} {unit} is above {short_number(excess.most)} {unit}"
    )


def _dense_part(found: DensePart) -> str:
    return (
        f"Vectors of {found.trial}: {vectors_text(found.windows, found.long_text)}"
        f" (embedder.windows={found.windows}, embedder.long_text={found.long_text})."
    )


def _same_text(found: SameText) -> str:
    return (
        f"With the same amount of text the ranking changes: at {USUAL_BUDGET:,} tokens"
        f" {found.trial} shows {found.coverage:.1%} of the right text"
        f" and {found.highest} {found.coverage_of_highest:.1%}."
    )


_TRADES = {
    "much cheaper": "Or {trial}, for a fraction of the cost",
    "cheapest": "Or {trial}, the cheapest that may be the best",
    "highest": "The highest is {trial}",
}


def _trade(trade: Trade, advice: Advice) -> str:
    who = _TRADES[trade.role].format(trial=trade.trial)
    cost = cost_label(advice.settings.cost)
    times = "times" if trade.cost > trade.cost_of_advised else "times less"
    prices = f"{short_number(trade.cost)} against {short_number(trade.cost_of_advised)}"
    return (
        f"{who}: {trade.difference:+.3f} [{trade.low:+.3f}, {trade.high:+.3f}] against"
        f" {trade.advised}; {cost}: {prices} ({short_number(trade.ratio)} {times})."
    )


def _for_a_budget(advice: Advice) -> list[str]:
    """Return why the advice is for an amount of text, and the choices for other amounts."""
    if not advice.budgets or advice.least_shown is None or advice.most_shown is None:
        return []
    headline = next(one for one in advice.budgets if one.tokens == advice.settings.budget)
    others = [amount_text(one) for one in advice.budgets if one.trial != headline.trial]
    said = f" The choice for {' and '.join(others)} is a different one." if others else ""
    text = (
        f"This is for {amount_text(headline)}: ten hits show {advice.least_shown:,.0f} to"
        f" {advice.most_shown:,.0f} tokens, so scores at ten hits are not comparable.{said}"
    )
    return [text]


def _untested(advice: Advice) -> list[str]:
    if advice.tested or len(advice.allowed) < 2:  # noqa: PLR2004 - one has no rival
        return []
    return [f"No test was run: a test needs {FEWEST_QUERIES} or more judged queries."]


def _own_choices(advice: Advice) -> list[str]:
    """Return whether one configuration for all repositories is enough."""
    own = advice.own_choices
    if own is None or own.gain.interval is None:
        return []
    low, high = own.gain.interval.low, own.gain.interval.high
    verdict = "is worth it" if low > 0 else "is not shown to be worth it"
    text = (
        f"A separate configuration for each repository {verdict}: chosen on part of its queries,"
        f" it scores {own.gain.value:+.3f} [{low:+.3f}, {high:+.3f}] on the rest, against one"
        " configuration for all."
    )
    return [text]


def _exception(found: Exceptional) -> str:
    return (
        f"Exception: on {found.repository}, {found.trial} is better by {found.difference:.3f}"
        f" (interval {found.low:+.3f} to {found.high:+.3f}, corrected for all trials and"
        " repositories)."
    )
