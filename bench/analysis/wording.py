"""A recommendation in sentences: what, how sure, on what evidence, and what is not known."""

from bench.analysis.comparisons import Comparison
from bench.analysis.differences import Difference, Question
from bench.analysis.matrix import ScoreMatrix
from bench.analysis.more_data import Forecast
from bench.analysis.recommendation import Recommendation, Statement
from bench.analysis.refusals import few_queries, few_repositories, lone_queries, no_generalising
from bench.analysis.selection import WinnerKind
from bench.analysis.student import p_text

_FEW_REPOSITORIES, _MANY_TRIALS = 9, 24
_LISTED = 6


def statements(found: Recommendation, *, priced: bool) -> tuple[Statement, ...]:
    """Return what there is to say, the advice first."""
    if found.trials == 1:
        return (_alone(found),)
    if not found.against_best:
        return (_level(found), *_highest(found)) if found.may_be_best else tuple(_highest(found))
    parts = [
        *_cheapest(found, priced=priced),
        *_winner(found),
        *_not_decidable(found),
        *_likely(found),
        *_forecast(found),
        *_baseline(found),
        *_elsewhere(found),
        *_tied(found),
    ]
    return tuple(parts)


def warnings(found: Recommendation, matrix: ScoreMatrix, *, priced: bool) -> tuple[str, ...]:
    """Return what limits the statements."""
    if found.trials == 1:
        return ()
    lone = lone_queries(matrix)
    said = [f"No interval: {lone}."] if lone else list(few_queries(matrix))
    refusal = no_generalising(matrix)
    said += [f"{_upper(refusal)}."] if refusal else list(few_repositories(matrix))
    if not priced:
        said.append(
            f"No costs are known ({found.objective.cost}), so the cheapest trial that is not worse"
            " cannot be named."
        )
    if found.objective.looks > 1:
        said.append(
            f"Look {found.objective.looks} at these trials: the allowed error is divided by"
            f" {found.objective.looks}, each interval has {_percent(found.objective.confidence)}."
        )
    return tuple(said)


def _alone(found: Recommendation) -> Statement:
    return Statement(
        f"One trial: nothing to compare. {_measure(found)} is {found.best_score:.3f}"
        f" {_where(found)}.",
        (("score", found.best_score),),
    )


def _level(found: Recommendation) -> Statement:
    ship = (
        f" Ship {found.cheapest}, the cheapest in {found.objective.cost}."
        if found.cheapest
        else ""
    )
    return Statement(
        f"All {found.trials} trials have the same {_measure(found)} on every query"
        f" ({found.queries} queries): they are level.{ship}"
    )


def _highest(found: Recommendation) -> list[Statement]:
    return [
        Statement(
            f"Highest {_measure(found)}: {found.best} ({found.best_score:.3f}) {_where(found)};"
            " no test was made.",
            (("score", found.best_score),),
        )
    ]


def _cheapest(found: Recommendation, *, priced: bool) -> list[Statement]:
    if not priced or found.cheapest is None or found.cheapest_regret is None:
        return []
    return [
        Statement(
            f"Ship {found.cheapest}: the cheapest trial ({found.objective.cost}) that is not worse"
            f" than any other by {_margin(found)} or more in {_measure(found)} {_where(found)}."
            f" Another may be better by at most {found.cheapest_regret:.3f}"
            f" ({_sure(found)}, all {found.trials - 1} rivals together).",
            (("regret_bound", found.cheapest_regret), ("margin", found.objective.margin)),
        )
    ]


def _winner(found: Recommendation) -> list[Statement]:
    if found.winner is None or found.regret_bound is None or found.chance_best is None:
        return []
    evidence = (
        ("score", found.best_score),
        ("regret_bound", found.regret_bound),
        ("chance_best", found.chance_best),
        ("margin", found.objective.margin),
    )
    if found.winner_kind is WinnerKind.WITHIN_MARGIN:
        said = (
            f"Winner within {_margin(found)}: {found.winner}, {_measure(found)}"
            f" {found.best_score:.3f} {_where(found)}; another may be better by at most"
            f" {found.regret_bound:.3f} ({_sure(found)}, all rivals together)."
        )
    else:
        said = (
            f"Probable winner: {found.winner}, {_measure(found)} {found.best_score:.3f}"
            f" {_where(found)}. It is the best in {100 * found.chance_best:.0f} % of resamples of"
            f" the queries; in simulations such a pick was within {_margin(found)} of the true"
            f" best in 98 %. The bound that holds in all cases: another may be better by"
            f" {found.regret_bound:.3f} ({_sure(found)})."
        )
    return [Statement(said, evidence)]


def _not_decidable(found: Recommendation) -> list[Statement]:
    if found.regret_bound is None or found.decided:
        return []
    count = len(found.may_be_best)
    return [
        Statement(
            f"Not decidable yet: {count} of {found.trials} trials may be the best in"
            f" {_measure(found)} {_where(found)}: {_listed(found.may_be_best)}. The highest is"
            f" {found.best} ({found.best_score:.3f}), but another may be better by"
            f" {found.regret_bound:.3f} ({_sure(found)}, all rivals together), and"
            f" {_margin(found)} is what matters."
            f"{_shortlist(found)}",
            (
                ("may_be_best", count),
                ("score", found.best_score),
                ("regret_bound", found.regret_bound),
                ("margin", found.objective.margin),
            ),
        )
    ]


