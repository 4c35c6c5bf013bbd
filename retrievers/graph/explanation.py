"""Why a symbol has its rank: the same numbers that ranked it, taken apart."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from retrievers.errors import GraphError
from retrievers.graph.model import CodeGraph
from retrievers.graph.ranking import Ranked

_NEAR_NAMES = 3


@dataclass(frozen=True)
class Explanation:
    """What brought a symbol to its place, or kept it out."""

    symbol: str
    path: str
    line: int
    rank: int
    """From 1; 0 is not ranked."""
    of: int
    score: float
    components: Mapping[str, float]
    """What each added to the score or took away."""
    walk: float
    """Its share in the walk; the best has 1."""
    seed_rank: int
    """From 1; 0 means that it is not a seed."""
    channels: Mapping[str, float]
    """What each channel gave to it as a seed."""
    is_supplement: bool
    is_forced: bool
    verdict: str


def explain(graph: CodeGraph, ranked: Ranked, symbol: str, *, floor: float) -> Explanation:
    """Return why a symbol, given by its name or the end of it, has its rank."""
    node = find_symbol(graph, symbol)
    places = np.flatnonzero(ranked.scored.node == node)
    walk = float(ranked.walked.score[node]) if ranked.walked else 0.0
    seeds = ranked.seeds
    seed = np.flatnonzero(seeds.node == node)
    row = int(places[0]) if len(places) else -1
    given = (
        {name: float(scores[seed[0]]) for name, scores in seeds.channels.items()}
        if len(seed)
        else {}
    )
    return Explanation(
        symbol=graph.names[node],
        path=graph.path(node),
        line=int(graph.start_line[node]),
        rank=row + 1,
        of=len(ranked.scored.node),
        score=float(ranked.scored.score[row]) if row >= 0 else 0.0,
        components=_components(ranked, row),
        walk=walk,
        seed_rank=int(seed[0]) + 1 if len(seed) else 0,
        channels={name: score for name, score in given.items() if score},
        is_supplement=node in seeds.supplement,
        is_forced=node in seeds.forced,
        verdict=_verdict(ranked, row, walk, floor),
    )


def find_symbol(graph: CodeGraph, symbol: str) -> int:
    """Return the one symbol with this name, or with a name that ends so."""
    end = "." + symbol
    names = graph.names[: graph.symbol_count]
    found = [node for node, name in enumerate(names) if name == symbol]
    found = found or [node for node, name in enumerate(names) if name.endswith(end)]
    distinct = {names[node] for node in found}
    if len(distinct) > 1:
        some = " or ".join(sorted(distinct)[:_NEAR_NAMES])
        message = f"{symbol}: {len(distinct)} symbols are called so; say {some}"
        raise GraphError(message)
    if not found:
        raise GraphError(f"{symbol}: no such symbol; {_nearest(symbol, names)}")
    return found[0]


def _nearest(symbol: str, names: tuple[str, ...]) -> str:
    simple = {name.rpartition(".")[2]: name for name in names}
    last = symbol.rpartition(".")[2]
    near = difflib.get_close_matches(last, simple, n=_NEAR_NAMES)
    if near:
        return f"did you mean {' or '.join(simple[name] for name in near)}?"
    return "give the name of something that the repository defines"


def _components(ranked: Ranked, row: int) -> dict[str, float]:
    if row < 0:
        return {}
    return {name: float(part[row]) for name, part in ranked.scored.components.items()}


def _verdict(ranked: Ranked, row: int, walk: float, floor: float) -> str:
    if row >= 0:
        return f"ranked {row + 1} of {len(ranked.scored.node)}"
    if ranked.walked is None:
        return "not ranked: it is not in the files, and does not call what is in them"
    if not len(ranked.seeds.node):
        return "not ranked: nothing that the task says was found"
    if not walk:
        return "not ranked: no path leads to it from where the task's words were found"
    return f"not ranked: its share in the walk, {walk:.4f}, is under the floor, {floor:g}"
