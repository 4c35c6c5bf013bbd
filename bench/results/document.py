"""The results file: a whole study as one JSON document, written atomically."""

import json
import os
import platform
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.corpora.gitcall import output_in
from bench.errors import GitError, UsageError
from bench.files import write_table, write_whole
from bench.measures.version import MEASURE_VERSION
from bench.results.advice_record import AdviceRecord
from bench.results.codec import encode
from bench.results.decoding import MisfitError, decode
from bench.results.packed import ROWS, TABLES, packed, unpacked
from bench.results.query_result import QueryResult
from bench.results.study_result import StudyResult
from bench.results.trial_result import TrialResult

SCHEMA = 2
READ = (1, 2)
"""Supported versions of results files. In version 1, trials repeat shared data."""
_LINES_TO = 4
"""Depth of the JSON to which each value has its own line: study, trials, trial, queries."""
_REMEDY = "give a file as its study wrote it"


def completed(
    result: StudyResult, advice: AdviceRecord, *, command: str, seconds: float
) -> StudyResult:
    """Return a collected study with its advice, versions, command and time."""
    began = datetime.now(UTC) - timedelta(seconds=seconds)
    return replace(
        result,
        advice=advice,
        timestamp=began.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seconds=seconds,
        measure_version=MEASURE_VERSION,
        versions=_versions(),
        git_sha=_git_sha(),
        command=command,
    )


def as_json(result: StudyResult) -> dict[str, object]:
    """Return a study as plain JSON, with 4 decimals and null for missing numbers."""
    return {"schema": SCHEMA, **encode(result)}


def rounded(result: StudyResult) -> StudyResult:
    """Return a study with the rounded numbers of its file, so that both are judged equally."""
    return from_json(as_json(result), f"study {result.id}")


def text_of(result: StudyResult) -> str:
    """Return the content of a results file, with a line for each query of a trial."""
    return _text_of(as_json(result))


def _text_of(plain: dict[str, object]) -> str:
    whole = packed(plain)
    fields = (
        f"{json.dumps(name)}: {_written(item, 1 if name in TABLES else _LINES_TO - 1)}"
        for name, item in whole.items()
    )
    return "{\n" + ",\n".join(fields) + "\n}\n"


_COMPACT = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


