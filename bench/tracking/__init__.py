"""Sends a finished study to MLflow, from the content of its results file.

A study is logged after its results are on disk and only from the driver, so that a tracking
server that is down costs nobody a number: the same code sends the file again later.
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
