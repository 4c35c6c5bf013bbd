"""Sentences on the results of the tests: the choice, its certainty, and what is unknown."""

from dataclasses import dataclass

from bench.advice.wording.phrases import (
    bound_text,
    capitalised,
    caveat_text,
    confidence_text,
    listed,
    p_text,
    percent,
    sign_count_text,
)
from bench.analysis import (
    Answer,
    Comparison,
    Forecast,
    LoneQueries,
    Recommendation,
    WinnerKind,
)
from bench.results import Statement

_FEW_REPOSITORIES, _MANY_TRIALS = 9, 24
_LONG_LIST = 6


@dataclass(frozen=True)
class Labels:
    """Names of the measure and the cost."""

    measure: str
    """Measure with cut-off and level: NDCG@10 at span level."""
    cost: str


def recommendation_statements(found: Recommendation, labels: Labels) -> tuple[Statement, ...]:
    """Return the results of the tests, the choice first."""
    if not found.against_best:
        identical = [_identical(found, labels)] if found.may_be_best else []
        return (*identical, _untested(found, labels))
    return (
        *_cheapest(found, labels),
        *_winner(found, labels),
        *_not_decidable(found, labels),
        *_likely(found, labels),
        *_forecast(found),
        *_baseline(found),
        *_elsewhere(found),
        *_ties(found),
    )


def recommendation_warnings(found: Recommendation, labels: Labels) -> tuple[str, ...]:
    """Return the limits of the statements."""
    said = [
        f"No interval: {caveat_text(one)}." if isinstance(one, LoneQueries) else caveat_text(one)
        for one in found.caveats
    ]
    if not found.priced:
        said.append(
            f"No costs are known ({labels.cost}), so the cheapest trial that is not worse cannot"
            " be named."
        )
    looks, confidence = found.objective.looks, found.objective.confidence
    if looks > 1:
        said.append(
            f"These trials were tested {looks} times: the allowed error is divided by {looks}, so"
            f" that each interval has {percent(confidence)} confidence."
        )
    return tuple(said)


def _identical(found: Recommendation, labels: Labels) -> Statement:
    ship = f" Ship {found.cheapest}, the cheapest ({labels.cost})." if found.cheapest else ""
    return Statement(
        f"All {found.trials} trials have the same {labels.measure} on each of"
        f" {found.queries} queries: they are tied.{ship}"
    )


def _untested(found: Recommendation, labels: Labels) -> Statement:
    return Statement(
        f"Highest {labels.measure}: {found.best} ({found.best_score:.3f}) {_where(found)};"
        " no test was run.",
        (("score", found.best_score),),
    )


def _cheapest(found: Recommendation, labels: Labels) -> list[Statement]:
    if found.cheapest is None or found.cheapest_regret is None:
        return []
    return [
        Statement(
            f"Ship {found.cheapest}: no other trial is more than"
            f" {bound_text(found.cheapest_regret)} better in {labels.measure} {_where(found)},"
            f" with {_sure(found)}. No cheaper trial ({labels.cost}) is shown to be within"
            f" {_margin(found)} of the best.",
            (("regret_bound", found.cheapest_regret), ("margin", found.objective.margin)),
        )
    ]


def _winner(found: Recommendation, labels: Labels) -> list[Statement]:
    if found.winner is None or found.regret_bound is None or found.chance_best is None:
        return []
    score = f"{found.winner}, {labels.measure} {found.best_score:.3f} {_where(found)}"
    text = f"Winner within {_margin(found)}: {score}. {_no_better(found, found.regret_bound)}."
    if found.winner_kind is WinnerKind.PROBABLE:
        text = (
            f"Probably the best: {score}. It is the best in {100 * found.chance_best:.0f} % of"
            f" resamples of the queries; in simulations such a pick was within {_margin(found)} of"
            " the true best in 98 %. Without resamples, the bound is that another trial may be up"
            f" to {found.regret_bound:.3f} better ({_sure(found)})."
        )
    evidence = (
        ("score", found.best_score),
        ("regret_bound", found.regret_bound),
        ("chance_best", found.chance_best),
        ("margin", found.objective.margin),
    )
    return [Statement(text, evidence)]


def _not_decidable(found: Recommendation, labels: Labels) -> list[Statement]:
    if found.regret_bound is None or found.decided:
        return []
    count = len(found.may_be_best)
    shortlist = " A shortlist that is named before new queries are run needs fewer of them."
    text = (
        f"Not decidable yet: {count} of {found.trials} trials may be the best in {labels.measure}"
        f" {_where(found)}: {listed(found.may_be_best)}. The highest is {found.best}"
        f" ({found.best_score:.3f}), but another may be up to {found.regret_bound:.3f} better"
        f" ({_sure(found)}), and {_margin(found)} is the margin that matters."
        f"{shortlist if found.trials > _LONG_LIST else ''}"
    )
    evidence = (
        ("may_be_best", count),
        ("score", found.best_score),
        ("regret_bound", found.regret_bound),
        ("margin", found.objective.margin),
    )
    return [Statement(text, evidence)]


