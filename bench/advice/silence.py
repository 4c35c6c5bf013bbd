"""Groups of queries for which a trial returns nothing, and its rank on the other queries."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from bench.results import QueryKey, QueryResult, TrialResult
from retrievers.source import language_of

_FEWEST = 3
"""Fewest queries of a language or repository; fewer may lack hits by chance."""


@dataclass(frozen=True)
class Silence:
    """Languages and repositories in which a trial has no hits for any query."""

    trial: str
    languages: tuple[str, ...]
    """Language names, or file name endings of unknown languages."""
    repositories: tuple[str, ...]
    """Repositories that are not explained by the languages."""
    empty: int
    """Number of queries in these languages and repositories."""
    queries: int
    rival: str | None = None
    """The best other trial on the remaining queries; None without other trials or queries."""
    lead: float = 0.0
    """Lead of the trial over its rival on the remaining queries."""
    others: int = 0
    """Number of other trials without hits for exactly the same queries."""


def silences(trials: Sequence[TrialResult], column: str) -> tuple[Silence, ...]:
    """Return the silences of trials; of trials that share one, only that of the best."""
    found: dict[frozenset[QueryKey], list[Silence]] = defaultdict(list)
    for trial in trials:
        judged = [query for query in trial.queries if query.is_judged and not query.error]
        languages = _silent(judged, _language)
        left = [query for query in judged if _language(query) not in languages]
        repositories = _silent(left, lambda query: query.repository)
        rest = [query for query in left if query.repository not in repositories]
        if len(rest) < len(judged):
            one = Silence(
                trial.name, languages, repositories, len(judged) - len(rest), len(judged)
            )
            empty = frozenset(query.key for query in judged) - {query.key for query in rest}
            found[empty].append(_compared(one, trials, {query.key for query in rest}, column))
    return tuple(
        replace(max(same, key=lambda one: one.lead), others=len(same) - 1)
        for same in found.values()
    )


def _silent(
    queries: Iterable[QueryResult], label: Callable[[QueryResult], str]
) -> tuple[str, ...]:
    """Return the groups in which no query has a hit."""
    answered: dict[str, list[bool]] = defaultdict(list)
    for query in queries:
        answered[label(query)].append(bool(query.hits))
    silent = (
        name for name, each in answered.items() if name and len(each) >= _FEWEST and not any(each)
    )
    return tuple(sorted(silent))


def _language(query: QueryResult) -> str:
    """Return the common language of all targets of a query, or ""."""
    names = {_language_of(place.path) for place in query.targets}
    return names.pop() if len(names) == 1 else ""


def _language_of(path: str) -> str:
    known = language_of(path)
    return known.name if known else PurePosixPath(path).suffix


def _compared(
    one: Silence, trials: Sequence[TrialResult], rest: Collection[QueryKey], column: str
) -> Silence:
    """Return a silence with the comparison on the remaining queries."""
    means = {trial.name: _mean(trial, rest, column) for trial in trials}
    own = means.pop(one.trial)
    rivals = {name: mean for name, mean in means.items() if mean is not None}
    if own is None or not rivals:
        return one
    rival = max(rivals, key=lambda name: rivals[name])
    return replace(one, rival=rival, lead=own - rivals[rival])


def _mean(trial: TrialResult, keys: Collection[QueryKey], column: str) -> float | None:
    """Return the macro mean of some queries over repositories."""
    values: dict[str, list[float]] = defaultdict(list)
    for query in trial.queries:
        if query.key in keys and column in query.known:
            values[query.repository].append(query.known[column])
    return float(np.mean([np.mean(each) for each in values.values()])) if values else None
