"""Measure what ranking by a graph costs: time a query, seconds to load, memory.

    python scripts/measure_graph.py [--nodes 50000] [--edges 400000] [--queries 100]

The graph is drawn at random with a few nodes that much else points to, as code has them.
"""

import argparse
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from retrievers.graph import CodeGraph, Ranker, RankingSettings, Seeds
from retrievers.graph.model import adjacency
from retrievers.graph.packing import Packing, estimated_costs, pack

KINDS = ("calls", "contains", "member_of", "imports", "references")
SHARES = (0.5, 0.15, 0.15, 0.1, 0.1)
SEEDS = 25
POPULAR, NEAR = 0.2, 0.6
"""The shares of edges that end at few nodes, and near where they start."""


def main() -> None:
    """Print what a drawn graph costs."""
    found = _arguments()
    started = time.process_time()
    graph = drawn_graph(found.nodes, found.edges, np.random.default_rng(1))
    print(f"nodes {len(graph)}, edges {len(graph.edge_kind)}")
    print(f"made in {time.process_time() - started:.2f} CPU-seconds")
    before, started = _peak_megabytes(), time.perf_counter()
    ranker = Ranker(graph, RankingSettings())
    print(f"loaded in {time.perf_counter() - started:.3f} s")
    samples = [_milliseconds(ranker, graph, query) for query in range(found.queries)]
    for share in (50, 95, 100):
        print(f"query p{share} {np.percentile(samples, share):.1f} ms")
    print(f"memory at most {_peak_megabytes():.0f} MB, {before:.0f} before ranking")


@dataclass
class DrawnEdges:
    """Edges drawn at random."""

    source: Any
    target: Any
    kind: Any
    provenance: Any
    confidence: Any
    external: tuple[str, ...] = ()


def drawn_edges(nodes: int, edges: int, draw: np.random.Generator) -> DrawnEdges:
    """Return edges to few nodes, to near ones, and to any."""
    source = draw.integers(0, nodes, edges)
    near, anywhere = (
        (source + draw.integers(-60, 60, edges)) % nodes,
        draw.integers(0, nodes, edges),
    )
    popular, share = draw.zipf(1.6, edges) % nodes, draw.random(edges)
    target = np.select([share < POPULAR, share < POPULAR + NEAR], [popular, near], anywhere)
    kind = draw.choice(len(KINDS), edges, p=SHARES)
    sure = np.zeros(edges, np.uint8)
    return DrawnEdges(source, target, kind, sure, np.full(edges, 0.9, np.float32))


def drawn_graph(nodes: int, edges: int, draw: np.random.Generator) -> CodeGraph:
    """Return functions, about fifty a file, and the files, with random edges."""
    files = tuple(f"package{file // 10}/module{file}.py" for file in range(nodes // 50))
    functions = nodes - len(files)
    within = np.arange(functions) * len(files) // functions
    return CodeGraph(
        names=(*[f"package.module{file}.f{n}" for n, file in enumerate(within)], *files),
        kinds=(*["function"] * functions, *["file"] * len(files)),
        signatures=tuple(f"def f{node}(self, first, second)" for node in range(nodes)),
        docs=("Do what the name says.",) * nodes,
        files=files,
        document=np.concatenate([within, np.arange(len(files))]).astype(np.int32),
        parent=np.full(nodes, -1, np.int32),
        start_line=np.ones(nodes, np.int32),
        end_line=np.full(nodes, 20, np.int32),
        source_tokens=np.full(nodes, 200, np.int32),
        is_test=np.zeros(nodes, bool),
        edge_kinds=KINDS,
        provenances=("resolved",),
        **adjacency(drawn_edges(nodes, edges, draw), nodes),
    )


def _milliseconds(ranker: Ranker, graph: CodeGraph, query: int) -> float:
    draw = np.random.default_rng(query)
    node = draw.choice(len(graph), SEEDS, replace=False).astype(np.int32)
    score = np.linspace(1, 0.2, SEEDS, dtype=np.float32)
    packing = Packing()
    started = time.perf_counter()
    ranked = ranker.rank(Seeds(node, score, {}))
    cost = estimated_costs(graph, ranked.scored.node, 4.0)
    nearness = ranked.nearness ** packing.exponent(ranked.outside, len(cost))
    pack(ranked.scored.score, cost, packing.tokens, nearness=nearness)
    return (time.perf_counter() - started) * 1000


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=400_000)
    parser.add_argument("--queries", type=int, default=100)
    return parser.parse_args()


if __name__ == "__main__":
    main()
