"""A joint study from several finished studies with the same queries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from bench.errors import UsageError
from bench.results.advice_record import AdviceRecord
from bench.results.study_result import PlanSummary, StudyResult
from bench.results.trial_result import TrialResult

_SAME = ("level", "symbol_credit", "measure_version", "missing")
"""Fields that must be equal for comparable numbers, besides the corpus and the queries."""
_DIGITS = 10


def joined(studies: Sequence[StudyResult]) -> StudyResult:
    """Return a study of all distinct trials, without advice."""
    first, *others = studies
    for other in others:
        _refuse_difference(first, other)
    trials = _renamed([_in_order(trial, first) for one in studies for trial in one.trials])
    names = " ".join(one.id for one in studies)
    asked = dict.fromkeys(name for one in studies for name in one.settings.measures)
    return replace(
        first,
        id=f"joined-{sha256(names.encode()).hexdigest()[:_DIGITS]}",
        seconds=sum(one.seconds for one in studies),
        command="",
        settings=replace(first.settings, measures=tuple(asked)),
        notes=tuple(dict.fromkeys(_notes(studies))),
        plan=_added([one.plan for one in studies]),
        left_out=tuple(one for study in studies for one in study.left_out),
        trials=trials,
        advice=AdviceRecord(),
    )


def _refuse_difference(a: StudyResult, b: StudyResult) -> None:
    """Refuse studies whose numbers cannot be compared."""
    differing = next((name for name in _SAME if getattr(a, name) != getattr(b, name)), None)
    if differing:
        what = differing.replace("_", " ")
        message = f"{a.id} and {b.id}: their {what} differs; run one of them again"
        raise UsageError(f"{message} with the settings of the other")
    ours, theirs = a.corpus_by_name, b.corpus_by_name
    for name in dict.fromkeys([*ours, *theirs]):
        if name not in ours or name not in theirs:
            raise _different(a, b, f"only one of them searched {name}")
        if ours[name].documents != theirs[name].documents:
            raise _different(a, b, f"the documents of {name} differ")
        if ours[name].queries != theirs[name].queries:
            raise _different(a, b, f"the queries of {name} differ")


def _different(a: StudyResult, b: StudyResult, why: str) -> UsageError:
    return UsageError(f"{a.id} and {b.id}: {why}; give studies of the same queries")


def _in_order(trial: TrialResult, first: StudyResult) -> TrialResult:
    """Return a trial with its queries in the order of the first study, for comparisons by row."""
    model = next((one for one in first.trials if one.queries), None)
    if model is None or not trial.queries:
        return trial
    keys = [query.key for query in model.queries]
    if set(keys) != set(trial.by_key):
        message = f"{trial.name}: its results hold other queries than {model.name}"
        raise UsageError(f"{message}; give results files as their studies wrote them")
    return replace(trial, queries=tuple(trial.by_key[key] for key in keys))


def _renamed(trials: Sequence[TrialResult]) -> tuple[TrialResult, ...]:
    """Return the distinct trials with unique names."""
    kept: dict[tuple[str, str], TrialResult] = {}
    for trial in trials:
        kept.setdefault((trial.name, trial.fingerprint), trial)
    counts = Counter(name for name, _ in kept)
    found: dict[str, TrialResult] = {}
    for trial in kept.values():
        name = trial.name
        if counts[name] > 1:
            rivals = [one for one in kept.values() if one.name == name]
            name = " ".join([name, *_telling(trial, rivals)])
        number = 1 + sum(one.name == trial.name for one in found.values())
        name = f"{name} ({number})" if name in found else name
        found[name] = replace(trial, name=name)
    return tuple(found.values())


def _telling(trial: TrialResult, rivals: Sequence[TrialResult]) -> Iterator[str]:
    """Yield the settings that distinguish a trial from others of the same name."""
    for axis, value in trial.axes.items():
        if any(one.axes.get(axis) != value for one in rivals):
            yield f"{axis}={value}"


def _notes(studies: Sequence[StudyResult]) -> Iterator[str]:
    yield f"one report over {len(studies)} studies: {', '.join(one.id for one in studies)}"
    for study in studies:
        yield from study.notes
    machines = {trial.latency.machine for one in studies for trial in one.trials} - {None}
    if len(machines) > 1:
        yield "warning: latencies were measured on different machines; do not compare them"
    versions: dict[str, set[int]] = {}
    for study in studies:
        for name, version in study.stage_versions.items():
            versions.setdefault(name, set()).add(version)
    changed = sorted(name for name, found in versions.items() if len(found) > 1)
    if changed:
        yield f"warning: the studies were made by different versions of {', '.join(changed)}"


def _added(plans: Sequence[PlanSummary]) -> PlanSummary:
    return PlanSummary(
        distinct=sum(one.distinct for one in plans),
        executed=sum(one.executed for one in plans),
        reused=sum(one.reused for one in plans),
        failed=sum(one.failed for one in plans),
        separate=sum(one.separate for one in plans),
        seconds=sum(one.seconds for one in plans),
        separate_seconds=sum(one.separate_seconds for one in plans),
        skipped=sum(one.skipped for one in plans),
    )
