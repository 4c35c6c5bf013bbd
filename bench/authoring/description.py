"""Description of a set of queries: counts by kind, and the overlap with the words of answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.authoring.opening import OpenedSet
from bench.queries import Entry, together
from bench.queries.resolution import Problem, Tree, find_target
from bench.queries.verification import FixtureSet, QueryReport, verify
from retrievers.source import language_of

_BINS = 10
_NONE = "(none)"
_OTHER = "other"

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Overlap:
    """Distribution of the lexical overlap of the queries."""

    mean: float
    quartiles: tuple[float, float, float]
    tenths: tuple[int, ...]
    """Number of queries with an overlap of 0 to 0.1, 0.1 to 0.2, …, 0.9 to 1."""


@dataclass(frozen=True)
class Description:
    """Summary of a set of queries."""

    name: str
    queries: int
    negatives: int
    drafts: int
    unfound: int
    """Number of targets that are not in the source; `rankgrid fixtures verify` lists them."""
    categories: Counts
    difficulties: Counts
    tiers: Counts
    tags: Counts
    repositories: Counts
    levels: Counts
    languages: Counts
    """Number of queries with an answer in each language; a query may count for several."""
    targets: Counts
    """Number of queries by number of targets."""
    overlap: Overlap | None
    most_alike: tuple[tuple[str, float], ...]
    """Queries with the most overlap with their answers, and their scores."""


def describe(opened: OpenedSet, *, shown: int = 5) -> Description:
    """Describe a set, with the tree that it is about."""
    tree = opened.tree_of()
    reports = verify(FixtureSet(opened.name, opened.entries), tree).queries
    queries = [one.query for one in opened.entries]
    found = [_found(one, tree(one)) for one in opened.entries]
    return Description(
        name=opened.name,
        queries=len(queries),
        negatives=sum(one.negative for one in queries),
        drafts=sum(one.draft for one in opened.entries),
        unfound=sum(unfound for _, unfound in found),
        categories=_counted(one.category or _NONE for one in queries),
        difficulties=_counted(one.difficulty or _NONE for one in queries),
        tiers=_counted(one.tier or _NONE for one in reports),
        tags=_counted(tag for one in queries for tag in one.tags),
        repositories=_counted(one.repository or opened.name for one in opened.entries),
        levels=_counted(target.level for one in queries for target in one.targets),
        languages=_counted(language for languages, _ in found for language in languages),
        targets=_by_number(len(together(one.targets)) for one in queries),
        overlap=_overlap([one.lexical_overlap for one in reports]),
        most_alike=_most_alike(reports, shown),
    )


def _found(one: Entry, tree: Tree) -> tuple[frozenset[str], int]:
    """Return the languages of a query's answers, and the number of targets not found."""
    places = [find_target(tree, one.query, target) for target in one.query.targets]
    paths = {
        tree.documents.paths[spot.document]
        for where in places
        if not isinstance(where, Problem)
        for spot in where
    }
    return frozenset(_language(path) for path in paths), sum(
        isinstance(where, Problem) for where in places
    )


def _language(path: str) -> str:
    known = language_of(path)
    return known.name if known else path.rpartition(".")[2] if "." in path else _OTHER


def _counted(names: Iterable[str]) -> Counts:
    return dict(Counter(names).most_common())


def _by_number(numbers: Iterable[int]) -> Counts:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


def _overlap(scores: Sequence[float | None]) -> Overlap | None:
    known = [score for score in scores if score is not None]
    if not known:
        return None
    first, middle, last = np.percentile(known, (25, 50, 75)).tolist()
    tenths, _ = np.histogram(known, bins=_BINS, range=(0, 1))
    return Overlap(float(np.mean(known)), (first, middle, last), tuple(tenths.tolist()))


def _most_alike(reports: Sequence[QueryReport], shown: int) -> tuple[tuple[str, float], ...]:
    known = [(one.id, one.lexical_overlap) for one in reports if one.lexical_overlap is not None]
    return tuple(sorted(known, key=lambda one: (-one[1], one[0]))[:shown])
