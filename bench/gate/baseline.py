"""Comparison of a study with a baseline: pass, fail, too few queries, or not comparable."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bench.advice import gate_sentences, plural
from bench.analysis import (
    GateState,
    Sampling,
    ScoreMatrix,
    default_margin,
    judge_change,
    visible_drop,
)
from bench.compare import (
    CompareReport,
    Kind,
    Matched,
    Pair,
    Pairing,
    compare,
    dropped_lines,
    match_queries,
    paired,
    score_matrix,
    shared_questions,
    study_causes,
)
from bench.compare.tiers import regressed, tiers
from bench.gate.checks import PRIMARY, Check, State, chosen, failed_queries
from bench.printable import one_line
from bench.results import StudyResult

_USUAL_DEVIATION = 0.17
"""Typical standard deviation of differences when few queries change, as in most changes."""
_MOST_QUERIES = 10
_MANY_DROPPED = 0.2
"""Share of excluded queries above which a warning is shown."""
_ALL_LOST = "every query lost a target, so that nothing can be compared; update the targets"
_STATES = {
    GateState.PASS: State.PASS,
    GateState.FAIL: State.FAIL,
    GateState.INCONCLUSIVE: State.INCONCLUSIVE,
}


@dataclass(frozen=True)
class Allowed:
    """The largest allowed drop, and the repositories in which a drop is ignored."""

    measure: str = PRIMARY
    drop: float | None = None
    """None means 0.02, or 0.05 with fewer than 450 queries."""
    waived: tuple[str, ...] = ()
    seed: int = 0
    against: str = ""
    """Name of the baseline in messages; "" for the id of its study."""
    trials: int = 1
    """Number of trials that are tested together and share the error rates."""


def baseline_checks(
    study: StudyResult, baseline: StudyResult, allowed: Allowed, *, of: str
) -> list[Check]:
    """Test every trial against its counterpart in the baseline, or the best against the best."""
    asked = _asked(allowed, baseline)
    breaks = [str(cause) for cause in study_causes(baseline, study) if cause.breaks]
    if breaks:
        said = tuple(f"{line} (a: the baseline, b: this study)" for line in breaks)
        return [Check("", asked, State.NOT_COMPARABLE, said)]
    pairing = _pairing(study, baseline, of=of)
    if not pairing.pairs:
        line = "no trial has the configuration or the name of one of the baseline"
        return [Check("", asked, State.NOT_COMPARABLE, (line,))]
    together = replace(allowed, trials=len(pairing.pairs))
    return [_judged(baseline, study, pair, together) for pair in pairing.pairs]


def without_baseline(study: StudyResult, baseline: StudyResult, *, of: str) -> tuple[str, ...]:
    """Return the trials without a counterpart in the baseline."""
    return () if of == "best" else _pairing(study, baseline, of=of).only_b


def _asked(allowed: Allowed, baseline: StudyResult) -> str:
    drop = "" if allowed.drop is None else f" by {allowed.drop:g}"
    return f"{allowed.measure} not worse{drop} than in {allowed.against or baseline.id}"


def _pairing(study: StudyResult, baseline: StudyResult, *, of: str) -> Pairing:
    if of == "all":
        return paired(baseline, study)
    before, after = chosen(baseline, of="best"), chosen(study, of="best")
    pairs = [Pair(a, b, "the best of each") for a, b in zip(before, after, strict=False)]
    return Pairing(tuple(pairs))


def _judged(baseline: StudyResult, study: StudyResult, pair: Pair, allowed: Allowed) -> Check:
    asked = _asked(allowed, baseline)
    if pair.a.failed or pair.b.failed:
        which = "the baseline's trial" if pair.a.failed else "the trial"
        state = State.NOT_COMPARABLE if pair.a.failed else State.FAIL
        return Check(pair.b.name, asked, state, (f"{which} {pair.a.name} failed",))
    unanswered = failed_queries(pair.b)
    if unanswered:
        return Check(pair.b.name, asked, State.FAIL, (unanswered,))
    matched = match_queries(pair.a, pair.b, shared_questions(baseline, study))
    if matched.dropped and not matched.both:
        lost = (_ALL_LOST, *dropped_lines(matched.dropped))
        return Check(pair.b.name, asked, State.NOT_COMPARABLE, lost)
    report = compare(baseline, study, pair)
    matrix = score_matrix(pair.a, pair.b, report.matched, allowed.measure)
    if matrix is None:
        line = f"{allowed.measure} is not in both files"
        return Check(pair.b.name, asked, State.NOT_COMPARABLE, (line,))
    return _tested(report, matrix, allowed, asked)


def _tested(report: CompareReport, matrix: ScoreMatrix, allowed: Allowed, asked: str) -> Check:
    if not (matrix.values[:, 0] != matrix.values[:, 1]).any():
        return _unchanged(report, matrix, allowed, asked)
    margin = allowed.drop if allowed.drop is not None else default_margin(matrix.units)
    found = judge_change(
        matrix,
        "b",
        "a",
        Sampling(allowed.seed),
        margin=margin,
        waived=allowed.waived,
        trials=allowed.trials,
    )
    usual = found.visible_drop is None
    visible = found.visible_drop or _usually_visible(matrix, allowed.trials)
    head = f"{allowed.measure} {_against(report)}"
    lines = (
        head,
        *gate_sentences(found),
        *_about_tiers(report, allowed.measure),
        _about_visible(visible, usual=usual),
        *_about_dropped(report.matched),
    )
    state = _STATES[found.state]
    details = () if state is State.PASS else _flips(report)
    return Check(report.pair.b.name, asked, state, lines, details, report, visible)


def _unchanged(report: CompareReport, matrix: ScoreMatrix, allowed: Allowed, asked: str) -> Check:
    """Return a passed check for identical scores, which need no test."""
    count = "1 query" if matrix.queries == 1 else f"{matrix.queries} queries"
    line = f"no {allowed.measure} of {count} changed, {_against(report)}"
    visible = _usually_visible(matrix, allowed.trials)
    lines = (line, _about_visible(visible, usual=True), *_about_dropped(report.matched))
    return Check(report.pair.b.name, asked, State.PASS, lines, (), report, visible)


def _about_tiers(report: CompareReport, measure: str) -> Iterator[str]:
    """Yield a line with the change of each difficulty, and the tiers that are worse."""
    *named, _ = tiers(report, (measure,))
    changes = (
        f"{one_line(tier.name)} {delta.value:+.4f} ({plural(tier.queries, 'query', 'queries')})"
        for tier in named
        for delta in tier.deltas
    )
    told = ", ".join(changes)
    if told:
        yield f"by difficulty: {told}; {regressed(report, {measure: measure})}"


def _about_dropped(matched: Matched) -> Iterator[str]:
    """Yield the questions lost by changes of the code, and a warning if they are many."""
    if not matched.dropped:
        return
    whole = len(matched.both) + len(matched.dropped)
    yield f"{len(matched.both)} of {whole} queries are compared; left out:"
    yield from dropped_lines(matched.dropped)
    if matched.dropped_share > _MANY_DROPPED:
        yield (
            f"warning: {matched.dropped_share:.0%} of the queries are left out, and the gate does "
            "not see what became of them. Update their targets"
        )


def _against(report: CompareReport) -> str:
    return f"against {report.pair.a.name} ({report.pair.why})"


def _usually_visible(matrix: ScoreMatrix, trials: int) -> float:
    """Return the drop detected in 80 % of runs, assuming that few queries change."""
    error = _USUAL_DEVIATION * math.sqrt(float(np.sum(matrix.weights**2)))
    return visible_drop(error, trials)


def _about_visible(drop: float, *, usual: bool) -> str:
    how = "where few queries change" if usual else "by how much queries changed here"
    return f"the smallest drop that this suite shows in 80 % of runs is {drop:.3f} ({how})"


def _flips(report: CompareReport) -> tuple[str, ...]:
    """Return the queries that got worse, those no longer found first."""
    worse = [*report.of_kind(Kind.REGRESSION), *report.of_kind(Kind.LOSS)]
    lines = [
        f"{one.kind} {one.repository}/{one.query}: rank {one.a_rank or 'none'}"
        f" → {one.b_rank or 'none'}"
        for one in worse[:_MOST_QUERIES]
    ]
    if len(worse) > _MOST_QUERIES:
        lines.append(f"and {len(worse) - _MOST_QUERIES} more (rankgrid compare shows them)")
    return tuple(lines)
