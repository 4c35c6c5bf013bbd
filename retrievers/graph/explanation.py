"""The explanation of a symbol's rank, by the numbers that produced it."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from retrievers.errors import GraphError
from retrievers.graph.model import CodeGraph, Keywords
from retrievers.graph.questions import OpenGraph
from retrievers.graph.ranking import Ranked
from retrievers.graph.seeding.reasons import MatchedConcept
from retrievers.interface import Integers

_NEAR_NAMES = 3


@dataclass(frozen=True)
class Explanation:
    """The reasons for the rank of a symbol, or for its absence."""

    symbol: str
    path: str
    line: int
    rank: int
    """From 1; 0 if the symbol is not ranked."""
    of: int
    score: float
    components: Mapping[str, float]
    """The amount that each component adds to the score or subtracts. Centrality is split into
    authority and hub."""
    authority: float
    """Authority by HITS among the best nodes of the walk: links from hubs. 0 outside of them."""
    hub: float
    """Hub score by HITS: links to authorities."""
    walk: float
    """Score of the walk; the best node has 1."""
    seed_rank: int
    """From 1; 0 if the symbol is not a seed."""
    channels: Mapping[str, float]
    """The score of the seed in each channel."""
    ranks: Mapping[str, int]
    """The rank, from 1, in each channel that found it."""
    tiers: Mapping[str, str]
    """The tier that found it, for each channel with tiers."""
    concepts: tuple[MatchedConcept, ...]
    """The equivalence classes that connect the task with the symbol."""
    keywords: Keywords
    """The keywords of the task."""
    is_supplement: bool
    is_forced: bool
    verdict: str


def explain(opened: OpenGraph, ranked: Ranked, symbol: str, *, task: str) -> Explanation:
    """Return the explanation for a symbol, given by its full name or the end of its name."""
    graph, settings, seeds = opened.graph, opened.settings, ranked.seeds
    node = find_symbol(graph, symbol)
    reasons = opened.find_reasons(task, node)
    places = np.flatnonzero(ranked.scored.node == node)
    row = int(places[0]) if len(places) else -1
    walk = float(ranked.walked.score[node]) if ranked.walked else 0.0
    seed = np.flatnonzero(seeds.node == node)
    authority, hub = _central(ranked, node)
    is_forced = node in seeds.forced
    by_hub = settings.hits.of_hub(hub) if len(seed) or is_forced else 0.0
    return Explanation(
        symbol=graph.names[node],
        path=graph.path(node),
        line=int(graph.start_line[node]),
        rank=row + 1,
        of=len(ranked.scored.node),
        score=float(ranked.scored.score[row]) if row >= 0 else 0.0,
        components=_components(ranked, row, by_hub),
        authority=authority,
        hub=hub,
        walk=walk,
        seed_rank=int(seed[0]) + 1 if len(seed) else 0,
        channels=_channels(ranked, seed),
        ranks=reasons.ranks,
        tiers=reasons.tiers,
        concepts=reasons.concepts,
        keywords=reasons.keywords,
        is_supplement=node in seeds.supplement,
        is_forced=is_forced,
        verdict=_verdict(ranked, row, walk, settings.walk.floor),
    )


def _channels(ranked: Ranked, seed: Integers) -> dict[str, float]:
    if not len(seed):
        return {}
    given = {name: float(scores[seed[0]]) for name, scores in ranked.seeds.channels.items()}
    return {name: score for name, score in given.items() if score}


def find_symbol(graph: CodeGraph, symbol: str) -> int:
    """Return the symbol with this name, or else the symbol whose name ends with it.

    For an overloaded name, the result is the implementation, not the first signature.
    """
    end = "." + symbol
    names = graph.names[: graph.symbol_count]
    found = [node for node, name in enumerate(names) if name == symbol]
    found = found or [node for node, name in enumerate(names) if name.endswith(end)]
    distinct = {names[node] for node in found}
    if len(distinct) > 1:
        some = " or ".join(sorted(distinct)[:_NEAR_NAMES])
        message = f"{symbol}: {len(distinct)} symbols have this name; use {some}"
        raise GraphError(message)
    if not found:
        raise GraphError(f"{symbol}: no such symbol; {_nearest(symbol, names)}")
    return graph.implementation(found[0])


def _nearest(symbol: str, names: tuple[str, ...]) -> str:
    simple = {name.rpartition(".")[2]: name for name in names}
    last = symbol.rpartition(".")[2]
    near = difflib.get_close_matches(last, simple, n=_NEAR_NAMES)
    if near:
        return f"did you mean {' or '.join(simple[name] for name in near)}?"
    return "give the name of something that the repository defines"


def _central(ranked: Ranked, node: int) -> tuple[float, float]:
    if ranked.central is None:
        return 0.0, 0.0
    place = np.flatnonzero(ranked.central.node == node)
    found = ranked.central.found
    return float(found.authority[place].sum()), float(found.hub[place].sum())


def _components(ranked: Ranked, row: int, by_hub: float) -> dict[str, float]:
    """Return the components of a score, with centrality split into authority and hub."""
    if row < 0:
        return {}
    parts = {name: float(part[row]) for name, part in ranked.scored.components.items()}
    parts["authority"] = parts.pop("centrality") - by_hub
    return {**parts, "hub": by_hub}


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
