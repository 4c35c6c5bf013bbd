"""Pairs of trials of two studies for comparison."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.errors import UsageError, nearest
from bench.results import StudyResult, TrialResult


@dataclass(frozen=True)
class Pair:
    """Two trials to compare, and the reason for pairing them."""

    a: TrialResult
    b: TrialResult
    why: str


@dataclass(frozen=True)
class Pairing:
    """The pairs, and the trials without a partner."""

    pairs: tuple[Pair, ...]
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()


def named_pair(a: StudyResult, b: StudyResult, *, of_a: str, of_b: str) -> Pairing:
    """Return the pair of two named trials; a study with one trial needs no name."""
    return Pairing((Pair(_named(a, of_a, "a"), _named(b, of_b, "b"), "as named"),))


def against_one(a: StudyResult, b: StudyResult, name: str) -> Pairing:
    """Pair every trial of b with one trial of a, except itself and failed trials."""
    one = _named(a, name, "a")
    others = [t for t in b.trials if not t.failed and not (a.id == b.id and t.name == one.name)]
    if not others:
        message = f"b (study {b.id}): no other trial than {one.name} has a result to compare"
        raise UsageError(message)
    return Pairing(tuple(Pair(one, trial, "against one trial of a") for trial in others))


def paired(a: StudyResult, b: StudyResult) -> Pairing:
    """Pair trials by equal configuration, then by name; two single trials are a pair."""
    if len(a.trials) == 1 and len(b.trials) == 1:
        return Pairing((Pair(a.trials[0], b.trials[0], "the only trial of each"),))
    pairs = _matched(a.trials, b.trials, _same_settings, "equal configuration")
    rest_a, rest_b = (
        _left(a.trials, [pair.a for pair in pairs]),
        _left(b.trials, [pair.b for pair in pairs]),
    )
    pairs += _matched(rest_a, rest_b, _same_name, "equal name")
    return Pairing(
        tuple(pairs),
        tuple(trial.name for trial in _left(a.trials, [pair.a for pair in pairs])),
        tuple(trial.name for trial in _left(b.trials, [pair.b for pair in pairs])),
    )


def differing(a: TrialResult, b: TrialResult) -> dict[str, tuple[object, object]]:
    """Return the settings that differ; missing settings count as None."""
    before, after = a.settings, b.settings
    values = {name: (before.get(name), after.get(name)) for name in before | after}
    return {name: pair for name, pair in values.items() if pair[0] != pair[1]}


def _named(study: StudyResult, name: str, which: str) -> TrialResult:
    known = {trial.name: trial for trial in study.trials}
    if not name and len(known) == 1:
        return study.trials[0]
    if name in known:
        return known[name]
    asked = f"no trial {name!r}" if name else f"it has {len(known)} trials"
    message = f"{which} (study {study.id}): {asked}; {nearest(name, known)}"
    raise UsageError(message)


def _same_settings(a: TrialResult, b: TrialResult) -> bool:
    return not differing(a, b)


def _same_name(a: TrialResult, b: TrialResult) -> bool:
    return a.name == b.name


def _matched(
    a: Sequence[TrialResult],
    b: Sequence[TrialResult],
    same: Callable[[TrialResult, TrialResult], bool],
    why: str,
) -> list[Pair]:
    free = list(b)
    found = []
    for trial in a:
        partner = next((other for other in free if same(trial, other)), None)
        if partner is not None:
            free.remove(partner)
            found.append(Pair(trial, partner, why))
    return found


def _left(trials: Sequence[TrialResult], taken: Sequence[TrialResult]) -> list[TrialResult]:
    names = {trial.name for trial in taken}
    return [trial for trial in trials if trial.name not in names]
