"""Sentences on other repositories: their choice, the comparison with it, and their queries."""

from bench.advice.advice import Advice
from bench.advice.wording.phrases import capitalised, listed
from bench.printable import plural
from bench.results import PriorChoice

_SMALLEST = 0.001


def prior_sentences(advice: Advice) -> tuple[str, ...]:
    """Return sentences about other repositories; empty if they were not requested."""
    prior = advice.prior
    if prior is None:
        said = f"Note: results on other repositories are not used: {advice.no_prior}."
        return (said,) if advice.no_prior else ()
    return (_standing(prior), _evidence(prior, advice), *_unknown(prior), *_changed(prior))


def _standing(prior: PriorChoice) -> str:
    own, others = _own(prior), f"{prior.repositories} other repositories"
    choice = f"the choice on {others} is {_same(prior)}"
    if prior.standing == "confirmed here":
        return f"Confirmed here: {choice}, and {own} decide for {prior.trial}."
    if prior.standing == "not asked here":
        return f"{capitalised(choice)}; {own} are not used, because they were generated."
    if prior.standing == "not known elsewhere":
        return (
            f"{prior.trial} was not measured on {others}: {own} alone decide for it. The choice"
            f" there is {prior.elsewhere}."
        )
    if prior.standing == "overruled here":
        return (
            f"Overruled here ({own}): the choice on {others} is {prior.elsewhere}, but with {own}"
            f" {prior.trial} is expected to score {prior.lead:+.3f} against it."
        )
    return f"Not contradicted here: {choice}, and {own} do not contradict it."


def _same(prior: PriorChoice) -> str:
    if prior.trial == prior.elsewhere or prior.standing == "not asked here":
        return prior.trial
    return f"{prior.elsewhere}, with {prior.trial} within the margin"


def _own(prior: PriorChoice) -> str:
    return f"your {plural(prior.own_queries, 'query', 'queries')}"


def _evidence(prior: PriorChoice, advice: Advice) -> str:
    """Return the weight of own queries and the expected regret of the choice."""
    by = " and ".join(prior.by)
    rest = (
        f"It uses {prior.queries} queries about other repositories by {by}; your own queries have"
        f" {100 * prior.share:.0f} % of the weight."
    )
    tested = advice.tested
    if prior.regret is None or (tested and prior.trial in (tested.cheapest, tested.winner)):
        return rest
    known = "the best known trial" if prior.unknown else "the best trial"
    best = f"{known} is expected to be {max(prior.regret, _SMALLEST):.3f} better"
    if prior.decided:
        return f"Ship {prior.trial}: {best}, less than {advice.settings.margin:g}. {rest}"
    return f"Take {prior.trial} until more queries decide: {best}. {rest}"


def _unknown(prior: PriorChoice) -> list[str]:
    if not prior.unknown:
        return []
    was, is_ = ("was", "is") if len(prior.unknown) == 1 else ("were", "are")
    said = f"Note: {listed(prior.unknown)} {was} not measured on other repositories, and {is_}"
    ahead = f" On them {prior.rival} leads by {prior.ahead:.3f}." if prior.ahead > 0 else ""
    return [f"{said} judged by your queries alone.{ahead}"]


def _changed(prior: PriorChoice) -> list[str]:
    if not prior.changed:
        return []
    said = f"Note: other repositories were measured with other versions of {listed(prior.changed)}"
    return [f"{said}; with this version their numbers may differ a little."]
