"""Sentences on the verdict on a change against its baseline."""

from collections.abc import Sequence

from bench.advice.wording.phrases import caveat_text, p_text
from bench.analysis import (
    Difference,
    Forecast,
    GateState,
    GateTest,
    LoneQueries,
    NoChange,
    RepositoryDrop,
)


def gate_sentences(test: GateTest) -> tuple[str, ...]:
    """Return the reasons for a gate's state, without the state itself."""
    drops = _drops(test.drops)
    if test.overall is None:
        lone = (one for one in test.caveats if isinstance(one, LoneQueries))
        return (*drops, *(f"No overall test: {caveat_text(one)}." for one in lone))
    return (
        _overall(test, test.overall),
        *drops,
        *_forecast(test.forecast, test.margin),
        *map(caveat_text, test.caveats),
    )


def _overall(test: GateTest, overall: Difference) -> str:
    unchanged = next((note for note in overall.notes if isinstance(note, NoChange)), None)
    if unchanged:
        return f"{caveat_text(unchanged)}."
    change = f"the overall change is {overall.value:+.3f}"
    bound = f"at least {test.lower_bound:+.3f} with 95 % confidence, on these repositories"
    if test.state is GateState.PASS:
        return f"{change} ({bound}; allowed: {-test.margin:+.3f})."
    if test.state is GateState.INCONCLUSIVE:
        return f"{change} ({bound}); a drop of {test.margin:.3f} is not ruled out."
    if test.overall_fails:
        return f"{change} (one-sided {p_text(overall.p_worse)}, {bound})."
    return f"single repositories got worse; {change} ({bound})."


def _drops(drops: Sequence[RepositoryDrop]) -> list[str]:
    return [
        f"{drop.repository}: {drop.value:+.3f} (one-sided {p_text(drop.p_worse)}, corrected for"
        f" all repositories){'; waived' if drop.waived else ''}."
        for drop in drops
    ]


def _forecast(forecast: Forecast | None, margin: float) -> list[str]:
    if forecast is None:
        return []
    if forecast.treat_as_tied:
        return [f"A decision would need more than 20 times the queries: tied within {margin:g}."]
    chances = ", ".join(
        f"{100 * chance:.0f} % with {factor} times as many" for factor, chance in forecast.chances
    )
    return [f"Chance of a decision with more queries (a forecast): {chances}."]
