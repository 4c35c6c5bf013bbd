"""The logged content of a study: parameters, measures and tags of a parent and its trials.

This module does not know MLflow's client.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from bench.results import COLUMNS, AdviceRecord, Column, StudyResult, TrialResult, Tuning
from bench.results.short_names import ShortNames, short_names
from bench.tracking.datasets import Dataset, datasets_of
from bench.tracking.finite import finite
from bench.tracking.measured import Measured, measured, numbers_of
from bench.tracking.names import LONGEST_NAME, distinct, text_of
from bench.tracking.note import note_of
from bench.tracking.redaction import redacted
from bench.tracking.verdicts import ruled_out, verdict_of


@dataclass(frozen=True)
class RunContent:
    """The content of one run."""

    name: str
    params: Mapping[str, str]
    measures: tuple[Measured, ...]
    tags: Mapping[str, str]
    failed: bool
    seconds: float | None = None
    """The time of all stages, with shared ones; None if unknown."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """All numbers over all queries, for the table of trials."""
    tuning: Tuning | None = None
    """The tuning of the run's weights, with all weightings and their scores; else None."""


@dataclass(frozen=True)
class StudyContent:
    """The content of a study: the parent run and one run per trial."""

    study: str
    started: int
    ended: int
    parent: RunContent
    trials: tuple[RunContent, ...]
    datasets: tuple[Dataset, ...] = ()
    objective: str = "mrr"
    """The measure by which trials are sorted."""
    columns: tuple[Column, ...] = COLUMNS


def content_of(result: StudyResult, columns: Sequence[Column] = COLUMNS) -> StudyContent:
    """Return the logged content of a study. `columns` come first on its pages."""
    shared = _tags({"rankgrid.study": result.id, "rankgrid.git_sha": result.git_sha})
    objective = result.settings.advice.measure
    started = _milliseconds(result.timestamp)
    names = short_names([trial.name for trial in result.trials], LONGEST_NAME)
    lasted = round(max(finite(result.seconds) or 0.0, 0.0) * 1_000)
    return StudyContent(
        study=result.id,
        started=started,
        ended=started + lasted,
        parent=_parent(result, shared, note_of(result, columns)),
        trials=tuple(
            _trial(trial, result.advice, shared, names, measured(trial, objective, columns))
            for trial in result.trials
        ),
        datasets=datasets_of(result),
        objective=objective,
        columns=tuple(columns),
    )


def _parent(result: StudyResult, shared: Mapping[str, str], note: str) -> RunContent:
    settings = _flat(asdict(result.settings))
    tags = {
        "rankgrid.kind": "study",
        "rankgrid.command": result.command or None,
        "rankgrid.objective": result.settings.advice.measure,
        "rankgrid.ship": result.advice.ship,
        "mlflow.note.content": note,
    }
    return RunContent(
        name=f"{result.suite} {result.id}".strip(),
        params=_params(
            {
                **settings,
                "suite": result.suite,
                "level": result.level,
                "symbol_credit": result.symbol_credit,
            }
        ),
        measures=(),
        tags={**shared, **_tags(tags)},
        failed=all(trial.failed for trial in result.trials),
    )


def _flat(settings: Mapping[str, object]) -> dict[str, object]:
    """Return settings with groups as `group.name`, so that each can be searched."""
    flat: dict[str, object] = {}
    for name, value in settings.items():
        inner = _flat(value) if isinstance(value, Mapping) else {"": value}
        flat |= {f"{name}.{under}".rstrip("."): one for under, one in inner.items()}
    return flat


def _trial(
    trial: TrialResult,
    advice: AdviceRecord,
    shared: Mapping[str, str],
    names: ShortNames,
    measures: tuple[Measured, ...],
) -> RunContent:
    tags = {
        "rankgrid.kind": "trial",
        "rankgrid.name": trial.name,
        "rankgrid.shared": names.shared or None,
        "rankgrid.trial": trial.fingerprint or None,
        "rankgrid.failure": _causes(trial),
        "rankgrid.bound": trial.is_bound,
        "rankgrid.verdict": verdict_of(trial, advice),
        "rankgrid.ruled_out": ruled_out(trial, advice),
    }
    # Axes such as chunk_size are parameters, since the name of a run has only short names.
    params = {
        "embedding_model": trial.embedding_model,
        "dtype": trial.dtype,
        **trial.axes,
        "weights_chosen": trial.tuning.override if trial.tuning else None,
    }
    return RunContent(
        name=redacted(names.of[trial.name] or trial.fingerprint or "trial")[:LONGEST_NAME],
        params=_params(params),
        measures=measures,
        tags={**shared, **_tags(tags)},
        failed=trial.failed,
        seconds=finite(trial.summary.get("stage_seconds")),
        numbers=numbers_of(trial),
        tuning=trial.tuning,
    )


def _causes(trial: TrialResult) -> str | None:
    return "; ".join(f"{one.stage} {one.subject}: {one.cause}" for one in trial.failures) or None


def _params(settings: Mapping[str, object]) -> dict[str, str]:
    known = {name: value for name, value in settings.items() if value is not None}
    names = distinct(known)
    return {names[name]: text_of(value) for name, value in known.items()}


def _tags(tags: Mapping[str, object]) -> dict[str, str]:
    return {name: text_of(value) for name, value in tags.items() if value is not None}


def _milliseconds(timestamp: str) -> int:
    try:
        when = datetime.fromisoformat(timestamp)
    except ValueError:
        when = datetime.now(UTC)
    return round(when.replace(tzinfo=when.tzinfo or UTC).timestamp() * 1_000)
