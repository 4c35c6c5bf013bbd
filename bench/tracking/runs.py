"""Writes the runs of a study with MLflow's client. No run stays open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bench.errors import TrackingError
from bench.results.codec import encode
from bench.tracking.content import RunContent, StudyContent
from bench.tracking.place import Place
from bench.tracking.reachability import check_answers
from bench.tracking.table import table_of

if TYPE_CHECKING:
    from mlflow import MlflowClient

COMPLETE, PARENT = "rankgrid.complete", "mlflow.parentRunId"
CURVE_FILE, TABLE_FILE = "weights.json", "trials.csv"
DATASET_CONTEXT = ("mlflow.data.context", "evaluation")
_MEASURES_PER_CALL, _PARAMS_PER_CALL, _DATASETS_PER_CALL = 500, 100, 500

T = TypeVar("T")


@dataclass
class RunLog:
    """Creates, fills and ends runs. `_open` has the runs that are not ended."""

    client: "MlflowClient"
    place: Place
    experiment: str
    content: StudyContent
    _open: list[str] = field(default_factory=list)

    def write(self, files: Sequence[Path]) -> str:
        """Log the study and return the id of its parent run. After an error, open runs fail."""
        try:
            return self._write(files)
        finally:
            self._abandon()

    def _write(self, files: Sequence[Path]) -> str:
        content = self.content
        parent = self._start(content.parent, {})
        for trial in content.trials:
            run = self._start(trial, {PARENT: parent})
            self._fill(run, trial)
            if trial.tuning:
                curve = encode(trial.tuning.curve)
                self.client.log_dict(run, {"curve": curve}, CURVE_FILE)
            self._end(run, trial)
        self._fill(parent, content.parent)
        self.client.log_text(parent, table_of(content), TABLE_FILE)
        for file in files:
            self.client.log_artifact(parent, str(file))
        self.client.set_tag(parent, COMPLETE, "true")
        self._end(parent, content.parent)
        return parent

    def _start(self, run: RunContent, tags: Mapping[str, str]) -> str:
        created = self.client.create_run(
            self.experiment,
            start_time=self.content.started,
            tags={**run.tags, **tags},
            run_name=run.name,
        )
        run_id = str(created.info.run_id)
        self._open.append(run_id)
        return run_id

    def _fill(self, run_id: str, run: RunContent) -> None:
        from mlflow.entities import Metric, Param

        at = self.content.started
        measures = [Metric(each.name, each.value, at, each.step) for each in run.measures]
        params = [Param(name, value) for name, value in run.params.items()]
        batches = zip_longest(
            _pieces(measures, _MEASURES_PER_CALL),
            _pieces(params, _PARAMS_PER_CALL),
            fillvalue=(),
        )
        for some_measures, some_params in batches:
            self.client.log_batch(run_id, some_measures, some_params, synchronous=True)
        self._name_datasets(run_id)

    def _name_datasets(self, run_id: str) -> None:
        from mlflow.entities import Dataset, DatasetInput, InputTag

        context = [InputTag(*DATASET_CONTEXT)]
        for some in _pieces(self.content.datasets, _DATASETS_PER_CALL):
            named = [
                DatasetInput(
                    Dataset(one.name, one.digest, "rankgrid", one.source, profile=one.profile),
                    context,
                )
                for one in some
            ]
            self.client.log_inputs(run_id, named)

    def _end(self, run_id: str, run: RunContent) -> None:
        self.client.set_terminated(run_id, status_of(run), end_of(run, self.content))
        self._open.remove(run_id)

    def _abandon(self) -> None:
        # the original error is already being raised, and a dead server cannot end runs
        from mlflow.exceptions import MlflowException

        try:
            for run_id in reversed(self._open):
                check_answers(self.place)
                self.client.set_terminated(run_id, "FAILED")
        except (MlflowException, TrackingError, OSError):
            return


def status_of(run: RunContent) -> str:
    """Return MLflow's status of an ended run."""
    return "FAILED" if run.failed else "FINISHED"


def end_of(run: RunContent, content: StudyContent) -> int:
    """Return the end of a run in milliseconds: its start plus the time of all its stages."""
    return content.ended if run.seconds is None else content.started + round(run.seconds * 1_000)


def _pieces(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
