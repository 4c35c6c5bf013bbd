"""Tabulate what the scores of a graph mean, from the rankings of finished studies.

python scripts/tabulate_scores.py [--bounds 0.7 0.6 0.5 0.4] FOLDER...

Each FOLDER is that of a study with retriever=graph, such as outputs/latest. The tables of
docs/graph.md are of

    python bench/run.py suite=polyglot retriever=graph chunker=symbol latency=off

and the same with suite=tiered and suite=python; with --bounds, of retriever=graph_described.
"""

import argparse
from collections.abc import Iterable
from itertools import groupby, pairwise
from math import inf
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

TOP = 10
BOUNDS = (2.5, 2.0, 1.5, 1.0)
FALLS = ((0.5, 1.0), (0.4, 0.5), (0.3, 0.4), (0.0, 0.3))
Hit = dict[str, Any]


def main() -> None:
    """Print the share of relevant hits by range of scores, and MRR by fall of scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--bounds", nargs="+", type=float, default=BOUNDS)
    given = parser.parse_args()
    lists = [one for folder in given.folders for one in rankings(folder)]
    ranges = list(pairwise((inf, *given.bounds, 0.0)))
    print(f"{len(lists)} queries\n\n| score | of the first {TOP} | relevant |\n|---|---|---|")
    hits = [hit for one in lists for hit in one]
    for high, low in ranges:
        show(f"{low} up", [hit for hit in hits if low <= hit["score"] < high], len(hits))
    print("\n| score of the first | queries | it is relevant |\n|---|---|---|")
    for high, low in ranges:
        firsts = [one[0] for one in lists if low <= one[0]["score"] < high]
        show(f"{low} up", firsts, len(lists))
    print(f"\n| fall from the first to number {TOP} | queries | MRR |\n|---|---|---|")
    for low, high in FALLS:
        own = [one for one in lists if len(one) == TOP and low <= fall(one) < high]
        mean = sum(map(reciprocal, own)) / max(len(own), 1)
        print(f"| {low:.0%} to {high:.0%} | {len(own)} | {mean:.2f} |")


def rankings(folder: Path) -> list[list[Hit]]:
    """Return the first hits of each query with hits."""
    rows = pq.read_table(folder / "rankings.parquet").to_pylist()  # type: ignore[no-untyped-call]
    kept = [row for row in rows if row["rank"] <= TOP]
    return [list(own) for _, own in groupby(kept, lambda row: (row["repository"], row["query"]))]


def show(name: str, hits: list[Hit], of: int) -> None:
    """Print the number of hits and the share of relevant ones."""
    good = sum(is_relevant(hit) for hit in hits)
    share = f"{good / len(hits):.0%}" if hits else "-"
    print(f"| {name} | {len(hits)} ({len(hits) / of:.0%}) | {share} |")


def fall(hits: list[Hit]) -> float:
    """Return the share by which the scores fall from the first to the last hit."""
    return 1 - float(hits[-1]["score"]) / float(hits[0]["score"])


def reciprocal(hits: Iterable[Hit]) -> float:
    """Return 1 / the rank of the first relevant hit, or 0."""
    return next((1 / int(hit["rank"]) for hit in hits if is_relevant(hit)), 0.0)


def is_relevant(hit: Hit) -> bool:
    """Return True for a hit on a target, including a duplicate."""
    return str(hit["credit"]) in ("relevant", "duplicate")


if __name__ == "__main__":
    main()
