"""Imports MLflow without telemetry, banners and long waits for a dead server."""

import fcntl
import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from bench.errors import TrackingError
from bench.tracking.place import Place

if TYPE_CHECKING:
    from mlflow import MlflowClient

_ENVIRONMENT = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_RESPECT_RETRY_AFTER_HEADER": "false",
    "MLFLOW_LOGGING_LEVEL": "WARNING",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
}


_LOCK_SECONDS, _LOCK_STEP_SECONDS = 60.0, 0.05


def client_for(place: Place, timeout_seconds: int) -> "MlflowClient":
    """Return a client of the store. Sets environment variables, which MLflow reads."""
    os.environ.update(_ENVIRONMENT, MLFLOW_HTTP_REQUEST_TIMEOUT=str(timeout_seconds))
    # MLflow creates the tables of a new database without a lock, so one of two studies would fail
    with nullcontext() if place.is_server else _alone_in(place), warnings.catch_warnings():
        # SQLAlchemy warns about the table declarations of MLflow
        warnings.filterwarnings("ignore", message="The ``noload`` loader strategy is deprecated")
        try:
            from mlflow import MlflowClient
        except ImportError as error:
            raise TrackingError(f"MLflow cannot be imported ({error})") from error
        return MlflowClient(tracking_uri=place.uri)


@contextmanager
def _alone_in(place: Place) -> Iterator[None]:
    path = place.database.with_name(f"{place.database.name}.lock")
    with path.open("w") as lock:  # the system releases the lock whenever the process ends
        deadline = time.monotonic() + _LOCK_SECONDS
        while not _locked(lock.fileno()):
            if time.monotonic() > deadline:
                raise TrackingError(f"another process keeps {path} locked")
            time.sleep(_LOCK_STEP_SECONDS)
        yield


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
