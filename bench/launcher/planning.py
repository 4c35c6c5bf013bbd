"""Construction of a study from a grid: its corpus is read and identified, but no stage runs."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from bench.engine import ArtifactStore
from bench.errors import SettingError
from bench.launcher.grid import Grid, chooses_weights
from bench.measures import SHOWN_TOKENS
from bench.models import fetch_model
from bench.queries import finest_level, levels_of
from bench.study import Corpus, Study, Trial, prepare, refuse_left_out
from bench.wiring import open_store


def planned(grid: Grid, measures: Sequence[str] = ()) -> Study:
    """Return the trials of a grid as a study on its store.

    `measures` are computed in addition to those of the settings.
    """
    store = open_store(grid.settings)
    corpus = corpus_of(grid, store, measures)
    refuse_left_out(corpus)
    _refuse_unjudged(corpus)
    return study_of(grid, corpus, store)


def _refuse_unjudged(corpus: Corpus) -> None:
    """Refuse a level at which no query has a target, because nothing could be scored."""
    queries = [query for one in corpus.repositories for query in one.queries]
    judged = [levels_of(query) for query in queries if not query.negative]
    if judged and not any(corpus.level in levels for levels in judged):
        message = f"measure_level={corpus.level}: no query has an answer at this level"
        raise SettingError(f"{message}; use measure_level={finest_level(queries)}")


def corpus_of(grid: Grid, store: ArtifactStore, measures: Sequence[str] = ()) -> Corpus:
    """Return the documents and queries for the trials of a grid."""
    first, settings = grid.trials[0][1], grid.settings
    objective = () if settings.advice.is_of_answers else (settings.advice.measure,)
    columns = dict.fromkeys([*settings.measures, *objective, SHOWN_TOKENS, *measures])
    chooses = any(chooses_weights(trial) or trial.calibrates for _, trial in grid.trials)
    return prepare(
        first.suite,
        store,
        level=first.measure_level,
        measures=tuple(columns),
        chooses=chooses,
        output=settings.output,
    )


def study_of(grid: Grid, corpus: Corpus, store: ArtifactStore) -> Study:
    """Return the trials of a grid on a corpus."""
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    latency = name if grid.settings.latency == "fresh" else grid.settings.latency
    objective = grid.settings.advice.measure_of_weights
    trials = tuple(
        Trial.of(title, trial, corpus, latency=latency, objective=objective)
        for title, trial in grid.trials
    )
    return Study(name, corpus, trials, store)


def fetch_models(study: Study, grid: Grid, *, say: Callable[[str], None]) -> None:
    """Download missing models, so that a failure ends the study before any stage runs."""
    models = {model for _, trial in grid.trials for model in trial.models}
    for name in sorted(models) if study.remaining.stages else ():
        fetch_model(name, say=say)