def _shortlist(found: Recommendation) -> str:
    if found.trials <= _LISTED:
        return ""
    return " A shortlist that is named before new queries are run needs fewer of them."


def _likely(found: Recommendation) -> list[Statement]:
    if found.likely is None or found.likely_chance is None:
        return []
    chance = f"{100 * found.likely_chance:.0f} %"
    return [
        Statement(
            f"Likely, not guaranteed: {found.likely} is the cheapest ({found.objective.cost}) that"
            f" is within {_margin(found)} of the best in {chance} of resamples.",
            (("chance_within", found.likely_chance), ("margin", found.objective.margin)),
        )
    ]


def _forecast(found: Recommendation) -> list[Statement]:
    if found.forecast is None or found.winner_kind is WinnerKind.WITHIN_MARGIN:
        return []
    if found.decided and found.winner is None:
        return []
    return [_forecast_said(found.forecast, "queries", found)]


def _forecast_said(forecast: Forecast, units: str, found: Recommendation) -> Statement:
    evidence = tuple((f"chance_at_{factor}x", chance) for factor, chance in forecast.chances)
    said = ", ".join(
        f"{factor} times: {100 * chance:.0f} %" for factor, chance in forecast.chances
    )
    if forecast.treat_as_tied:
        said = (
            f"A winner within {_margin(found)} would take more than 20 times the {units}"
            f" ({said}): treat the trials that may be the best as tied within {_margin(found)}."
        )
    else:
        said = f"Chance that a winner within {_margin(found)} is shown with more {units}: {said}."
    return Statement(said, evidence)


def _baseline(found: Recommendation) -> list[Statement]:
    """Compare what is advised, or else the highest, with the baseline."""
    advised = found.cheapest or found.best
    trial = found.best if advised == found.baseline else advised
    compared = [one for one in found.against_baseline if one.trial == trial]
    return [statement for one in compared for statement in _both_questions(one, found)]


def _both_questions(one: Comparison, found: Recommendation) -> list[Statement]:
    said = [_compared(one, one.here.alone, found)]
    if one.elsewhere is not None:
        said.append(_compared(one, one.elsewhere.alone, found))
    return said


def _compared(one: Comparison, alone: Difference, found: Recommendation) -> Statement:
    answer = (
        one.here if alone.question is Question.HERE or one.elsewhere is None else one.elsewhere
    )
    who = f"{_upper(alone.question.value)}: {one.trial} against {one.against} {alone.value:+.3f}"
    if answer.together is None:
        return Statement(f"{who} ({'; '.join(alone.notes)}).", (("difference", alone.value),))
    low, high = answer.together.low, answer.together.high
    count = found.trials - 1
    corrected = f", corrected for {count} comparisons" if count > 1 else ""
    return Statement(
        f"{who} ({_percent(answer.together.level)} interval {low:+.3f} to {high:+.3f}{corrected};"
        f" {p_text(answer.adjusted_p)}; {one.signs} repositories).",
        (
            ("difference", alone.value),
            ("low", low),
            ("high", high),
            ("adjusted_p", answer.adjusted_p),
        ),
    )


def _elsewhere(found: Recommendation) -> list[Statement]:
    if found.elsewhere is None:
        return []
    count, total = len(found.elsewhere.may_be_best), len(found.repositories)
    said = (
        f"On repositories like these (from {total}): {count} of {found.trials} trials may be the"
        f" best; another may be better than {found.best} by {found.elsewhere.regret_bound:.3f}"
        f" ({_sure(found)})."
    )
    many = found.trials >= _MANY_TRIALS and 2 * count > found.trials
    if many and total <= _FEW_REPOSITORIES:
        said += (
            f" With {found.trials} trials and {total} repositories an honest answer is nearly the"
            " whole grid: only more repositories narrow it."
        )
    evidence = (("may_be_best", float(count)), ("regret_bound", found.elsewhere.regret_bound))
    statement = Statement(said, evidence)
    if found.elsewhere.regret_bound < found.objective.margin:
        return [statement]
    return [statement, _forecast_said(found.elsewhere.forecast, "repositories", found)]


def _tied(found: Recommendation) -> list[Statement]:
    return [
        Statement(f"Level on every query: {_listed(group)}; {group[0]} stands for them.")
        for group in found.ties
    ]


def _measure(found: Recommendation) -> str:
    level = found.objective.level
    return f"{found.objective.measure}{f' at {level} level' if level else ''}"


def _where(found: Recommendation) -> str:
    names = found.repositories
    if len(names) == 1:
        return f"on {names[0]} only ({found.queries} queries)"
    return f"on these {len(names)} repositories ({found.queries} queries)"


def _margin(found: Recommendation) -> str:
    return f"{found.objective.margin:g}"


def _sure(found: Recommendation) -> str:
    return f"{_percent(found.objective.confidence)} confidence"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
