"""The gate of a study: opened before the run to fail early, closed with the result."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.errors import UsageError, nearest
from bench.gate.flags import GateFlags
from bench.gate.limits import check_groups
from bench.gate.outputs import write_outputs
from bench.gate.verdict import Asked, Verdict, judge
from bench.results import Found, StudyResult
from bench.settings import StudySettings
from bench.study import Corpus


@dataclass(frozen=True)
class Gate:
    """The requirements on a study, and the baseline as it was before the study began."""

    flags: GateFlags
    asked: Asked
    baseline: StudyResult | None

    def close(self, result: StudyResult) -> tuple[Verdict, tuple[str, ...]]:
        """Judge a finished study and write the requested files; return the lines to print."""
        verdict = judge(result, self.asked, baseline=self.baseline)
        annotations = write_outputs(verdict, self.flags)
        return verdict, (*verdict.lines, *annotations)


def open_gate(
    flags: GateFlags,
    settings: StudySettings,
    corpus: Corpus,
    find_study: Callable[[str, StudySettings], Found],
) -> Gate:
    """Read the baseline with `find_study`, and refuse flags that do not fit the suite."""
    check_groups(flags.limits, _groups(corpus))
    _check_waived(flags, corpus)
    baseline = None
    if flags.baseline:
        baseline = find_study(flags.baseline, settings).study
    return Gate(flags, flags.asked(of=settings.gate.of, seed=settings.seed), baseline)


def _groups(corpus: Corpus) -> dict[str, set[str]]:
    queries = [query for one in corpus.repositories for query in one.queries if query.targets]
    return {
        "repository": {one.name for one in corpus.repositories},
        "difficulty": {query.difficulty for query in queries},
        "category": {query.category for query in queries},
        "tag": {tag for query in queries for tag in query.tags},
    }


def _check_waived(flags: GateFlags, corpus: Corpus) -> None:
    names = [one.name for one in corpus.repositories]
    for name in flags.waived:
        if name not in names:
            message = f"--waive {name}: no such repository in the suite; {nearest(name, names)}"
            raise UsageError(message)
