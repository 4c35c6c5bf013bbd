"""Notes on unknown and missing entries of imported rankings."""

from collections.abc import Iterator, Sequence

from bench.stages import TakeRun
from bench.study import Study, Trial

_NAMED = 3


def notes_on_runs(study: Study, trials: Sequence[Trial]) -> Iterator[str]:
    """Yield a note for each trial whose rankings were read from a file."""
    for trial in trials:
        stages = [
            stage for end in trial.judged for stage in end.answers if isinstance(stage, TakeRun)
        ]
        if not stages:
            continue
        found = [study.result_of(stage) for stage in stages]
        unknown = [name for one in found for name in one.unknown]
        absent = [name for one in found for name in one.absent]
        # A query that is missing in one repository may belong to another one of the suite.
        unasked = sorted(set.intersection(*({*one.unasked} for one in found)))
        said = [
            _counted(unknown, "ranked place is", "ranked places are", "unknown and left out"),
            _counted(absent, "query has", "queries have", "no ranking and count as misses"),
            _counted(unasked, "query", "queries", "of the file not asked"),
        ]
        if any(said):
            kind = "warning: " if unknown or absent else ""
            yield f"{kind}{trial.name}: {'; '.join(filter(None, said))}"


def _counted(names: Sequence[str], one: str, many: str, what: str) -> str:
    """Return the number of names and the first few of them, or nothing without names."""
    if not names:
        return ""
    distinct = list(dict.fromkeys(names))
    more = ", …" if len(distinct) > _NAMED else ""
    noun = one if len(names) == 1 else many
    return f"{len(names):,} {noun} {what} ({', '.join(distinct[:_NAMED])}{more})"
