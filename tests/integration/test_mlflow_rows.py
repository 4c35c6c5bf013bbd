"""Rows written into MLflow's database, compared with those that MLflow's own client writes."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.results import text_of
from bench.results.trial_result import Tuning, WeightedScore
from bench.tracking import TrackingSettings, track
from bench.tracking.client import client_for
from bench.tracking.content import content_of
from bench.tracking.place import Place, place_of
from bench.tracking.rows import REVISION, write_study
from bench.tracking.runs import RunLog
from tests.unit.report.sample_study import STUDY, TRIAL

TABLES = (
    *("runs", "tags", "params", "metrics", "latest_metrics"),
    *("datasets", "inputs", "input_tags"),
)
QUERY = "SELECT * FROM {} ORDER BY rowid"
TUNED = replace(
    TRIAL,
    name="chunk=1024 reranker=on",
    summary={
        **TRIAL.summary,
        "avg_coverage_at_1000_tokens": 0.5,
        "avg_coverage_at_4000_tokens": 0,
    },
    tuning=Tuning(
        objective="ndcg_at_10",
        half="tune",
        queries=4,
        steps=10,
        chosen_before=(),
        channels=("bm25", "dense"),
        weightings=2,
        chosen={"bm25": 0.3, "dense": 0.7},
        repositories={},
        override="weights=[0.3,0.7]",
        in_sample=0.5,
        expected_here=0.45,
        expected_on_a_new_repository=None,
        curve=(WeightedScore((0.3, 0.7), 0.5),),
    ),
)
RESULT = replace(STUDY, trials=(*STUDY.trials, TUNED))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database as MLflow makes it."""
    file = tmp_path_factory.mktemp("empty") / "mlflow.db"
    client_for(_place(file.parent), 10)
    return file


@pytest.fixture
def home(empty: Path, tmp_path: Path) -> Path:
    """Return a folder with a database that has the experiment."""
    return _home(empty, tmp_path / "home")


