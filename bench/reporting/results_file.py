"""The results file: everything about a study in one JSON, written whole or not at all."""

import json
import math
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bench.advice import Advice, TunedWeights, advice_document, tuned_weights, tuning_document
from bench.corpora.gitcall import output_in
from bench.errors import GitError, UsageError
from bench.files import write_table, write_whole
from bench.measures.version import MEASURE_VERSION
from bench.reporting.results_shape import misfit
from bench.reporting.weights_file import write_curves
from bench.settings import StudySettings
from bench.study import QueryResult, StudyResult, TrialResult

SCHEMA = 1
_DECIMALS = 4


def as_json(
    result: StudyResult, settings: StudySettings, said: Advice, *, command: str, seconds: float
) -> dict[str, Any]:
    """Return a study as plain JSON: 4 decimals, null where there is no number."""
    account = asdict(result.account)
    tuned = tuned_weights(result, seed=settings.seed)
    whole = {
        "schema": SCHEMA,
        "study": result.id,
        "timestamp": _started(seconds),
        "seconds": seconds,
        "num_configs": len(result.trials),
        "suite": result.suite,
        "level": result.level,
        "half": result.half,
        "corpus": [asdict(repository) for repository in result.corpus],
        "measure_version": MEASURE_VERSION,
        "stage_versions": dict(result.stage_versions),
        "versions": _versions(),
        "git_sha": _git_sha(),
        "command": command,
        "settings": asdict(settings),
        "notes": list(result.notes),
        "plan": account,
        "stopped": [asdict(one) for one in result.left_out],
        "reports": [
            {**_report(trial), **_tuning(tuned.get(trial.name))} for trial in result.trials
        ],
        "recommendation": advice_document(said),
    }
    return rounded_json(whole)


def rounded_json(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain JSON of anything: 4 decimals, null where there is no number."""
    rounded: dict[str, Any] = _rounded(whole)
    return rounded


def _started(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _report(trial: TrialResult) -> dict[str, Any]:
    return {
        "config": _config(trial),
        "trial": trial.fingerprint,
        "chunking": trial.chunking,
        "chunks": dict(trial.chunks),
        "scored": dict(trial.scored),
        "evidence": {place: dict(of) for place, of in trial.evidence.items()},
        "status": "failed" if trial.failed else "complete",
        "bound": trial.is_bound,
        "failures": [
            {"stage": one.stage, "subject": one.subject, "cause": one.cause}
            for one in trial.failures
        ],
        "summary": dict(trial.summary),
        "levels": {level: dict(numbers) for level, numbers in trial.levels.items()},
        "category_metrics": {name: dict(of) for name, of in trial.categories.items()},
        "difficulty_metrics": {name: dict(of) for name, of in trial.difficulties.items()},
        "repository_metrics": {name: dict(of) for name, of in trial.repositories.items()},
        "tag_metrics": {name: dict(of) for name, of in trial.tags.items()},
        "language_metrics": {name: dict(of) for name, of in trial.languages.items()},
        "file_type_metrics": {name: dict(of) for name, of in trial.file_types.items()},
        "top_file_types": {name: dict(of) for name, of in trial.top_file_types.items()},
        "negative_curve": [dict(point) for point in trial.negative_curve],
        "refusal": dict(trial.refusal),
        "latency": dict(trial.latency_how),
        "query_results": [_query(query) for query in trial.queries],
    }


def _tuning(tuned: TunedWeights | None) -> dict[str, Any]:
    return {"tuning": tuning_document(tuned)} if tuned else {}


def _config(trial: TrialResult) -> dict[str, Any]:
    return {
        "name": trial.name,
        "chunk_size": trial.axes.get("chunk"),
        **trial.models,
        **trial.axes,
    }


def _query(query: QueryResult) -> dict[str, Any]:
    return {
        "id": query.id,
        "repository": query.repository,
        "query": query.text,
        "category": query.category,
        "difficulty": query.difficulty,
        "tags": list(query.tags),
        "negative": query.negative,
        "first_rank": query.first_rank,
        **query.numbers,
        "expected": list(query.expected),
        "targets": [
            {"path": path, "start": start, "end": end} for path, start, end in query.places
        ],
        "retrieved": [
            {"path": path, "start": start, "end": end, "score": score, "credit": credit}
            for (path, start, end, score), credit in zip_longest(query.hits, query.credits)
        ],
        "answer": query.answer,
        "error": query.error,
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _rounded(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    if isinstance(value, float):
        return round(value, _DECIMALS) if math.isfinite(value) else None
    return value


def write_results(results: Mapping[str, Any], folder: Path) -> Path:
    """Write results.json and the table of queries into `folder`; return the file."""
    place = folder / "results.json"
    text = json.dumps(results, indent=1, allow_nan=False, ensure_ascii=False)
    write_whole(place, text + "\n")
    _write_queries(results, folder / "queries.parquet")
    write_curves(results, folder)
    return place


def point_latest(folder: Path) -> None:
    """Let `latest` beside `folder` mean this study, in one step."""
    draft = folder.parent / f".latest-{os.getpid()}"
    draft.unlink(missing_ok=True)
    draft.symlink_to(folder.name, target_is_directory=True)
    draft.replace(folder.parent / "latest")


def _write_queries(results: Mapping[str, Any], place: Path) -> None:
    """Write a row per trial and query, for pandas, DuckDB and their like."""
    import pyarrow as pa

    rows = [
        {"trial": report["config"]["name"], **_flat(query)}
        for report in results["reports"]
        for query in report["query_results"]
    ]
    if rows:
        # Trials may have columns of their own, and the first row alone would decide.
        names = dict.fromkeys(name for row in rows for name in row)
        whole = {name: [row.get(name) for row in rows] for name in names}
        write_table(place, pa.table(whole))


def _flat(query: Mapping[str, Any]) -> dict[str, Any]:
    answer = query["answer"]
    said = {"answer": answer["text"], "refused": answer["refused"]} if answer else {}
    kept = {name: query[name] for name in query if name != "answer"}
    return {**kept, "error": query["error"] or "", **said}  # a column of nothing has no type


def read_results(place: Path) -> dict[str, Any]:
    """Return the content of a results file."""
    file = place / "results.json" if place.is_dir() else place
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        message = f"{place}: no results there; give a results.json or the folder that holds one"
        raise UsageError(message) from error
    except (ValueError, OSError) as error:
        message = f"{place}: cannot be read as results ({error})"
        raise UsageError(message) from error
    return checked_results(found, str(place))


_STUDY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
"""A study's folder is called so: no name may lead out of the folder of results."""


def checked_results(found: object, where: str) -> dict[str, Any]:
    """Return `found` if it has the shape of a results file of this version."""
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        message = f"{where}: not a results file of schema {SCHEMA}; run its study again"
        raise UsageError(message)
    wrong = misfit(found)
    if not wrong and not _STUDY_NAME.fullmatch(found["study"]):
        wrong = "study must be the name of a study"
    if wrong:
        message = f"{where}: {wrong}; give a file as its study wrote it"
        raise UsageError(message)
    return found


_NAMED = ("rankgrid", "numpy", "scipy", "torch", "sentence-transformers", "qdrant-edge-py", "ray")


def _versions() -> dict[str, str]:
    """Return the versions of Python and of what numbers and times may hang on."""
    found = {"python": platform.python_version()}
    for name in _NAMED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git_sha() -> str | None:
    """Return the commit of the folder that the study was started in, if there is one."""
    try:
        head = output_in(Path(), "rev-parse", "--verify", "HEAD", seconds=5)
    except GitError:
        return None
    return head.decode("ascii", "replace").strip()
