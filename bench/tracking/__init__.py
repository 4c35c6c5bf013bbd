"""Logs a finished study to MLflow, from the content of its results file.

A study is logged only by the driver, and after its results are on disk. If the tracking server is
down, no result is lost: `rankgrid track` sends the file later with the same code.
"""

from bench.tracking.addresses import latest_study
from bench.tracking.place import announced, mlflow_ui_command, served_address
from bench.tracking.settings import TrackingSettings
from bench.tracking.stored import fetch_results
from bench.tracking.tracker import Tracked, track

__all__ = [
    "Tracked",
    "TrackingSettings",
    "announced",
    "fetch_results",
    "latest_study",
    "mlflow_ui_command",
    "served_address",
    "track",
]
