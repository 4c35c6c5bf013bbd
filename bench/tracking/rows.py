"""Writes a study into MLflow's SQLite database without an import of MLflow.

Importing MLflow and opening its store takes longer than a study with all stages cached. This code
supports one revision of the tables. MLflow's client handles all other cases: other revisions,
servers, new databases, new experiments, and studies that were sent before.
"""

import json
import math
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from bench.results.codec import encode
from bench.tracking.content import RunContent, StudyContent
from bench.tracking.measured import Measured
from bench.tracking.place import Place
from bench.tracking.reachability import connected
from bench.tracking.runs import (
    COMPLETE,
    CURVE_FILE,
    DATASET_CONTEXT,
    PARENT,
    TABLE_FILE,
    end_of,
    status_of,
)
from bench.tracking.table import table_of
from bench.tracking.view import EXPERIMENT_KIND, tag_of_view

REVISION = "dc11669786a5"
"""The supported revision of the tables, by its name in MLflow's migrations."""
_MIGRATIONS = Path("store", "db_migrations", "versions")
_RUN_NAME = "mlflow.runName"
Row = Mapping[str, object]


@dataclass(frozen=True)
class Written:
    """The ids of the runs of a study: the parent, and the trials with the best objective first."""

    experiment: str
    parent: str
    trials: tuple[str, ...]


@dataclass(frozen=True)
class _Experiment:
    key: int
    uri: str
    folder: Path


def write_study(
    place: Place, experiment: str, content: StudyContent, files: Sequence[Path]
) -> Written | None:
    """Write a study in one transaction, or return None if MLflow's client has to do it."""
    if place.is_server or not _is_newest(REVISION):
        return None
    with closing(connected(place)) as database, _transaction(database):
        if not _has_known_tables(database):
            return None
        found = _experiment(database, experiment)
        if found is None or _has_runs(database, content.study):
            return None
        return _Rows(database, found, content).write(files)


def _is_newest(revision: str) -> bool:
    """Return whether this is the latest revision of the installed MLflow."""
    mlflow = find_spec("mlflow")
    if mlflow is None or not mlflow.submodule_search_locations:
        return False
    migrations = Path(mlflow.submodule_search_locations[0], _MIGRATIONS).glob("*.py")
    # a later migration would also mention this revision, as its predecessor
    mentions = [path for path in migrations if revision in path.read_text("utf-8")]
    return len(mentions) == 1


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _has_known_tables(database: sqlite3.Connection) -> bool:
    with suppress(sqlite3.OperationalError):  # a new database, or a database of another program
        return database.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (REVISION,)
        ]
    return False


def _experiment(database: sqlite3.Connection, name: str) -> _Experiment | None:
    """Return the experiment with this name if it is active and has its artifacts in a folder."""
    found = database.execute(
        "SELECT experiment_id, artifact_location FROM experiments"
        " WHERE name = ? AND workspace = 'default' AND lifecycle_stage = 'active'",
        (name,),
    ).fetchone()
    location = urlsplit(found[1] if found else "")
    if location.scheme != "file" or location.netloc or location.query or location.fragment:
        return None
    return _Experiment(found[0], found[1].rstrip("/"), Path(unquote(location.path)))


def _has_runs(database: sqlite3.Connection, study: str) -> bool:
    wanted = ("rankgrid.study", study)
    found = database.execute("SELECT 1 FROM tags WHERE key = ? AND value = ? LIMIT 1", wanted)
    return found.fetchone() is not None