def _home(empty: Path, folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(empty, folder)
    place = _place(folder)
    client_for(place, 10).create_experiment("rankgrid", artifact_location=place.artifact_location)
    return folder


def _place(home: Path) -> Place:
    return place_of(TrackingSettings(), home)


def _files(home: Path) -> dict[str, bytes]:
    """Return the artifacts by path, with the runs called by their names."""
    with closing(sqlite3.connect(home / "mlflow.db")) as database:
        names = dict(database.execute("SELECT run_uuid, name FROM runs"))
    paths = [path for path in (home / "mlartifacts").rglob("*") if path.is_file()]
    parts = [path.relative_to(home / "mlartifacts").parts for path in paths]
    return {
        "/".join((names[run], *rest)): path.read_bytes()
        for path, (run, *rest) in zip(paths, parts, strict=True)
    }


def _tables(home: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a database in their order, with random names replaced."""
    with closing(sqlite3.connect(home / "mlflow.db")) as database:
        database.row_factory = sqlite3.Row
        tables = {
            table: [dict(row) for row in database.execute(QUERY.format(table))] for table in TABLES
        }
    known = {row["run_uuid"]: row["name"] for row in tables["runs"]}
    known |= {row["dataset_uuid"]: row["name"] for row in tables["datasets"]}
    known |= {
        row["input_uuid"]: f"{known[row['source_id']]} of {known[row['destination_id']]}"
        for row in tables["inputs"]
    }

    def named(value: object) -> object:
        if not isinstance(value, str):
            return value
        whole = value.replace(str(home), "HOME")
        for random, name in known.items():
            whole = whole.replace(random, name)
        return whole

    return {
        table: [{column: named(value) for column, value in row.items()} for row in rows]
        for table, rows in tables.items()
    }


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=repr)


def test_the_rows_and_files_are_those_of_mlflows_client(empty: Path, tmp_path: Path) -> None:
    """Every column of every table that a study fills, and every file."""
    ours, theirs = (_home(empty, tmp_path / name) for name in ("ours", "theirs"))
    content = content_of(RESULT)
    file = tmp_path / "results.json"
    file.write_text(text_of(RESULT), "utf-8")
    client = client_for(_place(theirs), 10)
    experiment = client.get_experiment_by_name("rankgrid")

    written = write_study(_place(ours), "rankgrid", content, [file])
    assert experiment is not None
    RunLog(client, _place(theirs), experiment.experiment_id, content).write([file])

    assert written is not None
    made, expected = _tables(ours), _tables(theirs)
    for table in TABLES:
        assert _sorted(made[table]) == _sorted(expected[table]), table
    assert made["metrics"] == expected["metrics"]  # MLflow plots what was logged first
    assert {len(rows) > 0 for rows in made.values()} == {True}
    assert _files(ours) == _files(theirs)
    assert len(_files(ours)) == 3


def test_mlflow_reads_the_study_and_its_trials_in_their_order(home: Path) -> None:
    """The addresses are those that a search of MLflow's client leads to."""
    sent = track(RESULT, settings=TrackingSettings(), home=home)
    again = track(RESULT, settings=TrackingSettings(), home=home)

    client = client_for(_place(home), 10)
    experiment = client.get_experiment_by_name("rankgrid")
    assert experiment is not None
    assert (sent.sent, again.sent) == (True, False)
    assert replace(sent, sent=False) == again
    assert experiment.tags["mlflow.experimentKind"] == "custom_model_development"
    assert len([tag for tag in experiment.tags if "sharedViewState" in tag]) == 1


def test_the_revision_is_the_one_that_mlflow_makes(empty: Path) -> None:
    """With a later MLflow this fails: compare its tables, then raise the revision."""
    with closing(sqlite3.connect(empty)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (REVISION,)
        ]


def test_a_database_of_another_revision_is_left_to_mlflow(home: Path) -> None:
    """MLflow's client upgrades it, or says what does."""
    with closing(sqlite3.connect(home / "mlflow.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '75868b020152'")
        database.commit()

    assert write_study(_place(home), "rankgrid", content_of(RESULT), []) is None
    assert _tables(home)["runs"] == []


def test_a_new_experiment_is_left_to_mlflow(home: Path) -> None:
    """And the next study of it is not."""
    place = _place(home)
    experiment = TrackingSettings(experiment="another")

    assert write_study(place, "another", content_of(RESULT), []) is None
    track(RESULT, settings=experiment, home=home)
    assert write_study(place, "another", content_of(replace(RESULT, id="next")), []) is not None


def test_a_file_that_cannot_be_copied_leaves_no_row_and_no_file(home: Path) -> None:
    """The transaction is rolled back; sending again writes all of it."""
    content = content_of(RESULT)
    with pytest.raises(FileNotFoundError):
        write_study(_place(home), "rankgrid", content, [home / "absent"])
    left = (_tables(home), _files(home))

    assert write_study(_place(home), "rankgrid", content, []) is not None
    assert [rows for rows in left[0].values() if rows] == []
    assert left[1] == {}


def test_a_second_study_names_the_same_dataset(home: Path) -> None:
    """A dataset is a row of its experiment, whoever asks it."""
    for name in ("first", "second"):
        track(replace(RESULT, id=name), settings=TrackingSettings(), home=home)

    tables = _tables(home)
    assert len(tables["datasets"]) == len(RESULT.corpus)
    assert len(tables["inputs"]) == 2 * (1 + len(RESULT.trials)) * len(RESULT.corpus)


def test_a_known_database_is_written_without_importing_mlflow(home: Path, tmp_path: Path) -> None:
    """Importing it takes longer than a study whose stages are all stored."""
    file = tmp_path / "results.json"
    file.write_text(text_of(RESULT), "utf-8")
    code = (
        "import sys; from pathlib import Path; from bench.results import parse_results;"
        "from bench.tracking import *; text = Path(sys.argv[1]).read_text();"
        "done = track(parse_results(text, 'results.json'), settings=TrackingSettings(),"
        " home=Path(sys.argv[2])); print(done.sent, 'mlflow' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(file), str(home)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.split() == ["True", "False"], done.stderr
