"""The advice on a terminal: a few labelled lines, with ranks for when space is short.

The sentences of `study` are complete. These lines say what to ship, how certain that is, what it
costs and what would make it more certain. Each fact has one line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.advice.advice import Advice, Fastest
from bench.advice.generated_trust import MEASURED, WIDENED
from bench.advice.limits import RuledOut
from bench.advice.select import FEWEST_QUERIES
from bench.advice.silence import Silence
from bench.advice.trades import Trade, is_much_faster
from bench.advice.wording.phrases import (
    bound_text,
    caveat_text,
    cost_label,
    language_label,
    measure_label,
    percent,
    score_text,
    seconds_text,
    short_number,
)
from bench.advice.wording.study import limits_text
from bench.analysis import Forecast, LoneQueries, Recommendation, WinnerKind
from bench.printable import plural
from bench.results import BudgetAdvice, Exceptional, TrialResult

_NONE_WITHIN = "no trial is within the limits"
_PLAIN = 100
"""From this value on, milliseconds are shown without decimals."""
_NAME = 48
"""Maximal length of trial names in the lines after the first."""
_BUSY = "measured while the machine was busy"


@dataclass(frozen=True)
class Line:
    """A line with a label. If space is short, lines with the highest ranks are omitted."""

    label: str
    text: str
    rank: int = 0
    is_whole: bool = False
    """Whether the text is meant to be copied, like paths and commands.

    Such text is never wrapped or cut, and its line breaks are kept.
    """


def ending_lines(advice: Advice, trial: TrialResult | None) -> tuple[Line, ...]:
    """Return the lines on a study; `trial` is the one for the next run, with its costs."""
    if advice.trials == 0:
        return (Line("Ship", "nothing: no trial has a result"),)
    if advice.trials == 1:
        return (*_score(advice), *_ruled_out(advice), *_cost(advice, trial), *_silence(advice))
    return (
        _ship(advice, trial),
        *_other_budgets(advice),
        *_ruled_out(advice),
        *_silence(advice),
        *_sure(advice),
        *_others(advice),
        *trust_lines(advice),
        *_to_decide(advice),
        *_cost(advice, trial),
        *(_trade(one, advice.settings.cost) for one in advice.trades[:1]),
        *_elsewhere(advice),
        *map(_exception, advice.exceptions[:1]),
    )


def _score(advice: Advice) -> list[Line]:
    if advice.highest is not None:
        return []  # the table has it
    return [Line("Score", f"no number for {measure_label(advice.settings.measure)}")]


def _ship(advice: Advice, trial: TrialResult | None) -> Line:
    """Return the trial to ship, or the highest if undecided."""
    name = advice.next_run
    if name is None:
        column = measure_label(advice.settings.measure)
        why = f"no trial has a number for {column}" if advice.allowed else _NONE_WITHIN
        return Line("Ship", f"nothing: {why}")
    only = advice.ruled_out and len(advice.allowed) == 1
    is_decided = name == advice.ship or bool(only)
    said = [_score_of(name, advice, trial), "the only one within the limits" if only else ""]
    remarks = "; ".join(one for one in said if one)
    amount = f" at {advice.settings.budget:,} tokens" if advice.budgets else ""
    told = f"{name}{amount}{f' ({remarks})' if remarks else ''}"
    return Line(_label(advice, is_decided=is_decided), told)


def _label(advice: Advice, *, is_decided: bool) -> str:
    """Return the label of a choice. With other repositories it need not be the highest."""
    if is_decided:
        return "Ship"
    return "Likely" if advice.prior else "Highest"


def _score_of(name: str, advice: Advice, trial: TrialResult | None) -> str:
    """Return the score of the trial for the next run, or "" if unknown."""
    column = advice.settings.measure
    for one in advice.budgets:
        if one.tokens == advice.settings.budget and one.trial == name:
            return f"coverage {one.coverage:.3f}"
    if advice.tested and advice.tested.best == name:
        return score_text(column, advice.tested.best_score)
    if advice.highest and advice.highest.trial == name:
        return score_text(column, advice.highest.score)
    score = trial.mean(column) if trial is not None else None
    return "" if score is None else score_text(column, score)


def _other_budgets(advice: Advice) -> list[Line]:
    """Return a line for each configuration that is the choice at other budgets.

    "The same" comes directly below the trial that it refers to.
    """
    choices: dict[tuple[str, bool], list[BudgetAdvice]] = {}
    others = [one for one in advice.budgets if one.tokens != advice.settings.budget]
    for one in sorted(others, key=lambda one: one.trial != advice.next_run):
        choices.setdefault((one.trial, one.decided), []).append(one)
    return [
        Line(_label(advice, is_decided=is_decided), _at_budgets(each, advice), rank=2)
        for (_, is_decided), each in choices.items()
    ]


def _at_budgets(choices: Sequence[BudgetAdvice], advice: Advice) -> str:
    """Return a configuration with the budgets at which it is the choice."""
    tokens = [f"{one.tokens:,}" for one in choices if one.tokens is not None]
    amounts = [f"{_listed(tokens)} tokens"] if tokens else []
    amounts += ["ten hits"] if any(one.tokens is None for one in choices) else []
    return f"{_shown(choices[0].trial, advice)} at {' and '.join(amounts)}"


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _shown(name: str, advice: Advice) -> str:
    if name == advice.next_run:
        return "the same"
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def _others(advice: Advice) -> list[Line]:
    """Return the comparison of the choice with the advice of other repositories."""
    prior = advice.prior
    if prior is None:
        return []
    others = f"on {prior.repositories} other repositories"
    elsewhere = _shown(prior.elsewhere, advice)
    same = f"the same choice {others}"
    if prior.elsewhere != prior.trial:
        same = f"within {advice.settings.margin:g} of the choice {others}, {elsewhere}"
    yours = f"your {plural(prior.own_queries, 'query', 'queries')}"
    confirms = "confirms" if prior.own_queries == 1 else "confirm"
    does = "does" if prior.own_queries == 1 else "do"
    told = {
        "confirmed here": f"{same}; {yours} {confirms} it",
        "not contradicted here": f"{same}; {yours} {does} not contradict it",
        "overruled here": f"the choice {others} is {elsewhere}; {yours} overruled it",
        "not asked here": f"the choice {others}",
        "not known elsewhere": f"never measured {others}; the choice there is {elsewhere}",
    }
    # If own queries do not decide, only this line explains why the trial is shipped.
    return [Line("Elsewhere", told[prior.standing], rank=1)]


def trust_lines(advice: Advice) -> list[Line]:
    """Return lines about the reliability of generated questions; never omitted from an ending."""
    made = advice.generated
    if made is None:
        return []
    count = f"{made.count} of {made.asked} questions"
    if advice.abstains:
        return [Line("Not used", f"{count} were generated; where answers are lines, they mislead")]
    if made.uncalibrated:
        count += f" ({made.uncalibrated} from history, not calibrated)"
    if made.wider:
        count += f" ({made.wider} by wider rules)"
    return [Line("Trust", f"{count} were generated; {_trusted(advice)}")]


def _trusted(advice: Advice) -> str:
    """Return the measured quality of such advice, as judged by people's questions."""
    is_wider = advice.generated is not None and advice.generated.wider > 0
    found = (WIDENED if is_wider else MEASURED).get(advice.settings.measure)
    if found is None:
        return "they choose no better than what is best elsewhere"
    below = found.alone if advice.prior is None else found.advised
    return (
        f"on {found.repositories} repositories, advice with them was {below:.3f} below the best,"
        f" and {found.floor:.3f} without them"
    )


