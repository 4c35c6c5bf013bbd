"""Measure what the statistics of a big study take: CPU seconds and peak memory on one thread.

python scripts/measure_statistics.py [--trials 1000] [--queries 1000] [--draws 10000]
"""

import argparse
import resource
import time

import numpy as np

from bench.analysis import Objective, ScoreMatrix, recommend

REPOSITORIES = 10
CHANGED = 0.157
"""Share of queries that a sibling configuration scores differently."""
_KIB = 1024


def scores(trials: int, queries: int) -> ScoreMatrix:
    """Return scores of similar configurations, where the same queries are hard for all."""
    random = np.random.default_rng(0)
    moved = random.normal(0, 0.3, (queries, trials))
    changes = np.where(random.random(moved.shape) < CHANGED, moved, 0.0)
    values = np.clip(random.random((queries, 1)) + changes - random.gamma(2, 0.02, trials), 0, 1)
    owners = [f"r{number % REPOSITORIES}" for number in range(queries)]
    return ScoreMatrix.of(values, owners, [f"t{number}" for number in range(trials)])


def main() -> None:
    """Print the cost of the whole recommendation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--draws", type=int, default=10_000)
    asked = parser.parse_args()
    matrix = scores(asked.trials, asked.queries)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started, wall = time.process_time(), time.perf_counter()
    objective = Objective()
    found = recommend(matrix, objective, list(range(asked.trials)), seed=0, draws=asked.draws)
    seconds, elapsed = time.process_time() - started, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{asked.trials} trials x {asked.queries} queries x {asked.draws} draws")
    print(f"{seconds:.2f} CPU-seconds ({elapsed:.2f} s by the clock)")
    print(f"peak {peak / _KIB:.0f} MiB, {before / _KIB:.0f} of them before")
    print(
        f"{len(found.may_be_best)} trials may be the best; regret bound {found.regret_bound:.3f}"
    )


if __name__ == "__main__":
    main()
