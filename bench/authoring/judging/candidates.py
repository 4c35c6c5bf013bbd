"""What can be asked of a study: places among the first hits that nobody has judged."""

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
    """A place that may be right: a definition, lines, or a file."""

    row: int
    """Of its query among those of the study."""
    target: Target
    """The place as it is judged: a definition where the hit shows one."""
    ranks: tuple[int, ...]
    """By trial: the rank of the first hit that shows it, 0 for none of the first ten."""


@dataclass(frozen=True)
class Pool:
    """The candidates of a study, and the files that they are in."""

    candidates: tuple[Candidate, ...]
    trees: Mapping[str, Tree]
    """By repository: the tree of the files with candidates or hits."""


def pooled(
    trials: StoredTrials, judged: Sequence[JudgedPlaces], level: str, more: Sequence[str] = ()
) -> Pool:
    """Return the places of all queries that are neither targets nor judged.

    `judged` has the judged places of each query; `more` are paths that the trees need besides.
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
    """Return the place that a hit means: chunks of several sizes mean the same one."""
    if level == "file":
        return Target("file", path=hit.path)
    if hit.symbol:
        return Target("symbol", symbol=definition_asked(hit.path, hit.symbol))
    return Target("span", path=hit.path, start=hit.start, end=hit.end)


def path_of(target: Target) -> str:
    """Return the file that a place is in."""
    return target.path or target.symbol.partition("::")[0]


def spot_of(target: Target, tree: Tree) -> Spot | None:
    """Return where a candidate is; None for a name that its file does not have."""
    found = find_target(tree, _NO_QUERY, target)
    return None if isinstance(found, Problem) else found[0]


@dataclass(frozen=True)
class _Known:
    """The targets of a query: what shares half of itself with one needs no question."""

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
    """Return a place as targets of a query, at each of the levels that the query has.

    A query that lists its answers as files, symbols and spans gets the new one as all three.
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
    """Return the repository that the targets of a query name, if they name one."""
    return next((one.repository for one in targets if one.repository), "")