def _written(value: object, depth: int) -> str:
    """Return JSON with line breaks down to a depth; Python's indentation is 10 times slower."""
    if not depth or not value or not isinstance(value, dict | list):
        return _COMPACT(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(_written(item, depth - 1) for item in value) + "\n]"
    fields = (f"{json.dumps(name)}: {_written(item, depth - 1)}" for name, item in value.items())
    return "{\n" + ",\n".join(fields) + "\n}"


_STUDY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
"""Valid name of a study and its folder. It cannot contain a path out of the results folder."""


def from_json(found: object, where: str) -> StudyResult:
    """Return the study in the content of a results file; `where` is its name in errors."""
    schema = found.get("schema") if isinstance(found, dict) else None
    if type(schema) is not int:
        raise UsageError(f"{where}: not a results file; {_REMEDY}")
    if schema not in READ:
        raise UsageError(
            f"{where}: a results file of version {schema}, and this rankgrid reads versions"
            f" {READ[0]} to {READ[-1]}; run its study again, or use the rankgrid that wrote it"
        )
    try:
        result = decode(StudyResult, unpacked(found))
    except MisfitError as error:
        raise UsageError(f"{where}: {error}; {_REMEDY}") from error
    if not _STUDY_NAME.fullmatch(result.id):
        raise UsageError(f"{where}: study must be the name of a study; {_REMEDY}")
    if not result.trials:
        raise UsageError(f"{where}: reports must be a list of 1 or more; {_REMEDY}")
    return result


def parse_results(text: str | bytes, where: str) -> StudyResult:
    """Return the study in the text of a results file."""
    return from_json(_parsed(text, where), where)


def _parsed(text: str | bytes, where: str) -> object:
    try:
        return json.loads(text)
    # Python's parser fails on deeply nested lists.
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: is not a results file ({error}); {_REMEDY}") from error


def read_results(place: Path | str) -> StudyResult:
    """Return the study of a results file, or of a folder with one."""
    return parse_results(_bytes_of(place), str(place))


def read_trials(place: Path | str) -> StudyResult:
    """Return a study without rows of queries, which are most of a results file.

    The rows are not checked.
    """
    return from_json(_without_rows(_parsed(_bytes_of(place), str(place))), str(place))


def _without_rows(found: Any) -> Any:
    """Return the content of a results file without rows of queries; other content is unchanged."""
    reports = found.get("reports") if isinstance(found, dict) else None
    if not isinstance(reports, list):
        return found
    trials = [{**one, ROWS: []} if isinstance(one, dict) else one for one in reports]
    rest = {name: value for name, value in found.items() if name not in TABLES}
    return {**rest, "reports": trials}


def _bytes_of(place: Path | str) -> bytes:
    file = Path(place, "results.json") if Path(place).is_dir() else Path(place)
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        message = f"{place}: no results there; give a results.json or the folder that holds one"
        raise UsageError(message) from error
    except OSError as error:
        message = f"{place}: cannot be read ({error.strerror}); check its permissions"
        raise UsageError(message) from error


def write_results(result: StudyResult, folder: Path) -> StudyResult:
    """Write results.json and its tables into `folder`; return the study as the file has it."""
    plain = as_json(result)
    write_whole(folder / "results.json", _text_of(plain))
    _write_queries(result, plain, folder / "queries.parquet")
    _write_weightings(result, folder / "weights.parquet")
    return from_json(plain, f"study {result.id}")


def point_latest(folder: Path) -> None:
    """Point the `latest` link beside `folder` at this study, atomically."""
    draft = folder.parent / f".latest-{os.getpid()}"
    draft.unlink(missing_ok=True)
    draft.symlink_to(folder.name, target_is_directory=True)
    draft.replace(folder.parent / "latest")


def _write_queries(result: StudyResult, plain: Any, place: Path) -> None:
    """Write a row per trial and query, for tools such as pandas and DuckDB."""
    rows = [
        {"trial": trial.name, **_row(query, own)}
        for trial, report in zip(result.trials, plain["reports"], strict=True)
        for query, own in zip(trial.queries, report[ROWS], strict=True)
    ]
    if rows:
        write_table(place, rows)


def _row(query: QueryResult, plain: dict[str, Any]) -> dict[str, Any]:
    answer = query.answer
    answered = {"answer": answer.text, "refused": answer.refused} if answer else {}
    own = {name: value for name, value in plain.items() if name != "answer"}
    return {**own, "error": query.error or "", **answered}  # a column of nothing has no type


def _write_weightings(result: StudyResult, place: Path) -> None:
    """Write a row per trial and weighting, for tools such as pandas and DuckDB."""
    rows = [row for trial in result.trials for row in _weightings(trial)]
    if rows:
        write_table(place, rows)


def _weightings(trial: TrialResult) -> Iterator[dict[str, object]]:
    tuning = trial.tuning
    if tuning is None:
        return
    for point in tuning.curve:
        weights = dict(zip(tuning.channels, point.weights, strict=False))
        yield encode({"trial": trial.name, **weights, tuning.objective: point.score})


_NAMED = ("rankgrid", "numpy", "scipy", "torch", "sentence-transformers", "qdrant-edge-py", "ray")


def _versions() -> dict[str, str]:
    """Return the versions of Python and of libraries that may affect numbers and times."""
    found = {"python": platform.python_version()}
    for name in _NAMED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git_sha() -> str | None:
    """Return the commit of the current folder, or None without git."""
    try:
        head = output_in(Path(), "rev-parse", "--verify", "HEAD", seconds=5)
    except GitError:
        return None
    return head.decode("ascii", "replace").strip()
