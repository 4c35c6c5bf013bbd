"""Removal of trials that differ only in chunking and have identical chunks.

The documents decide which trials these are: every size cuts pages shorter than a chunk in the same
way. The check runs after chunking and before the long stages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.engine import Fingerprint, Outcome, Plan
from bench.settings import TrialSettings
from bench.settings.chunking import SizeTokens
from bench.study.study import Study
from bench.study.trial import Trial

CarryOut = Callable[[Plan], Mapping[Fingerprint, Outcome]]


@dataclass(frozen=True)
class DistinctCuts:
    """A study without trials whose chunks repeat those of another trial."""

    study: Study
    outcomes: Mapping[Fingerprint, Outcome]
    """Outcomes of the chunking stages."""
    notes: tuple[str, ...] = ()


def distinct_cuts(study: Study, carry_out: CarryOut) -> DistinctCuts:
    """Run chunking for trials that differ in nothing else, and keep one trial per result.

    A stage that fails here runs again with the others, and its trials report the reason.
    """
    families = [family for family in _grouped(study.trials, _apart_from_cuts) if len(family) > 1]
    cuts = [stage for family in families for trial in family for stage in trial.cuts]
    if not cuts:
        return DistinctCuts(study, {})
    outcomes = study.carry_out(carry_out, early=cuts)
    groups = [
        group
        for family in families
        for group in _grouped(family, lambda trial: _chunks(study, trial))
        if len(group) > 1
    ]
    again = {trial.name for group in groups for trial in group[1:]}
    kept = [trial for trial in study.trials if trial.name not in again]
    notes = tuple(dict.fromkeys(map(_said, groups)))
    return DistinctCuts(study.narrowed(kept) if again else study, outcomes, notes)


def _grouped(trials: Sequence[Trial], key: Callable[[Trial], object]) -> list[list[Trial]]:
    groups: dict[object, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(key(trial), []).append(trial)
    return list(groups.values())


def _apart_from_cuts(trial: Trial) -> TrialSettings | str:
    """Return the settings without chunking, or the name of a trial without a chunker."""
    if not trial.cuts:
        return trial.name
    return replace(
        trial.settings, chunker=None, headers=None, sizes=SizeTokens(), sentence_model=None
    )


def _chunks(study: Study, trial: Trial) -> tuple[str, ...]:
    """Return the digests of a trial's chunks, or its name if some are missing."""
    found = [study.digest_of(stage) for stage in trial.cuts]
    digests = tuple(digest for digest in found if digest is not None)
    return digests if len(digests) == len(found) else (trial.name,)


def _said(group: Sequence[Trial]) -> str:
    """Return a note on identical trials, named by the settings that differ between them."""
    axes = [trial.settings.axes for trial in group]
    every = dict.fromkeys(name for one in axes for name in one)
    names = [name for name in every if len({str(one.get(name)) for one in axes}) > 1]
    first, *others = (
        " ".join(f"{name}={one[name]}" for name in names if name in one) for one in axes
    )
    listed = ", ".join([first, *others[:-1]])
    return f"{listed} and {others[-1]} cut every document identically; only {first} was run"
