"""Logs a study as a parent run and a nested run per trial. Repeated calls log it once."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.commands import command
from bench.errors import TrackingError
from bench.results import StudyResult
from bench.tracking.addresses import compare_address, study_address
from bench.tracking.client import client_for
from bench.tracking.content import StudyContent, content_of
from bench.tracking.place import Place, place_of
from bench.tracking.reachability import check_answers
from bench.tracking.redaction import redacted
from bench.tracking.rows import Written, write_study
from bench.tracking.runs import COMPLETE, RunLog
from bench.tracking.settings import TrackingSettings
from bench.tracking.view import EXPERIMENT_KIND, of_study, tag_of_view

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_ARTIFACTS = ("results.json", "stages.json", "chosen.yaml", "*.parquet", "*.html", "*.md")
_ALL_RUNS = 50_000
_LONGEST_CAUSE = 300


@dataclass(frozen=True)
class Tracked:
    """The addresses of a study in MLflow. `sent` is false if it was already logged."""

    study_run_id: str
    study_url: str
    compare_url: str
    sent: bool


def track(
    result: StudyResult,
    *,
    settings: TrackingSettings,
    home: Path,
    artifacts: Path | None = None,
) -> Tracked:
    """Log a study. `artifacts` is the folder of its results file."""
    content = content_of(result)
    place = place_of(settings, home)
    with _failures_told(content.study, artifacts, settings.uri):
        check_answers(place)
        written = write_study(place, settings.experiment, content, _files(artifacts))
        if written is not None:
            return _tracked(place, content.study, written, sent=True)
        client = client_for(place, settings.timeout_seconds)
        study = _Study(client, place, _experiment(client, settings, place), content)
        return study.sent(artifacts)


@contextmanager
def _failures_told(study: str, artifacts: Path | None, uri: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not _is_outside(error):
            raise
        cause = redacted(" ".join(str(error).split()))[:_LONGEST_CAUSE]
        path = shlex.quote(str(artifacts / "results.json")) if artifacts else "RESULTS"
        # The command does not read the address from the results, which may be untrusted.
        to = f" --uri {shlex.quote(uri)}" if uri else ""
        raise TrackingError(
            f"study {study} was not logged: {cause}; its results are safe: "
            f"send them later with `{command(f'track {path}{to}')}`"
        ) from error


def _is_outside(error: Exception) -> bool:
    # MLflow's client raises a library's error whose cause is the error of the database
    if any(isinstance(one, sqlite3.Error) for one in (error, error.__cause__)):
        return True
    if isinstance(error, TrackingError | OSError):
        return True
    # imported last: otherwise every failure would import MLflow
    from mlflow.exceptions import MlflowException

    return isinstance(error, MlflowException)


def _experiment(client: "MlflowClient", settings: TrackingSettings, place: Place) -> str:
    from mlflow.exceptions import MlflowException

    found = client.get_experiment_by_name(settings.experiment)
    if found is None:
        try:
            location = place.artifact_location or None
            return client.create_experiment(settings.experiment, artifact_location=location)
        except MlflowException:
            # another study may have created it in the meantime
            found = client.get_experiment_by_name(settings.experiment)
            if found is None:
                raise
    if found.lifecycle_stage != "active":
        raise TrackingError(
            f"the experiment {settings.experiment!r} was deleted: restore it in MLflow or set "
            "tracking.experiment to another name"
        )
    return str(found.experiment_id)


@dataclass(frozen=True)
class _Study:
    client: "MlflowClient"
    place: Place
    experiment: str
    content: StudyContent

    def sent(self, artifacts: Path | None) -> Tracked:
        complete = [run for run in self._runs("study") if _is_complete(run)]
        if complete:
            parent = complete[0].info.run_id
        else:
            self._delete_leftovers()
            log = RunLog(self.client, self.place, self.experiment, self.content)
            parent = log.write(_files(artifacts))
        self._set_view()
        trials = tuple(str(run.info.run_id) for run in self._runs("trial"))
        written = Written(self.experiment, parent, trials)
        return _tracked(self.place, self.content.study, written, sent=not complete)

    def _set_view(self) -> None:
        name, kind = EXPERIMENT_KIND
        if name not in self.client.get_experiment(self.experiment).tags:
            self.client.set_experiment_tag(self.experiment, name, kind)
        self.client.set_experiment_tag(self.experiment, *tag_of_view(self.content))

    def _runs(self, kind: str | None = None) -> list["Run"]:
        return list(
            self.client.search_runs(
                [self.experiment],
                of_study(self.content.study, kind),
                max_results=_ALL_RUNS,
                order_by=[f"metrics.`{self.content.objective}` DESC"],
            )
        )

    def _delete_leftovers(self) -> None:
        for run in self._runs():
            self.client.delete_run(run.info.run_id)


def _tracked(place: Place, study: str, written: Written, *, sent: bool) -> Tracked:
    return Tracked(
        study_run_id=written.parent,
        study_url=study_address(place, written.experiment, study),
        compare_url=compare_address(place.pages, written.experiment, written.trials),
        sent=sent,
    )


def _is_complete(run: "Run") -> bool:
    return run.info.status != "RUNNING" and run.data.tags.get(COMPLETE) == "true"


def _files(artifacts: Path | None) -> list[Path]:
    if artifacts is None:
        return []
    found = (path for pattern in _ARTIFACTS for path in sorted(artifacts.glob(pattern)))
    return [path for path in found if path.is_file() and not path.is_symlink()]
