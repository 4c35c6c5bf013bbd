"""What of a results file is logged: parameters, measures and tags of a parent and its trials.

Knows the shape of the results file and MLflow's rules for names, and nothing of its client.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench.errors import UsageError
from bench.tracking.finite import finite
from bench.tracking.note import note_of
from bench.tracking.redaction import redacted

_SCHEMA = 1
_STUDY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_\-. ]")
_BY_TOKENS = re.compile(r"(?P<measure>\w+)_at_(?P<tokens>[0-9]{1,9})_tokens")
_GROUPS = {
    "repository_metrics": "repository",
    "category_metrics": "category",
    "difficulty_metrics": "difficulty",
}
# The run has its own name; the other keys repeat short ones for readers of the results file.
_NOT_PARAMS = ("name", "chunk_size", "use_reranker", "reranker_model")
# The same in every trial of a study: as measures they would be the first thing that is plotted.
_NOT_MEASURES = (
    "total_queries",
    "negative_queries",
    "drafts_left_out",
    "judged_queries",
    "failed_queries",
    "count",
)
_LONGEST_NAME, _LONGEST_VALUE = 200, 5_000

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Measured:
    """One number, or one point of a curve."""

    name: str
    value: float
    step: int = 0


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


def content_of(results: Json) -> StudyContent:
    """Return what to log of a results file's content."""
    study, reports = _checked(results)
    shared = _tags({"rankgrid.study": study, "rankgrid.git_sha": results.get("git_sha")})
    trials = tuple(_trial(report, shared) for report in reports)
    started = _milliseconds(results.get("timestamp"))
    seconds = finite(results.get("seconds")) or 0.0
    lasted = round(max(seconds, 0.0) * 1_000)
    parent = _parent(results, shared, failed=all(trial.failed for trial in trials))
    return StudyContent(study, started, started + lasted, parent, trials)


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
    settings = _mapping(results, "settings")
    params = {**settings, "suite": results.get("suite"), "level": results.get("level")}
    tags = {
        "rankgrid.kind": "study",
        "rankgrid.command": results.get("command"),
        "mlflow.note.content": note_of(results),
    }
    study = shared["rankgrid.study"]
    return RunContent(study, _params(params), (), {**shared, **_tags(tags)}, failed)


def _trial(report: Json, shared: Mapping[str, str]) -> RunContent:
    config = _mapping(report, "config")
    failed = report.get("status") == "failed"
    tags = {
        "rankgrid.kind": "trial",
        "rankgrid.trial": report.get("trial"),
        "rankgrid.failure": _causes(report),
    }
    name = redacted(str(config.get("name") or report.get("trial") or "trial"))[:_LONGEST_NAME]
    tuning = _mapping(report, "tuning")
    params = _params({**config, "weights_chosen": tuning.get("override")})
    measures = (*_measures(report), *_worth(tuning))
    curve = tuple(tuning.get("curve", ()))
    return RunContent(name, params, measures, {**shared, **_tags(tags)}, failed, curve)


def _worth(tuning: Json) -> Iterator[Measured]:
    """Yield what chosen weights score on the queries that chose, and what to expect of them."""
    for name in ("in_sample", "expected_here", "expected_on_a_new_repository"):
        number = finite(tuning.get(name))
        if number is not None:
            yield Measured(f"tuning/{_safe(str(tuning['objective']))}_{name}", number)


def _causes(report: Json) -> str | None:
    failures = report.get("failures") or ()
    told = (
        f"{each.get('stage', 'stage')} {each.get('subject') or ''}: {each.get('cause', '')}"
        for each in failures
    )
    return "; ".join(told) or None


def _measures(report: Json) -> Iterator[Measured]:
    for name, value in _numbers(_mapping(report, "summary")):
        yield Measured(_safe(name), value)
        curve = _BY_TOKENS.fullmatch(name)
        if curve:
            yield Measured(f"{curve['measure']}_by_tokens", value, int(curve["tokens"]))
    for key, word in _GROUPS.items():
        groups = _mapping(report, key)
        for group, safe in _distinct_names(groups).items():
            for name, value in _numbers(_mapping(groups, group)):
                yield Measured(f"{_safe(name)}_by_{word}/{safe}", value)


def _numbers(measures: Json) -> Iterator[tuple[str, float]]:
    for name, value in measures.items():
        number = finite(value)
        if number is not None and name not in _NOT_MEASURES:
            yield name.removeprefix("avg_"), number


def _distinct_names(names: Iterable[str]) -> dict[str, str]:
    # two names that differ only in what MLflow forbids must not become one measure
    given: dict[str, str] = {}
    for name in names:
        wanted, number = _safe(name), 2
        while wanted in given.values():
            wanted, number = f"{_safe(name)}-{number}", number + 1
        given[name] = wanted
    return given


def _safe(name: str) -> str:
    clean = _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME]
    return clean if clean.strip(". ") else "_"


def _params(settings: Json) -> dict[str, str]:
    told = {name: value for name, value in settings.items() if name not in _NOT_PARAMS}
    names = _distinct_names(told)
    return {names[name]: _text(value) for name, value in told.items() if value is not None}


def _tags(tags: Json) -> dict[str, str]:
    return {name: _text(value) for name, value in tags.items() if value is not None}


def _text(value: object) -> str:
    plain = value if isinstance(value, str) else json.dumps(value, default=str)
    return redacted(plain)[:_LONGEST_VALUE]


def _mapping(of: Json, key: str) -> Json:
    value = of.get(key)
    return value if isinstance(value, Mapping) else {}


def _milliseconds(timestamp: object) -> int:
    try:
        when = datetime.fromisoformat(str(timestamp))
    except ValueError:
        when = datetime.now(UTC)
    return round(when.replace(tzinfo=when.tzinfo or UTC).timestamp() * 1_000)
