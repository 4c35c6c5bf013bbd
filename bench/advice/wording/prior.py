"""What other repositories taught, in sentences: the choice, how it compares, and whose queries."""

from bench.advice.advice import Advice
from bench.advice.wording.phrases import listed, plural
from bench.results import PriorChoice

_SMALLEST = 0.001


def prior_sentences(advice: Advice) -> tuple[str, ...]:
    """Return what other repositories have to say; nothing if they were not asked."""
    prior = advice.prior
    if prior is None:
        return (f"Note: other repositories have no say: {advice.no_prior}.",) * bool(
            advice.no_prior
        )
    return (_standing(prior), _evidence(prior, advice), *_unknown(prior), *_changed(prior))


def _standing(prior: PriorChoice) -> str:
    own, others = _own(prior), f"{prior.repositories} other repositories"
    if prior.standing == "confirmed here":
        same = f"{prior.trial} is what {others} advise"
        if prior.trial != prior.elsewhere:
            same = f"{others} advise {_same(prior)}"
        return f"Confirmed here: {same}, and {own} decide for {prior.trial}."
    if prior.standing == "not asked here":
        return f"{others} advise {prior.trial}; {own} are not used, because they were generated."
    if prior.standing == "not known elsewhere":
        return (
            f"{prior.trial} is not known elsewhere: {own} alone decide for it, and {others} would"
            f" advise {prior.elsewhere}."
        )
    if prior.standing == "overruled here":
        return (
            f"Overruled here ({own}): {others} advise {prior.elsewhere}, and with {own}"
            f" {prior.trial} is expected to be {prior.lead:+.3f} against it."
        )
    return (
        f"Not contradicted here: {others} advise {_same(prior)}, and {own} do not say otherwise."
    )


def _same(prior: PriorChoice) -> str:
    if prior.trial == prior.elsewhere:
        return prior.trial
    return f"{prior.elsewhere}, or {prior.trial} within the margin"


def _own(prior: PriorChoice) -> str:
    return f"your {plural(prior.own_queries, 'query', 'queries')}"


def _evidence(prior: PriorChoice, advice: Advice) -> str:
    """Say how far to trust the choice, and on whose queries it rests."""
    by = " and ".join(prior.by)
    rest = (
        f"It rests on {prior.queries} queries about other repositories by {by}; yours count"
        f" {100 * prior.share:.0f} %."
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
    are = "is" if len(prior.unknown) == 1 else "are"
    said = f"Note: {listed(prior.unknown)} {are} not known from other repositories, and judged by"
    ahead = f" {prior.rival} is ahead by {prior.ahead:.3f} on them." if prior.ahead > 0 else ""
    return [f"{said} your queries alone.{ahead}"]


def _changed(prior: PriorChoice) -> list[str]:
    if not prior.changed:
        return []
    said = f"Note: other repositories were measured with other versions of {listed(prior.changed)}"
    return [f"{said}; their numbers may have moved a little."]