def _sure(advice: Advice) -> list[Line]:
    found = advice.tested
    if advice.abstains:
        return []
    if found is None:
        few = len(advice.allowed) > 1
        return [Line("How sure", "not tested: there are too few queries", rank=1)] if few else []
    return [Line("How sure", _certainty(found, is_alone=advice.prior is None), rank=1)]


def _certainty(found: Recommendation, *, is_alone: bool) -> str:
    """Return the certainty of a choice by own queries.

    `is_alone` means that the results on other repositories are not used.
    """
    lone = next((one for one in found.caveats if isinstance(one, LoneQueries)), None)
    if not found.against_best:
        if lone is not None:
            return f"not tested: {caveat_text(lone)}"
        return f"all {found.trials} trials have the same score on every query"
    share = percent(found.objective.confidence)
    sure = f"{share} confidence"
    if found.cheapest is not None and found.cheapest_regret is not None:
        return f"no other trial is more than {bound_text(found.cheapest_regret)} better ({sure})"
    bound = bound_text(found.regret_bound or 0.0)
    if found.winner_kind is WinnerKind.PROBABLE:
        chance = f"{100 * (found.chance_best or 0.0):.0f} %"
        return f"the best in {chance} of resamples; another may be up to {bound} better"
    if found.winner is not None:
        return f"no other trial is more than {bound} better ({sure})"
    count = f"{len(found.may_be_best)} of {found.trials} trials may be the best"
    # With a prior, the lines above may ship a trial that own queries leave undecided.
    undecided = "not decided" if is_alone else "undecided here"
    return f"{undecided}: {count}; another may be up to {bound} better ({share})"


