"""Downloads the results file of a logged study."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import TrackingError, UsageError
from bench.tracking.client import client_for
from bench.tracking.place import place_of
from bench.tracking.reachability import check_answers
from bench.tracking.settings import TrackingSettings

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_FILE = "results.json"
_KIND, _NAME = "rankgrid.kind", "rankgrid.name"


def fetch_results(run: str, *, settings: TrackingSettings, home: Path) -> tuple[bytes, str]:
    """Return the results file of the study of a run, and the trial's name if it is a trial.

    `run` is the id of a run, or the name of a study.
    """
    place = place_of(settings, home)
    if not place.is_server and not place.database.exists():
        raise UsageError(
            f"mlflow:{run}: nothing was logged to {place.uri}; give --store, or tracking.uri"
        )
    check_answers(place)
    client = client_for(place, settings.timeout_seconds)
    found = _run(client, run, settings.experiment)
    tags = found.data.tags
    # The name of a run is shortened, and users may change it. Older runs have no other name.
    name = tags.get(_NAME, found.info.run_name)
    trial = str(name) if tags.get(_KIND) == "trial" else ""
    parent = tags["mlflow.parentRunId"] if trial else found.info.run_id
    return _file_of(client, str(parent), run), trial


def _run(client: "MlflowClient", run: str, experiment: str) -> "Run":
    from mlflow.exceptions import MlflowException

    try:
        return client.get_run(run)
    except MlflowException:
        studies = _studies(client, run, experiment)
    if not studies:
        raise UsageError(
            f"mlflow:{run}: no run has this id and no study of experiment {experiment} this name;"
            " copy the run's id from its page"
        )
    return studies[0]


def _studies(client: "MlflowClient", name: str, experiment: str) -> list["Run"]:
    """Return the parent runs of the study with this name. Unsafe names have none."""
    if not all(sign.isalnum() or sign in "._-" for sign in name):
        return []
    known = client.get_experiment_by_name(experiment)
    wanted = f"tags.`rankgrid.study` = '{name}' AND tags.`{_KIND}` = 'study'"
    return list(client.search_runs([known.experiment_id], wanted)) if known else []


def _file_of(client: "MlflowClient", run_id: str, asked: str) -> bytes:
    from mlflow.exceptions import MlflowException

    with tempfile.TemporaryDirectory() as folder:
        try:
            file = client.download_artifacts(run_id, _FILE, folder)
            return Path(file).read_bytes()
        except (MlflowException, OSError) as error:
            cause = " ".join(str(error).split())[:200]
            raise TrackingError(f"mlflow:{asked}: could not download {_FILE} ({cause})") from error
