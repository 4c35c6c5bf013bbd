"""Baseline of a study: a stored study, or a revision of the searched folder, measured now.

`tree:REVISION` uses the questions of that revision with the current settings. The repository is
read from git's objects, so nothing is checked out or executed. Results are cached by content, so
unchanged files cost nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.corpora import CommittedFolder, LocalSource, committed_folder, write_committed
from bench.errors import SourceError, UsageError
from bench.launcher.grid import Grid
from bench.launcher.planning import corpus_of, fetch_models, study_of
from bench.results import (
    TREE,
    AdviceRecord,
    Found,
    StudyResult,
    completed,
    rounded,
)
from bench.results.collect import collect
from bench.results.following import following
from bench.settings import RepositorySettings, StudySettings, SuiteSettings
from bench.study import Corpus, Study
from bench.wiring import executor, find_study, open_store

NAME = "baseline.json"
"""File of the measured baseline, in the folder of the study that is compared with it."""


@dataclass(frozen=True)
class Baselines:
    """Finder of baselines. A revision is measured with the settings of the study."""

    grid: Grid
    measures: Sequence[str]
    say: Callable[[str], None]

    def find(self, text: str, settings: StudySettings) -> Found:
        """Return a stored study, or the measured study of a revision."""
        if not text.startswith(TREE):
            return find_study(text, settings)
        started, revision = time.perf_counter(), text.removeprefix(TREE)
        with TemporaryDirectory(prefix="rankgrid-baseline-") as folder:
            grid = _grid_at(self.grid, revision, Path(folder))
            store = open_store(grid.settings)
            corpus = _tolerant(corpus_of(grid, store, self.measures))
        study = study_of(grid, corpus, store)
        fetch_models(study, grid, say=self.say)
        outcomes = study.carry_out(executor(settings.execution, store, say=self.say))
        result = collect(study, outcomes, grid.notes, settings=settings)
        seconds = time.perf_counter() - started
        self.say(f"baseline {text}: {seconds:.1f} s")
        return Found(rounded(completed(result, AdviceRecord(), command="", seconds=seconds)), text)


def followed(study: Study, grid: Grid, baseline: StudyResult | None) -> Study:
    """Return a study that follows the targets of its baseline through changes of the code."""
    if baseline is None:
        return study
    return study_of(grid, following(study.corpus, baseline), study.store)


def _grid_at(grid: Grid, revision: str, folder: Path) -> Grid:
    """Return a grid on the searched folders at a revision, without a measurement of latency."""
    suite = grid.trials[0][1].suite
    _refuse_pinned(suite.asked_repositories, revision)
    repositories = tuple(_repositories_at(suite, revision, folder))
    suite = replace(suite, repositories=repositories)
    trials = tuple((name, replace(trial, suite=suite)) for name, trial in grid.trials)
    return replace(grid, trials=trials, settings=replace(grid.settings, latency="off"))


def _refuse_pinned(repositories: Sequence[RepositorySettings], revision: str) -> None:
    if not any(isinstance(one.source, LocalSource) for one in repositories):
        message = (
            f"--baseline {TREE}{revision}: the suite does not search a folder of this machine"
        )
        raise UsageError(f"{message}. Use a results file as the baseline.")


def _repositories_at(
    suite: SuiteSettings, revision: str, folder: Path
) -> Iterator[RepositorySettings]:
    """Yield the repositories with their questions at a revision; pinned ones are unchanged."""
    for number, one in enumerate(suite.repositories):
        if not isinstance(one.source, LocalSource) or not suite.only.takes(one.name):
            yield one
            continue
        committed = _committed(one, Path(one.source.path), revision)
        # A revision from before the first questions gets the current ones.
        queries = write_committed(one.queries, revision, folder / str(number))
        yield replace(one, committed=committed, queries=queries or one.queries)


def _committed(one: RepositorySettings, folder: Path, revision: str) -> CommittedFolder:
    try:
        return committed_folder(folder, revision, own=(one.queries,))
    except SourceError as error:
        raise UsageError(f"--baseline {TREE}{revision}: {error.message}") from error


def _tolerant(corpus: Corpus) -> Corpus:
    """Return a corpus that excludes queries whose targets do not exist in the tree."""
    repositories, choosing = (
        tuple(replace(one, earlier={}) for one in part)
        for part in (corpus.repositories, corpus.choosing)
    )
    return replace(corpus, repositories=repositories, choosing=choosing)
