"""Measure what ranking by a graph costs: processor time a query, seconds to load, memory.

    python scripts/measure_graph.py [--nodes 50000] [--edges 400000] [--queries 100]
    python scripts/measure_graph.py --folder FOLDER [--queries 100]

Without a folder the graph is drawn at random with a few nodes that much else points to, as code
has them, and only the walk, HITS, scoring and packing are timed. With a folder its graph is made,
and its docstrings' first lines are asked as tasks, keywords and channels included.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from bench.corpora import LocalSource, read_source
from retrievers.chunkers import token_ends
from retrievers.graph import CodeGraph, Graph, Ranker, RankingSettings, Seeds, open_graph
from retrievers.graph.model import adjacency
from retrievers.graph.packing import Packing, estimated_costs, pack
from retrievers.graph.seeding import SeedTexts, symbol_texts
from retrievers.source import find_symbols
from retrievers.source.edges import EDGE_KINDS, PROVENANCES, find_edges

KINDS = ("calls", "contains", "member_of", "imports", "references")
SHARES = (0.5, 0.15, 0.15, 0.1, 0.1)
SEEDS = 25
LEAST_LETTERS = 30
"""Minimum length in characters of a docstring that is used as a task."""
T = TypeVar("T")
POPULAR, NEAR = 0.2, 0.6
"""Shares of the edges to popular nodes, and to nodes near their source."""


def main() -> None:
    """Print the cost of a random graph, or of the graph of a folder."""
    found = _arguments()
    if found.folder:
        measure_folder(found.folder, found.queries)
        return
    started = time.process_time()
    graph = drawn_graph(found.nodes, found.edges, np.random.default_rng(1))
    print(f"nodes {len(graph)}, edges {len(graph.edge_kind)}")
    print(f"made in {time.process_time() - started:.2f} CPU-seconds")
    before, started = _peak_megabytes(), time.process_time()
    ranker = Ranker(graph, RankingSettings())
    print(f"loaded in {time.process_time() - started:.3f} CPU-seconds")
    samples = [_milliseconds(ranker, graph, query) for query in range(found.queries)]
    _show(samples)
    print(f"memory at most {_peak_megabytes():.0f} MB, {before:.0f} before ranking")


def measure_folder(folder: str, queries: int) -> None:
    """Print the cost of making and querying the graph of a folder."""
    documents = _timed("read", lambda: read_source(LocalSource(folder)).documents)
    symbols = _timed("parse", lambda: find_symbols(documents))
    edges = _timed("edges (parse again)", lambda: find_edges(documents, symbols))
    tokens = _timed("tokens", lambda: token_ends(documents))
    names = {"edge_kinds": EDGE_KINDS, "provenances": PROVENANCES}
    graph = _timed("graph", lambda: CodeGraph.of(documents, symbols, edges, tokens, **names))
    fields = _timed("words", lambda: symbol_texts(graph, documents))
    columns = Graph().seeding.bm25.fields.searched
    texts = _timed("texts", lambda: SeedTexts.of(graph, fields, columns))
    print(f"documents {len(documents)}, nodes {len(graph)}, edges {len(graph.edge_kind)}")
    retriever = _timed("open", lambda: open_graph(graph, texts, Graph()))
    tasks = [doc.strip().partition("\n")[0] for doc in graph.docs if len(doc) > LEAST_LETTERS]
    step = max(len(tasks) // queries, 1)
    samples = []
    for task in tasks[: queries * step : step]:
        started = time.process_time()
        retriever.for_task(task)
        samples.append((time.process_time() - started) * 1000)
    _show(samples)
    print(f"memory at most {_peak_megabytes():.0f} MB")


def _timed(name: str, work: Callable[[], T]) -> T:
    started = _cpu_seconds()
    made = work()
    print(f"{name}: {_cpu_seconds() - started:.1f} CPU-seconds")
    return made


def _cpu_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _show(samples: list[float]) -> None:
    for share in (50, 95, 100):
        print(f"query p{share} {np.percentile(samples, share):.1f} CPU-ms")


@dataclass
class DrawnEdges:
    """Random edges."""

    source: Any
    target: Any
    kind: Any
    provenance: Any
    confidence: Any
    external: tuple[str, ...] = ()


def drawn_edges(nodes: int, edges: int, draw: np.random.Generator) -> DrawnEdges:
    """Return edges to popular nodes, to near nodes, and to any nodes."""
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
    """Return a graph of files and functions, about 50 per file, with random edges."""
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
    started = time.process_time()
    ranked = ranker.rank(Seeds(node, score, {}))
    cost = estimated_costs(graph, ranked.scored.node, 4.0)
    nearness = ranked.nearness ** packing.exponent(ranked.outside, len(cost))
    pack(ranked.scored.score, cost, packing.tokens, nearness=nearness)
    return (time.process_time() - started) * 1000


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default="")
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=400_000)
    parser.add_argument("--queries", type=int, default=100)
    return parser.parse_args()


if __name__ == "__main__":
    main()
