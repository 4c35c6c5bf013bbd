"""Whether trials reach the floors; no number is never enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.measures import parse_measure
from bench.study import StudyResult, TrialResult

_MOST_QUERIES = 10


@dataclass(frozen=True)
class Verdict:
    """Whether the gate is passed, and the lines that say why not."""

    passed: bool
    lines: tuple[str, ...]


def check_floor_names(floors: Mapping[str, float]) -> None:
    """Refuse a floor under a measure that does not exist."""
    for name in floors:
        parse_measure(name)


def judge(result: StudyResult, floors: Mapping[str, float], *, of: str) -> Verdict:
    """Compare every trial, or the best one, with every floor."""
    if not floors:
        return Verdict(passed=True, lines=())
    trials = list(result.trials) if of == "all" else _best(result.trials)
    below = [
        line
        for trial in trials
        for name, floor in floors.items()
        for line in _below(trial, name, floor, level=result.level)
    ]
    passed = bool(trials) and not below
    said = [f"{name} ≥ {floor}" for name, floor in floors.items()]
    who = "every trial" if of == "all" else "the best trial"
    verdict = f"gate: {'passed' if passed else 'failed'} ({', '.join(said)} for {who})"
    return Verdict(passed, (*below, verdict))


def _best(trials: Sequence[TrialResult]) -> list[TrialResult]:
    done = [trial for trial in trials if trial.summary.get("avg_ndcg_at_10") is not None]
    return [max(done, key=lambda trial: trial.summary["avg_ndcg_at_10"] or 0.0)] if done else []


def _below(trial: TrialResult, name: str, floor: float, *, level: str) -> list[str]:
    """Return lines if the trial is below the floor, the queries that miss most among them."""
    value = trial.summary.get(f"avg_{name}")
    if value is not None and value >= floor:
        return []
    shown = "no result" if value is None else f"{value:.4f}"
    short = _short_queries(trial, name, floor)
    lines = [f"gate: {trial.name}: {name} is {shown} at {level} level, below {floor}"]
    lines += [
        f"  {query}: {name} {number:.2f}, {where}"
        for query, number, where in short[:_MOST_QUERIES]
    ]
    if len(short) > _MOST_QUERIES:
        lines.append(f"  and {len(short) - _MOST_QUERIES} more (results.json has them all)")
    return lines


def _short_queries(trial: TrialResult, name: str, floor: float) -> list[tuple[str, float, str]]:
    rows = []
    for query in trial.queries:
        number = query.numbers.get(name)
        if number is None or number >= floor:
            continue
        rank = query.first_rank
        rows.append(
            (query.id, number, f"first right at {rank}" if rank else "nothing right found")
        )
    return sorted(rows, key=lambda row: row[1])
