"""What of a results file is logged: parameters, measures and tags of a parent and its trials.

Knows the shape of the results file, and nothing of MLflow's client.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench.errors import UsageError
from bench.tracking.datasets import Dataset, datasets_of
from bench.tracking.finite import finite
from bench.tracking.measured import Measured, mapping, measured
from bench.tracking.names import LONGEST_NAME, distinct, text_of
from bench.tracking.note import note_of, objective_of
from bench.tracking.redaction import redacted
from bench.tracking.verdicts import ruled_out, verdict_of

_SCHEMA = 1
_STUDY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
# The run has its own name; the other keys repeat short ones for readers of the results file.
_NOT_PARAMS = ("name", "chunk_size", "use_reranker", "reranker_model")

Json = Mapping[str, Any]


@dataclass(frozen=True)
class RunContent:
    """What is logged of one run."""

    name: str
    params: Mapping[str, str]
    measures: tuple[Measured, ...]
    tags: Mapping[str, str]
    failed: bool
    curve: tuple[Mapping[str, Any], ...] = ()
    """Every weighting that the run's weights were chosen from, and its score."""


@dataclass(frozen=True)
class StudyContent:
    """What is logged of a study: the parent's run and one per trial."""

    study: str
    started: int
    ended: int
    parent: RunContent
    trials: tuple[RunContent, ...]
    datasets: tuple[Dataset, ...] = ()
    objective: str = "mrr"
    """The measure that trials are sorted by."""


def content_of(results: Json) -> StudyContent:
    """Return what to log of a results file's content."""
    study, reports = _checked(results)
    shared = _tags({"rankgrid.study": study, "rankgrid.git_sha": results.get("git_sha")})
    objective = objective_of(results)
    advice = mapping(results, "recommendation")
    trials = tuple(_trial(report, shared, advice, objective=objective) for report in reports)
    started = _milliseconds(results.get("timestamp"))
    seconds = finite(results.get("seconds")) or 0.0
    lasted = round(max(seconds, 0.0) * 1_000)
    parent = _parent(results, shared, failed=all(trial.failed for trial in trials))
    return StudyContent(
        study, started, started + lasted, parent, trials, datasets_of(results), objective
    )


def _checked(results: Json) -> tuple[str, Sequence[Json]]:
    schema, study = results.get("schema"), results.get("study")
    if type(schema) is not int or schema != _SCHEMA:
        raise UsageError(
            f"the results file has schema {schema!r} and this rankgrid reads {_SCHEMA}: "
            "use the rankgrid that wrote it"
        )
    if not isinstance(study, str) or not _STUDY_NAME.fullmatch(study):
        raise UsageError(
            f"the results file names its study {str(study)[:60]!r}, which is no study's name: "
            "give the results.json that a study wrote"
        )
    reports = results.get("reports")
    if not isinstance(reports, list) or not all(isinstance(each, Mapping) for each in reports):
        raise UsageError(
            f"the results file of study {study} has no list of reports: "
            "give the results.json that a study wrote"
        )
    return study, reports


def _parent(results: Json, shared: Mapping[str, str], *, failed: bool) -> RunContent:
    settings = _flat(mapping(results, "settings"))
    params = {**settings, "suite": results.get("suite"), "level": results.get("level")}
    advice = mapping(results, "recommendation")
    tags = {
        "rankgrid.kind": "study",
        "rankgrid.command": results.get("command"),
        "rankgrid.objective": mapping(mapping(results, "settings"), "advice").get("objective"),
        "rankgrid.ship": advice.get("ship"),
        "mlflow.note.content": note_of(results),
    }
    study = shared["rankgrid.study"]
    return RunContent(study, _params(params), (), {**shared, **_tags(tags)}, failed)


def _flat(settings: Json) -> dict[str, Any]:
    """Return settings with groups as `group.name`, so that each can be searched for."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        inner = _flat(value) if isinstance(value, Mapping) else {"": value}
        flat |= {f"{name}.{under}".rstrip("."): one for under, one in inner.items()}
    return flat


def _trial(report: Json, shared: Mapping[str, str], advice: Json, *, objective: str) -> RunContent:
    config = mapping(report, "config")
    failed = report.get("status") == "failed"
    tags = {
        "rankgrid.kind": "trial",
        "rankgrid.trial": report.get("trial"),
        "rankgrid.failure": _causes(report),
        "rankgrid.bound": report.get("bound"),
        "rankgrid.verdict": verdict_of(report, advice),
        "rankgrid.ruled_out": ruled_out(config.get("name"), advice),
    }
    name = redacted(str(config.get("name") or report.get("trial") or "trial"))[:LONGEST_NAME]
    tuning = mapping(report, "tuning")
    params = _params({**config, "weights_chosen": tuning.get("override")})
    measures = measured(report, objective)
    curve = tuple(tuning.get("curve", ()))
    return RunContent(name, params, measures, {**shared, **_tags(tags)}, failed, curve)


def _causes(report: Json) -> str | None:
    failures = report.get("failures") or ()
    told = (
        f"{each.get('stage', 'stage')} {each.get('subject') or ''}: {each.get('cause', '')}"
        for each in failures
    )
    return "; ".join(told) or None


def _params(settings: Json) -> dict[str, str]:
    told = {name: value for name, value in settings.items() if name not in _NOT_PARAMS}
    names = distinct(told)
    return {names[name]: text_of(value) for name, value in told.items() if value is not None}


def _tags(tags: Json) -> dict[str, str]:
    return {name: text_of(value) for name, value in tags.items() if value is not None}


def _milliseconds(timestamp: object) -> int:
    try:
        when = datetime.fromisoformat(str(timestamp))
    except ValueError:
        when = datetime.now(UTC)
    return round(when.replace(tzinfo=when.tzinfo or UTC).timestamp() * 1_000)
