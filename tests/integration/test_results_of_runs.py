"""A study that was logged is found again by its runs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.errors import UsageError
from bench.results import StudyResult, write_results
from bench.settings import StudySettings
from bench.tracking import TrackingSettings, track
from bench.tracking.client import client_for
from bench.tracking.place import Place
from bench.wiring import find_study
from tests.unit.compare.sample_results import query, results, study, trial

if TYPE_CHECKING:
    from mlflow.entities import Run

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def logged(tmp_path: Path) -> tuple[StudySettings, StudyResult, "list[Run]"]:
    """A study of two trials in a database of its own, and its runs."""
    first = trial([query("x/one", 1)], name="one", axes={"chunk": 1})
    found = results(study([first, trial([query("x/one", 2)], name="two", axes={"chunk": 2})]))
    write_results(found, tmp_path / "study")
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    tracking = TrackingSettings(uri=uri, artifact_location=(tmp_path / "artifacts").as_uri())
    track(found, settings=tracking, home=tmp_path, artifacts=tmp_path / "study")
    client = client_for(Place(uri, "", uri), 10)
    experiment = client.get_experiment_by_name("rankgrid")
    runs = list(client.search_runs([experiment.experiment_id])) if experiment else []
    settings = StudySettings(store=str(tmp_path / "store"))
    return _logged_to(settings, uri), found, runs


def _logged_to(settings: StudySettings, uri: str) -> StudySettings:
    return replace(settings, tracking=replace(settings.tracking, uri=uri))


def test_a_study_is_found_by_its_run_its_trials_run_and_its_name(
    logged: tuple[StudySettings, StudyResult, "list[Run]"],
) -> None:
    """A trial's run names the trial, too."""
    settings, written, runs = logged
    by_name = {str(run.info.run_name): str(run.info.run_id) for run in runs}

    (parent,) = (run for name, run in by_name.items() if written.id in name)

    whole = find_study(f"mlflow:{parent}", settings)
    one = find_study(f"mlflow:{by_name['two']}", settings)
    named = find_study(f"mlflow:{written.id}", settings)

    assert whole.study == one.study == named.study == written
    assert (whole.trial, one.trial, named.trial) == ("", "two", "")


def test_a_run_that_is_not_there_is_refused(
    logged: tuple[StudySettings, StudyResult, "list[Run]"],
) -> None:
    """In one line."""
    with pytest.raises(UsageError, match="no run has this id"):
        find_study("mlflow:nothing", logged[0])
