"""Candidates for judging: unjudged places among the first hits of a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from bench.authoring.judging.scoring import Searched, StoredTrials
from bench.queries import (
    LEVELS,
    JudgedPlaces,
    Level,
    Problem,
    Query,
    Target,
    Tree,
    definition_asked,
)
from bench.queries.resolution import Spot, find_target
from bench.results import Hit, QueryResult

Integers = np.ndarray[Any, np.dtype[np.int32]]
FIRST_HITS = 10
_HALF = 0.5
_NO_QUERY = Query("", "")


@dataclass(frozen=True)
class Candidate:
    """A place that may be relevant: a definition, lines, or a file."""

    row: int
    """Row of its query among the study's queries."""
    target: Target
    """The place to judge: a definition if the hit is in one."""
    ranks: tuple[int, ...]
    """By trial: rank of the first hit at this place, 0 if it is not among the first ten."""


@dataclass(frozen=True)
class Pool:
    """The candidates of a study, and the files that contain them."""

    candidates: tuple[Candidate, ...]
    trees: Mapping[str, Tree]
    """By repository: a tree of only the files with candidates or hits."""


def pooled(
    trials: StoredTrials, judged: Sequence[JudgedPlaces], level: str, more: Sequence[str] = ()
) -> Pool:
    """Return the places of all queries that are neither targets nor judged.

    `judged` has the judged places of each query. `more` are additional paths for the trees.
    """
    ranks = [_ranks(row, trials, one, level) for row, one in enumerate(judged)]
    trees, found, first = {}, [], 0
    for searched in trials.repositories:
        own = range(first, first + searched.count)
        paths = [path_of(target) for row in own for target in ranks[row]]
        tree = trees[searched.name] = searched.tree([*paths, *more])
        for row in own:
            known = _Known.of(searched, row - first, level)
            found += [
                Candidate(row, target, tuple(place))
                for target, place in ranks[row].items()
                if known.lacks(target, tree)
            ]
        first += searched.count
    return Pool(tuple(found), trees)


def _ranks(
    row: int, trials: StoredTrials, judged: JudgedPlaces, level: str
) -> dict[Target, list[int]]:
    """Return the unjudged places of a query with their rank in each trial."""
    ranks: dict[Target, list[int]] = {}
    for number, trial in enumerate(trials.trials):
        query = trial.queries[row]
        for rank, hit in enumerate(query.hits[:FIRST_HITS], 1):
            if not _is_known(hit, query, judged):
                place = ranks.setdefault(_place(hit, level), [0] * len(trials.trials))
                place[number] = place[number] or rank
    return ranks


def _is_known(hit: Hit, query: QueryResult, judged: JudgedPlaces) -> bool:
    credited = hit.credit not in (None, "nothing")
    return query.negative or credited or judged.hold(hit.path, hit.start, hit.end, hit.symbol)


def _place(hit: Hit, level: str) -> Target:
    """Return the place of a hit, which is the same for chunks of different sizes."""
    if level == "file":
        return Target("file", path=hit.path)
    if hit.symbol:
        return Target("symbol", symbol=definition_asked(hit.path, hit.symbol))
    return Target("span", path=hit.path, start=hit.start, end=hit.end)


def path_of(target: Target) -> str:
    """Return the path of a place."""
    return target.path or target.symbol.partition("::")[0]


def spot_of(target: Target, tree: Tree) -> Spot | None:
    """Return the position of a candidate, or None if its file lacks the name."""
    found = find_target(tree, _NO_QUERY, target)
    return None if isinstance(found, Problem) else found[0]


@dataclass(frozen=True)
class _Known:
    """The targets of a query. A place that shares half with one of them needs no question."""

    searched: Searched
    document: Integers
    start: Integers
    end: Integers

    @classmethod
    def of(cls, searched: Searched, query: int, level: str) -> "_Known":
        found = searched.judgements
        here = (found.query == query) & (found.level == LEVELS.index(cast("Level", level)))
        return cls(searched, found.document[here], found.start_byte[here], found.end_byte[here])

    def lacks(self, target: Target, tree: Tree) -> bool:
        spot = spot_of(target, tree)
        if spot is None or not tree.text(spot).strip():
            return False
        document = self.searched.documents.places[tree.documents.paths[spot.document]]
        common = np.minimum(self.end, spot.end) - np.maximum(self.start, spot.start)
        shorter = np.minimum(self.end - self.start, spot.end - spot.start)
        return not bool(np.any((self.document == document) & (common >= _HALF * shorter)))


def as_targets(target: Target, tree: Tree, query: Query) -> tuple[Target, ...]:
    """Return a place as targets of a query, at each level of the query's other targets.

    A query with targets at file, symbol and span level gets a new target at each of them.
    """
    spot = spot_of(target, tree)
    if spot is None:
        return ()
    path, (start, end) = tree.documents.paths[spot.document], tree.lines_of(spot)
    forms: Mapping[str, Target] = {
        "file": Target("file", path=path),
        "symbol": target,
        "span": Target("span", path=path, start=start, end=end),
    }
    levels = [one.level for one in query.targets]
    wanted = [name for name in forms if name in levels]
    found = [forms[name] for name in wanted if name != "symbol" or target.level == "symbol"]
    if not any(one.level != "file" for one in found) and wanted != ["file"]:
        found.append(forms["symbol"] if target.level == "symbol" else forms["span"])
    where = _repository(query.targets)
    return tuple(replace(one, repository=where) for one in found)


def _repository(targets: Sequence[Target]) -> str:
    """Return the repository in the targets of a query, or ""."""
    return next((one.repository for one in targets if one.repository), "")