class _Rows:
    def __init__(
        self, database: sqlite3.Connection, experiment: _Experiment, content: StudyContent
    ) -> None:
        self._database = database
        self._experiment = experiment
        self._content = content
        self._folders: list[Path] = []

    def write(self, files: Sequence[Path]) -> Written:
        """Write all rows and files. After a failure, the files are removed."""
        try:
            return self._write(files)
        except BaseException:
            for folder in self._folders:
                shutil.rmtree(folder, ignore_errors=True)
            raise

    def _write(self, files: Sequence[Path]) -> Written:
        content = self._content
        parent = self._run(content.parent, {COMPLETE: "true"})
        trials = [self._run(trial, {PARENT: parent}) for trial in content.trials]
        self._name_datasets([parent, *trials])
        self._insert("experiment_tags", [self._tag(EXPERIMENT_KIND)], clash="IGNORE")
        self._insert("experiment_tags", [self._tag(tag_of_view(content))], clash="REPLACE")
        for run, trial in zip(trials, content.trials, strict=True):
            if trial.tuning:
                curve = json.dumps({"curve": encode(trial.tuning.curve)}, indent=2)
                self._folder(run).joinpath(CURVE_FILE).write_text(curve, "utf-8")
        folder = self._folder(parent)
        folder.joinpath(TABLE_FILE).write_text(table_of(content), "utf-8")
        for file in files:
            shutil.copy2(file, folder)
        return Written(str(self._experiment.key), parent, self._best_first(trials))

    def _run(self, run: RunContent, tags: Mapping[str, str]) -> str:
        name = uuid4().hex
        row = {
            "run_uuid": name,
            "name": run.name,
            "source_type": "UNKNOWN",
            "source_name": "",
            "entry_point_name": "",
            "user_id": "unknown",
            "status": status_of(run),
            "start_time": self._content.started,
            "end_time": end_of(run, self._content),
            "source_version": "",
            "lifecycle_stage": "active",
            "artifact_uri": f"{self._experiment.uri}/{name}/artifacts",
            "experiment_id": self._experiment.key,
        }
        self._insert("runs", [row])
        all_tags = {**run.tags, **tags, _RUN_NAME: run.name}
        for table, texts in {"tags": all_tags, "params": run.params}.items():
            named = [{"key": key, "value": value} for key, value in texts.items()]
            self._insert(table, [{**text, "run_uuid": name} for text in named])
        self._measure(name, run.measures)
        return name

    def _measure(self, run: str, measures: Sequence[Measured]) -> None:
        shared = {"timestamp": self._content.started, "run_uuid": run, "is_nan": 0}
        points = [
            {"key": one.name, "step": one.step, "value": one.value, **shared} for one in measures
        ]
        self._insert("metrics", points, clash="IGNORE")
        ordered = sorted(points, key=lambda point: (point["step"], point["value"]))
        last = {point["key"]: point for point in ordered}
        names = dict.fromkeys(one.name for one in measures)
        self._insert("latest_metrics", [last[name] for name in names])

    def _name_datasets(self, runs: Sequence[str]) -> None:
        for one in {(one.name, one.digest): one for one in self._content.datasets}.values():
            about = {"dataset_source_type": "rankgrid", "dataset_source": one.source}
            about |= {"dataset_profile": one.profile, "dataset_uuid": uuid4().hex}
            key = {"experiment_id": self._experiment.key, "name": one.name, "digest": one.digest}
            self._insert("datasets", [{**key, **about}], clash="IGNORE")
            ((dataset,),) = self._database.execute(
                "SELECT dataset_uuid FROM datasets"
                " WHERE experiment_id = :experiment_id AND name = :name AND digest = :digest",
                key,
            )
            links = [{"input_uuid": uuid4().hex, "destination_id": run} for run in runs]
            ends = {"source_type": "DATASET", "source_id": dataset, "destination_type": "RUN"}
            self._insert("inputs", [{**link, **ends} for link in links])
            name, value = DATASET_CONTEXT
            tags = [{"input_uuid": link["input_uuid"], "name": name} for link in links]
            self._insert("input_tags", [{**tag, "value": value} for tag in tags])

    def _best_first(self, trials: Sequence[str]) -> tuple[str, ...]:
        """Return the trials in MLflow's order, with trials without the objective last."""
        scores = dict(
            self._database.execute(
                "SELECT run_uuid, value FROM latest_metrics WHERE key = ?",
                (self._content.objective,),
            )
        )
        return tuple(sorted(trials, key=lambda run: (-scores.get(run, -math.inf), run)))

    def _tag(self, tag: tuple[str, str]) -> Row:
        key, value = tag
        return {"key": key, "value": value, "experiment_id": self._experiment.key}

    def _insert(self, table: str, rows: Sequence[Row], *, clash: str = "ABORT") -> None:
        names = list(rows[0]) if rows else ["key"]
        columns = ", ".join(f'"{name}"' for name in names)
        values = ", ".join(f":{name}" for name in names)
        # the names of tables and columns are constants of this module; values are bound parameters
        statement = f"INSERT OR {clash} INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
        self._database.executemany(statement, rows)

    def _folder(self, run: str) -> Path:
        whole = self._experiment.folder / run
        self._folders.append(whole)
        artifacts = whole / "artifacts"
        artifacts.mkdir(parents=True, exist_ok=True)
        return artifacts
