"""Print what studies advise by the amount of text, beside the trial that is the best by ten hits.

python scripts/tabulate_advice.py RESULTS...

Each RESULTS is a results.json or its folder. The table of docs/statistics.md is that of

    rankgrid bench -m suite=SUITE chunk=256,512,1024,2048 retriever=bm25,lexical latency=off
    rankgrid bench -m suite=SUITE chunk=512,1024 retriever=lexical,hybrid,hybrid_graph latency=off
"""

import argparse
from collections.abc import Iterator

from bench.results import BudgetAdvice, StudyResult, TrialResult, read_results

BY_TEN_HITS = "ndcg_at_10"
AT_4000_TOKENS = "coverage_at_4000_tokens"
_LONG = {"chunk=": "", "retriever=": "", " reranker=off": ""}


def main() -> None:
    """Print a row for each study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="a results.json, or the folder that holds one")
    budgets = " | ".join(["1,000", "2,000", "4,000", "8,000 tokens", "ten hits"])
    print(f"| study | best NDCG@10 | {budgets} |\n|{'---|' * 7}")
    for place in parser.parse_args().results:
        print(" | ".join(["", *_cells(read_results(place)), ""]).strip())


def _cells(study: StudyResult) -> Iterator[str]:
    best = max(study.trials, key=lambda trial: trial.mean(BY_TEN_HITS) or 0.0)
    yield f"`{study.suite}`, {study.trials[0].summary['judged_queries']:g}"
    yield f"{_short(best.name)} ({_coverage(best)})"
    for one in study.advice.budgets:
        yield _choice(one)


def _choice(one: BudgetAdvice) -> str:
    """Return the choice at a budget, in italics if it is not decided."""
    shown = _short(one.trial)
    shown += f" ({one.coverage:.3f})" if one.tokens is not None else ""
    return shown if one.decided else f"*{shown}*"


def _coverage(trial: TrialResult) -> str:
    value = trial.mean(AT_4000_TOKENS)
    return "-" if value is None else f"{value:.3f}"


def _short(name: str) -> str:
    for text, shorter in _LONG.items():
        name = name.replace(text, shorter)
    return name


if __name__ == "__main__":
    main()