def _to_decide(advice: Advice) -> Iterator[Line]:
    """Yield advice for more certainty: more queries, or else more repositories."""
    found = advice.tested
    if found is None:
        if len(advice.allowed) > 1:
            yield Line("To decide", f"use {FEWEST_QUERIES} or more judged queries", rank=1)
        return
    rank = 1 if advice.prior is None else 2
    if not found.decided and found.forecast is not None:
        yield Line("To decide", _forecast(found.forecast, "the queries"), rank)
    elif len(found.repositories) == 1:
        yield Line("To decide", "add repositories: one says nothing about others", rank)
    elif found.elsewhere and found.elsewhere.regret_bound >= found.objective.margin:
        told = _forecast(found.elsewhere.forecast, "as many")
        yield Line("To decide", f"for repositories like these: {told}", rank)


def _forecast(forecast: Forecast, units: str) -> str:
    if forecast.treat_as_tied:
        return f"over 20 times {units}; treat the trials that may be the best as tied"
    (first, chance), *others = forecast.chances[-2:]
    rest = "".join(f", {100 * more:.0f} % with {factor} times" for factor, more in others)
    return f"{100 * chance:.0f} % chance with {first} times {units}{rest}"


def _cost(advice: Advice, trial: TrialResult | None) -> list[Line]:
    if trial is None:
        return []
    median, seconds = (trial.summary.get(name) for name in ("latency_p50_ms", "index_seconds"))
    is_busy = _is_busy(trial)
    busy = f", {_BUSY}" * is_busy
    parts = ["latency was not measured" if median is None else f"{_ms(median)} a query{busy}"]
    if faster := _faster(advice, None if is_busy else median):
        parts.append(f"{faster.trial} may be as good at {_ms(faster.median_ms)}")
    elif seconds is not None:
        parts.append(f"{seconds_text(seconds)} to index")
    return [Line("Cost", "; ".join(parts), rank=1)]


def explains_mark(trial: TrialResult | None) -> bool:
    """Return whether the line of costs mentions that the machine was busy."""
    return trial is not None and _is_busy(trial)


def _is_busy(trial: TrialResult) -> bool:
    return trial.is_disturbed("latency_p50_ms")


def _faster(advice: Advice, median: float | None) -> Fastest | None:
    """Return the fastest trial if nothing is decided, it may be the best and it is much faster."""
    found, fastest = advice.tested, advice.fastest
    if found is None or found.decided or fastest is None:
        return None
    is_much = is_much_faster(fastest.median_ms, median)
    return fastest if is_much and fastest.trial in found.may_be_best else None


def _ms(value: float) -> str:
    return f"{short_number(value) if value >= _PLAIN else f'{value:.1f}'} ms"


def _trade(trade: Trade, column: str) -> Line:
    cost = "the latency" if column.startswith("latency") else cost_label(column)
    times = f"{short_number(trade.ratio)} times {cost}"
    if trade.cost < trade.cost_of_advised:
        times = f"1/{short_number(trade.ratio)} of {cost}"
    text = f"{trade.trial}: {trade.difference:+.3f} [{trade.low:+.3f}, {trade.high:+.3f}]"
    return Line("Or", f"{text} at {times}", rank=3)


def _elsewhere(advice: Advice) -> list[Line]:
    found = advice.tested
    if found is None or found.elsewhere is None:
        return []
    count = len(found.elsewhere.may_be_best)
    bound = bound_text(found.elsewhere.regret_bound)
    said = f"{count} of {found.trials} trials may be the best; another may be"
    if count == 1:
        said = "another trial is"
    text = f"on repositories like these, {said} up to {bound} better"
    return [Line("Generally", text, rank=4)]


def _ruled_out(advice: Advice) -> list[Line]:
    if not advice.ruled_out:
        return []
    first: RuledOut = advice.ruled_out[0]
    more = len(advice.ruled_out) - 1
    rest = f" and {plural(more, 'other trial', 'other trials')}" if more else ""
    return [Line("Ruled out", f"{first.trial} ({limits_text(first)}){rest}", rank=2)]


def _silence(advice: Advice) -> list[Line]:
    """Return the queries for which the trial for the next run has no hits."""
    found = next((one for one in advice.silences if one.trial == advice.next_run), None)
    return [Line("But", _nothing(found), rank=2)] if found else []


def _nothing(found: Silence) -> str:
    places = (*map(language_label, found.languages), *found.repositories)
    where = f"in {', '.join(places[:3])}" if found.empty < found.queries else "at all"
    return f"it answers nothing {where} ({found.empty} of {found.queries} queries)"


def _exception(found: Exceptional) -> Line:
    text = f"on {found.repository}, {found.trial} is better by {found.difference:.3f}"
    return Line("Except", text, rank=4)
