"""Numbers and notes of trials that were ranked by a vector engine."""

from collections.abc import Iterator, Sequence

import numpy as np

from bench.results.query_result import Numbers
from bench.study import Study, Trial

ENGINE_RECALL = "engine_recall_at_10"
ON_ENGINES = "vectors.ranked=true: "
"""Prefix of the note on engines."""


def engine_of(trial: Trial) -> str | None:
    """Return the name and version of a trial's engine, or None for exact search."""
    names = {one.ranking.engine for end in trial.judged for one in end.engine_recalls}
    return ", ".join(sorted(names)) or None


def engine_numbers(study: Study, trial: Trial) -> Numbers:
    """Return the mean recall of the engine, or nothing for other trials."""
    stages = dict.fromkeys(one for end in trial.judged for one in end.engine_recalls)
    shares = [study.result_of(stage).share for stage in stages if not study.has_failed(stage)]
    found = np.concatenate([np.zeros(0, np.float32), *shares])
    return {ENGINE_RECALL: float(found.mean(dtype=np.float64))} if len(found) else {}


def notes_on_engines(study: Study, trials: Sequence[Trial]) -> Iterator[str]:
    """Yield a note for each engine with the trials that it ranked."""
    by_engine: dict[str, list[Trial]] = {}
    for trial in trials:
        engine = engine_of(trial)
        if engine:
            by_engine.setdefault(engine, []).append(trial)
    for engine, own in by_engine.items():
        numbers = (engine_numbers(study, one).get(ENGINE_RECALL) for one in own)
        found = _shares([share for share in numbers if share is not None])
        counted = "1 trial" if len(own) == 1 else f"{len(own)} trials"
        yield f"{ON_ENGINES}{engine} ranked {counted} and found {found}; {_MEASURED}"


_MEASURED = "another build of its index may rank otherwise, so compare models without it"


def _shares(shares: Sequence[float]) -> str:
    """Return the range of the engine's recall at 10 over trials."""
    if not shares:
        return "nothing to compare"
    low, high = (f"{share:.1%}" for share in (min(shares), max(shares)))
    return f"{low if low == high else f'{low} to {high}'} of the 10 nearest chunks"
