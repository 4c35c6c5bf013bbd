#!/usr/bin/env python
"""Print the tables of docs/retrievers.md from results files: means, and paired differences.

Run as `python scripts/print_tables.py results.json [--against TRIAL …]`. The first trial of a
file means its default unless --against names others; intervals are of 95 %.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.analysis import Interval, ScoreMatrix, mean_intervals
from bench.compare.deltas import measure_deltas
from bench.compare.queries import match_queries
from bench.results import StudyResult, TrialResult, read_results

MEASURE = "ndcg_at_10"
_MINUS = "\N{MINUS SIGN}"
SHOWN = (MEASURE, "mrr", "recall_at_10", "recall_at_4000_tokens")


def main() -> int:
    """Print both tables for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--against", nargs="*", default=[], help="trials to compare with")
    found = parser.parse_args()
    for place in found.results:
        study = read_results(place)
        print(f"\n{study.suite}, {study.level} level, study {study.id}\n")
        print_means(study)
        for name in found.against or [study.trials[0].name]:
            print_differences(study, name)
    return 0


def print_means(study: StudyResult) -> None:
    """Print a line for each trial, the lowest first."""
    intervals = dict(zip((one.name for one in study.trials), _intervals(study), strict=True))
    print(f"| trial | {' | '.join([SHOWN[0], 'interval', *SHOWN[1:]])} |\n|{'---|' * 6}")
    for trial in sorted(study.trials, key=lambda one: one.summary[f"avg_{MEASURE}"] or 0):
        first, *others = (_number(trial.summary[f"avg_{name}"]) for name in SHOWN)
        cells = [trial.name, first, _span(intervals[trial.name], " to "), *others]
        print(f"| {' | '.join(cells)} |")


def _intervals(study: StudyResult) -> Sequence[Interval | None]:
    first = study.trials[0]
    keys = [key for key, query in first.by_key.items() if MEASURE in query.known]
    rows = [[trial.by_key[key].known[MEASURE] for trial in study.trials] for key in keys]
    targets = ["\n".join(sorted(first.by_key[key].expected)) for key in keys]
    names = [trial.name for trial in study.trials]
    matrix = ScoreMatrix.of(np.array(rows), [key[0] for key in keys], names, targets=targets)
    return mean_intervals(matrix)


def print_differences(study: StudyResult, name: str) -> None:
    """Print the differences of all other trials to the named one."""
    base = next(trial for trial in study.trials if trial.name == name)
    print(f"\n| {MEASURE} | difference | here | repositories like these | better in |")
    print("|---|---|---|---|---|")
    for trial in study.trials:
        if trial is not base:
            print(_difference(base, trial))


def _difference(base: TrialResult, trial: TrialResult) -> str:
    deltas = measure_deltas(base, trial, match_queries(base, trial))
    delta = next(one for one in deltas if one.measure == MEASURE)
    here = _span(delta.here.interval if delta.here else None, " to ", sign=True)
    elsewhere = _span(delta.elsewhere.interval if delta.elsewhere else None, " to ", sign=True)
    signs = delta.signs
    total = signs.better + signs.level + signs.worse
    cells = [
        f"{trial.name} {_MINUS} {base.name}",
        _number(delta.value, sign=True),
        here,
        elsewhere,
    ]
    return f"| {' | '.join(cells)} | {signs.better} of {total} |"


def _span(interval: Interval | None, between: str, *, sign: bool = False) -> str:
    if interval is None:
        return ""
    return between.join(_number(one, sign=sign) for one in (interval.low, interval.high))


def _number(value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return ""
    text = f"{value:+.3f}" if sign else f"{value:.3f}"
    return text.replace("0.", ".", 1).replace("-", _MINUS)


if __name__ == "__main__":
    sys.exit(main())
