"""The comparison of two trials, with all data for pages, files and gates."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bench.advice import caveat_text, sign_count_text
from bench.compare.aggregate import AggregateMetrics, aggregate, aggregate_deltas
from bench.compare.causes import Cause, known_causes, same_chunking
from bench.compare.deltas import (
    CostDelta,
    Delta,
    cost_deltas,
    measure_deltas,
    shared_targets,
)
from bench.compare.pairing import Pair
from bench.compare.queries import Kind, Matched, QueryComparison, match_queries
from bench.compare.questions import dropped_lines, shared_questions
from bench.errors import UsageError
from bench.results import StudyResult

_DECIMALS = 4


@dataclass(frozen=True)
class CompareReport:
    """Comparison of two trials: a is the baseline of b."""

    a: StudyResult
    b: StudyResult
    pair: Pair
    exact: bool
    """Whether both cut documents in the same way, so that chunks are comparable one by one."""
    causes: tuple[Cause, ...]
    matched: Matched
    deltas: tuple[Delta, ...]
    costs: tuple[CostDelta, ...]
    shared_targets: int
    trials: int = 1
    """Number of trials that are compared together."""

    @property
    def chunker_version_match(self) -> str:
        """Method that matches hits of the two trials: exact, or by document and lines."""
        return "exact" if self.exact else "fallback_doc_span"

    @property
    def aggregates(self) -> tuple[AggregateMetrics, AggregateMetrics]:
        """Aggregated numbers of each trial over all of its queries."""
        return aggregate(self.pair.a), aggregate(self.pair.b)

    def of_kind(self, kind: Kind) -> list[QueryComparison]:
        """Return the queries of a class."""
        return [one for one in self.matched.both if one.kind is kind]


def compare(
    a: StudyResult, b: StudyResult, pair: Pair, *, strict: bool = False, trials: int = 1
) -> CompareReport:
    """Compare a pair of trials; `strict` refuses trials with different chunking.

    The error rate is divided by `trials`, the number of trials that are compared together.
    """
    for study, trial in ((a, pair.a), (b, pair.b)):
        if trial.failed:
            message = f"study {study.id}: {trial.name} failed and has no rankings to compare"
            raise UsageError(message)
    exact = same_chunking(pair.a, pair.b)
    if strict and not exact:
        raise UsageError(_strictly(pair))
    matched = match_queries(pair.a, pair.b, shared_questions(a, b))
    if not matched.both:
        raise UsageError(f"studies {a.id} and {b.id}: {_nothing_shared(matched)}")
    return CompareReport(
        a=a,
        b=b,
        pair=pair,
        exact=exact,
        causes=known_causes(a, b, pair.a, pair.b),
        matched=matched,
        deltas=measure_deltas(pair.a, pair.b, matched, trials=trials),
        costs=cost_deltas(pair.a, pair.b),
        shared_targets=shared_targets(matched),
        trials=trials,
    )


def _nothing_shared(matched: Matched) -> str:
    """Return the reason why no query can be compared."""
    if not matched.dropped:
        return "the two have no query in common; compare studies of one suite"
    lost = "; ".join(dropped_lines(matched.dropped))
    return f"no target of one tree is in the other ({lost}); compare nearer revisions"


def _strictly(pair: Pair) -> str:
    return (
        f"--strict-chunker-version: {pair.a.name} and {pair.b.name} cut documents differently;"
        " leave the flag out to compare by document and lines"
    )


def as_json(report: CompareReport) -> dict[str, Any]:
    """Return a comparison as plain JSON: 4 decimals, null for unknown numbers."""
    of_a, of_b = report.aggregates
    return {
        "run_a": report.a.id,
        "run_b": report.b.id,
        "trial_a": report.pair.a.name,
        "trial_b": report.pair.b.name,
        "paired_by": report.pair.why,
        "level": report.b.level,
        "aggregate_a": asdict(of_a),
        "aggregate_b": asdict(of_b),
        "deltas": {
            "chunker_version_match": report.chunker_version_match,
            **aggregate_deltas(of_a, of_b),
            **{delta.measure: _round(delta.value) for delta in report.deltas},
            **{cost.name: _round(cost.b - cost.a) for cost in report.costs},
        },
        "intervals": {delta.measure: _intervals(delta) for delta in report.deltas},
        "causes": [{"kind": str(cause.kind), "text": cause.text} for cause in report.causes],
        "counts": {str(kind): len(report.of_kind(kind)) for kind in Kind},
        "not_compared": {
            "changed": list(report.matched.changed),
            "only_a": list(report.matched.only_a),
            "only_b": list(report.matched.only_b),
            "negative": len(report.matched.negative),
            "left_out": [
                {"query": one.name, "reason": str(one.reason), "target": one.target}
                for one in report.matched.dropped
            ],
        },
        "per_query": [_query(one, report) for one in report.matched.both],
    }


def _intervals(delta: Delta) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, one in (("here", delta.here), ("elsewhere", delta.elsewhere)):
        interval = one.interval if one else None
        found[name] = interval and [_round(interval.low), _round(interval.high)]
    return {
        **found,
        "p": None if delta.p_together is None else _round(delta.p_together),
        "repositories": sign_count_text(delta.signs),
        "notes": [caveat_text(note) for note in delta.here.notes] if delta.here else [],
    }


def _query(one: QueryComparison, report: CompareReport) -> Mapping[str, Any]:
    return {
        "query_id": one.query,
        "repository": one.repository,
        "kind": str(one.kind),
        "a_hit_rank": one.a_rank,
        "b_hit_rank": one.b_rank,
        "note": note_on(one, report),
    }


def note_on(one: QueryComparison, report: CompareReport) -> str | None:
    """Return the known differences for a query that flipped, or None."""
    if not one.flipped or not report.causes:
        return None
    return "; ".join(map(str, report.causes))


def _round(value: float) -> float:
    return round(value, _DECIMALS)
