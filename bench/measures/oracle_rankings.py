"""Reference rankings made from the ground truth: an oracle, and the most popular chunks.

A retriever that does not beat the most popular chunks ignores the queries. The oracle is the best
ranking that the chunks allow. At its level, no ranking has an earlier first relevant hit or finds
more targets. With equal grades, no ranking has a higher NDCG. Precision, recall at fewer hits than
targets and token budgets can be higher, because the oracle is greedy: at each step it takes the
chunk that adds the most.
"""

from dataclasses import dataclass

import numpy as np

from bench.measures.ceilings import matching_chunks
from bench.measures.matching import LEVELS, Judged, Rule, Targets
from bench.measures.ranges import Integers
from retrievers.interface import Chunks, Rankings


@dataclass(frozen=True)
class Answers:
    """Pairs of targets and chunks that match; each query has the targets of a single level."""

    query: Integers
    target: Integers
    chunk: Integers
    grade: Integers

    @classmethod
    def of(
        cls, chunks: Chunks, judgements: Judged, rule: Rule, *, level: str = "span"
    ) -> "Answers":
        """Return the pairs at `level`, or at the next coarser level that a query has."""
        parts, done = [], np.zeros(judgements.query.max(initial=-1) + 1, np.bool_)
        first = 0
        for number in reversed(range(LEVELS.index(level) + 1)):
            targets = Targets.at(judgements, number)
            target, chunk = matching_chunks(chunks, targets, rule)
            fresh = ~done[targets.query[target]]
            target, chunk = target[fresh], chunk[fresh]
            parts.append((targets.query[target], target + first, chunk, targets.grade[target]))
            done[targets.query] = True
            first += len(targets)
        columns = zip(*parts, strict=True)
        rows = np.stack([np.concatenate(column) for column in columns])
        # A chunk that matches several alternatives of a target finds it once.
        query, target, chunk, grade = np.unique(rows, axis=1)
        return cls(query, target, chunk, grade)


def oracle(answers: Answers, chunks: Chunks, query_count: int) -> Rankings:
    """Rank greedily by the grades that each chunk adds; ties go to the shortest chunk."""
    tokens = chunks.end_token.astype(np.int64) - chunks.start_token
    bounds = np.searchsorted(answers.query, np.arange(query_count + 1))
    chosen = [
        _best_first(answers, slice(first, last), tokens)
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
    return _ranked([(each, np.arange(len(each), 0, -1)) for each in chosen])


def popular(answers: Answers, query_count: int) -> Rankings:
    """Rank the same chunks for every query: those that match the most other queries."""
    pairs = np.unique(np.stack([answers.query, answers.chunk]), axis=1)
    chunk, place = np.unique(pairs[1], return_inverse=True)
    counts = np.bincount(place, minlength=len(chunk))
    hits = []
    for query in range(query_count):
        others = counts - np.bincount(place[pairs[0] == query], minlength=len(chunk))
        order = np.argsort(-others, kind="stable")
        order = order[others[order] > 0]
        hits.append((chunk[order], others[order]))
    return _ranked(hits)


def _best_first(answers: Answers, rows: slice, tokens: Integers) -> Integers:
    target, chunk, grade = answers.target[rows], answers.chunk[rows], answers.grade[rows]
    chosen: list[int] = []
    while len(target):
        candidates, place = np.unique(chunk, return_inverse=True)
        gain = np.bincount(place, grade)
        best = int(candidates[np.lexsort((tokens[candidates], -gain))[0]])
        chosen.append(best)
        left = ~np.isin(target, target[chunk == best])
        target, chunk, grade = target[left], chunk[left], grade[left]
    return np.array(chosen, np.int64)


def _ranked(hits: list[tuple[Integers, Integers]]) -> Rankings:
    nothing = np.zeros(len(hits))
    return Rankings.of(hits, nothing, nothing)
