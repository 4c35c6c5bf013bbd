"""Measure what a grid of weights costs: the arithmetic alone, and in a study of hybrid retrieval.

The arithmetic is done on random rankings that have nothing in common, the hardest case: few hits
are beaten under every weighting. The study is run with one weighting and with about a thousand;
what all their stages cost, whenever they were made, is compared.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from retrievers.fusion import Wanted, align, ranks_under, simplex
from retrievers.interface import Rankings

ROOT = Path(__file__).resolve().parents[1]
CHANNELS, STEPS, QUERIES, HITS, CHUNKS, DEPTH = 4, 16, 300, 1000, 3000, 10
ONE, THOUSAND = "weights=[0.45,0.55]", "weights=grid(999)"


def main() -> None:
    """Print the cost of the arithmetic, and of the studies on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", action="store_true", help="also the two studies")
    parser.add_argument("overrides", nargs="*", help="settings of both studies, such as store=…")
    found = parser.parse_args()
    print_arithmetic()
    if found.study:
        print_studies(found.overrides)


def print_arithmetic() -> None:
    """Time the ranks of one target per query under every weighting of four random rankings."""
    draw = np.random.default_rng(0)
    aligned = align([random_rankings(draw) for _ in range(CHANNELS)])
    rows = [draw.choice(np.flatnonzero(aligned.query == query)[:HITS]) for query in range(QUERIES)]
    wanted = Wanted(np.arange(QUERIES), np.array(rows), QUERIES)
    weights = simplex(CHANNELS, STEPS)
    wall, busy = time.perf_counter(), time.process_time()
    ranks_under(aligned, weights, wanted, DEPTH)
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    print(
        f"{len(weights)} weightings x {CHANNELS} channels of {HITS} hits x {QUERIES} queries: "
        f"{busy:.2f} CPU-seconds, {wall:.2f} s"
    )


def random_rankings(draw: np.random.Generator) -> Rankings:
    """Return rankings of random chunks with random scores."""
    scores = -np.sort(-draw.gamma(2, 1, (QUERIES, HITS)).astype(np.float32), axis=1)
    chunks = [draw.choice(CHUNKS, HITS, replace=False) for _ in range(QUERIES)]
    return Rankings(
        chunk=np.concatenate(chunks).astype(np.int32),
        score=scores.reshape(-1),
        stops=np.arange(1, QUERIES + 1) * HITS,
        mean=scores.mean(axis=1),
        deviation=scores.std(axis=1),
    )


def print_studies(overrides: list[str]) -> None:
    """Print the cost of all stages for one weighting and for a thousand."""
    with tempfile.TemporaryDirectory() as scratch:
        one, thousand = (cost(text, overrides, Path(scratch)) for text in (ONE, THOUSAND))
    print(f"hybrid with {ONE}: {one:.2f} s of stages; with {THOUSAND}: {thousand:.2f} s")
    print(f"a thousand weightings cost {thousand / one - 1:+.1%}")


def cost(weights: str, overrides: list[str], folder: Path) -> float:
    """Run a study and return the seconds of all its stages, including stored ones."""
    own = [weights, "retriever=hybrid", "latency=off", "tracking=none", f"output={folder}"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *overrides]
    subprocess.run(command, check=True, capture_output=True)
    results = json.loads((folder / "latest" / "results.json").read_text(encoding="utf-8"))
    return float(results["plan"]["seconds"])


if __name__ == "__main__":
    main()