def _likely(found: Recommendation, labels: Labels) -> list[Statement]:
    if found.likely is None or found.likely_chance is None:
        return []
    return [
        Statement(
            f"Likely, not guaranteed: {found.likely} is the cheapest ({labels.cost}) that is"
            f" within {_margin(found)} of the best in {100 * found.likely_chance:.0f} % of"
            " resamples.",
            (("chance_within", found.likely_chance), ("margin", found.objective.margin)),
        )
    ]


def _forecast(found: Recommendation) -> list[Statement]:
    if found.forecast is None or found.winner_kind is WinnerKind.WITHIN_MARGIN:
        return []
    if found.decided and found.winner is None:
        return []
    return [_forecast_of(found.forecast, "queries", found)]


def _forecast_of(forecast: Forecast, units: str, found: Recommendation) -> Statement:
    chances = ", ".join(
        f"{100 * chance:.0f} % with {factor} times as many" for factor, chance in forecast.chances
    )
    text = f"Chance that more {units} decide within {_margin(found)}: {chances}."
    if forecast.treat_as_tied:
        text = (
            f"A decision within {_margin(found)} would take more than 20 times the {units}"
            f" (chance: {chances}): treat the trials that may be the best as tied within"
            f" {_margin(found)}."
        )
    evidence = tuple((f"chance_at_{factor}x", chance) for factor, chance in forecast.chances)
    return Statement(text, evidence)


def _baseline(found: Recommendation) -> list[Statement]:
    """Compare the trial to ship, or else the highest, with the baseline."""
    advised = found.cheapest or found.best
    trial = found.best if advised == found.baseline else advised
    return [
        statement
        for one in found.against_baseline
        if one.trial == trial
        for statement in (
            *(_compared(one, answer, found) for answer in (one.here, one.elsewhere) if answer),
            *_further(one),
        )
    ]


def _further(one: Comparison) -> list[Statement]:
    """Return the prediction interval of a single repository, wider than that of the mean."""
    if one.further is None:
        return []
    low, high = one.further.low, one.further.high
    text = (
        f"In one further repository: {one.trial} against {one.against} between {low:+.3f} and"
        f" {high:+.3f} ({percent(one.further.level)} prediction)."
    )
    return [Statement(text, (("low", low), ("high", high)))]


def _compared(one: Comparison, answer: Answer, found: Recommendation) -> Statement:
    alone, together = answer.alone, answer.together
    question = capitalised(alone.question.value)
    who = f"{question}: {one.trial} against {one.against} {alone.value:+.3f}"
    if together is None:
        notes = "; ".join(caveat_text(note).removesuffix(".") for note in alone.notes)
        return Statement(f"{who} ({notes}).", (("difference", alone.value),))
    count = found.trials - 1
    corrected = f", corrected for {count} comparisons" if count > 1 else ""
    return Statement(
        f"{who} ({percent(together.level)} interval {together.low:+.3f} to"
        f" {together.high:+.3f}{corrected}; {p_text(answer.adjusted_p)};"
        f" {sign_count_text(one.signs)} repositories).",
        (
            ("difference", alone.value),
            ("low", together.low),
            ("high", together.high),
            ("adjusted_p", answer.adjusted_p),
        ),
    )


def _elsewhere(found: Recommendation) -> list[Statement]:
    elsewhere = found.elsewhere
    if elsewhere is None:
        return []
    count, total = len(elsewhere.may_be_best), len(found.repositories)
    text = (
        f"On repositories like these (from {total}): {count} of {found.trials} trials may be the"
        f" best; another may be up to {bound_text(elsewhere.regret_bound)} better than"
        f" {found.best} ({_sure(found)})."
    )
    many = found.trials >= _MANY_TRIALS and 2 * count > found.trials
    if many and total <= _FEW_REPOSITORIES:
        text += (
            f" With {found.trials} trials and {total} repositories, hardly any trial can be"
            " excluded; only more repositories change that."
        )
    evidence = (("may_be_best", float(count)), ("regret_bound", elsewhere.regret_bound))
    statement = Statement(text, evidence)
    if elsewhere.regret_bound < found.objective.margin:
        return [statement]
    return [statement, _forecast_of(elsewhere.forecast, "repositories", found)]


def _ties(found: Recommendation) -> list[Statement]:
    return [
        Statement(f"Same score on every query: {listed(group)}; {group[0]} represents them.")
        for group in found.ties
    ]


def _where(found: Recommendation) -> str:
    names = found.repositories
    if len(names) == 1:
        return f"on {names[0]} only ({found.queries} queries)"
    return f"on these {len(names)} repositories ({found.queries} queries)"


def _no_better(found: Recommendation, bound: float) -> str:
    return f"No other trial is more than {bound_text(bound)} better ({_sure(found)})"


def _sure(found: Recommendation) -> str:
    return confidence_text(found.objective.confidence, found.trials - 1)


def _margin(found: Recommendation) -> str:
    return f"{found.objective.margin:g}"
