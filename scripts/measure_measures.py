"""Measure how long all rank measures take, pytrec_eval beside them on the same rankings.

Run as `python scripts/measure_measures.py [--queries 10000] [--hits 100]`. Both start from what
they take (arrays here, dictionaries there), on one thread; the best of several rounds counts, in
CPU-seconds. The values of both are compared before times are printed.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytrec_eval

from bench.measures import STANDARD, Characters, Rule, Scores, parse_measure, score
from bench.queries import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds

DOCUMENTS = 20_000
TARGETS = 4
ROUNDS = 7
SAME = {
    "recall_at_1": "recall_1",
    "recall_at_3": "recall_3",
    "recall_at_5": "recall_5",
    "recall_at_10": "recall_10",
    "precision_at_10": "P_10",
    "ndcg_at_10": "ndcg_cut_10",
    "map_at_10": "map_cut_10",
    "hit_at_1": "success_1",
    "hit_at_5": "success_5",
    "hit_at_10": "success_10",
    "mrr_at_1000": "recip_rank",
}


def main() -> None:
    """Print the seconds of rankgrid and pytrec_eval, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--hits", type=int, default=100)
    given = parser.parse_args()
    generator = np.random.default_rng(0)
    shape = (given.queries, given.hits)
    shown = np.stack(
        [generator.choice(DOCUMENTS, given.hits, replace=False) for _ in range(shape[0])]
    )
    right = np.concatenate(
        [shown[:, :: given.hits // 2][:, :2], _others(shape[0], generator)], axis=1
    )
    grades = generator.integers(1, 4, right.shape)

    order = np.argsort(right, axis=1)  # the order of resolved targets
    right, grades = (np.take_along_axis(one, order, axis=1) for one in (right, grades))
    ours = _ours(shown, right, grades)
    theirs = _theirs(shown, right, grades)
    found, mine = _timed(ours)
    expected, pytrec = _timed(theirs)
    _compare(found, expected)
    print(f"{shape[0]} queries x {shape[1]} hits, {len(SAME)} measures, equal values")
    print(f"rankgrid     {mine:7.3f} s")
    print(f"pytrec_eval  {pytrec:7.3f} s   {pytrec / mine:.1f} times as long")
    _, everything = _timed(_ours(shown, right, grades, tuple(m.column for m in STANDARD)))
    print(f"all {len(STANDARD)} standard measures, text and chunks among them: {everything:.3f} s")


def _others(queries: int, generator: np.random.Generator) -> Any:
    """Return relevant documents that are mostly not in the ranking."""
    return generator.integers(0, DOCUMENTS, (queries, TARGETS - 2))


def _ours(
    shown: Any, right: Any, grades: Any, columns: tuple[str, ...] = tuple(SAME)
) -> Callable[[], Scores]:
    count = np.arange(DOCUMENTS, dtype=np.int32)
    one = np.ones(DOCUMENTS, np.int32)
    chunks = Chunks(count, one * 0, one, one, one, one * 0, one)
    queries, hits = shown.shape
    rankings = Rankings(
        chunk=shown.reshape(-1).astype(np.int32),
        score=np.tile(np.arange(hits, 0, -1, dtype=np.float32), queries),
        stops=np.arange(hits, queries * hits + 1, hits, dtype=np.int64),
        mean=np.zeros(queries, np.float32),
        deviation=np.ones(queries, np.float32),
    )
    query = np.repeat(np.arange(queries, dtype=np.int32), right.shape[1])
    begin = np.zeros(len(query), np.int32)
    judgements = Judgements(
        query,
        begin,
        right.reshape(-1).astype(np.int32),
        begin,
        begin + 1,
        grades.reshape(-1).astype(np.int32),
    )
    tokens = TokenEnds(one, np.arange(1, DOCUMENTS + 1))
    rule = Rule(Characters(Documents.of([(f"{number:06}", "x") for number in range(DOCUMENTS)])))
    measures = tuple(map(parse_measure, columns))
    return lambda: score(
        rankings, chunks, judgements, tokens, query_count=queries, rule=rule, measures=measures
    )


def _theirs(shown: Any, right: Any, grades: Any) -> Callable[[], dict[str, dict[str, float]]]:
    hits = shown.shape[1]
    run = {
        str(query): {str(document): float(hits - place) for place, document in enumerate(row)}
        for query, row in enumerate(shown.tolist())
    }
    qrels: dict[str, dict[str, int]] = {}
    for query, (documents, own) in enumerate(zip(right.tolist(), grades.tolist(), strict=True)):
        judged = qrels.setdefault(str(query), {})
        for document, grade in zip(documents, own, strict=True):
            judged[str(document)] = max(grade, judged.get(str(document), 0))
    wanted = {
        "recall.1,3,5,10",
        "P.10",
        "ndcg_cut.10",
        "map_cut.10",
        "success.1,5,10",
        "recip_rank",
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, wanted)
    return lambda: evaluator.evaluate(run)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    best, found = float("inf"), None
    for _ in range(ROUNDS):
        started = time.process_time()
        found = work()
        best = min(best, time.process_time() - started)
    return found, best


def _compare(found: Scores, expected: dict[str, dict[str, float]]) -> None:
    for column, name in SAME.items():
        theirs = [expected[str(query)][name] for query in range(found.values.shape[1])]
        if not np.allclose(found.of("file", column), theirs, atol=1e-9):
            raise SystemExit(f"{column} and {name} differ: the times say nothing")


if __name__ == "__main__":
    main()
