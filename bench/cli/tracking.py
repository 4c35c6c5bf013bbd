"""`rankgrid track` and `rankgrid ui`."""

import os
import subprocess
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cli.recorded import recorded_store, recorded_uri
from bench.reporting import read_results
from bench.settings import StudySettings, build
from bench.settings.study import TrackingSettings
from bench.tracking import latest_study, mlflow_ui_command
from bench.wiring import home, track_results, tracking_settings


def send(place: str, *, uri: str, store: str, trusted: Collection[Path]) -> int:
    """Log a stored study to `uri`, or to its own server if its file may name it."""
    found = Path(StudySettings().output) / "latest" if place == "latest" else Path(place)
    folder = found if found.is_dir() else found.parent
    results = read_results(found)
    recorded = results["settings"].get("tracking") or {}
    tracking = build(TrackingSettings, {**recorded, "kind": "mlflow"}, where="tracking")
    uri = uri or recorded_uri(results, str(found), trusted)
    chosen = TrackingSettings("mlflow", uri, tracking.experiment)
    if not store and not uri.startswith("http"):  # the database is beside the store
        store = recorded_store(results, str(found), trusted)
    settings = StudySettings(tracking=chosen, store=store or StudySettings().store)
    for line in track_results(folder, settings):
        print(line)
    return 0


def serve_ui(store: str, *, port: int) -> int:
    """Serve the MLflow UI on loopback until interrupted."""
    settings = StudySettings(store=store)
    place, address = home(settings), f"http://127.0.0.1:{port}"
    tracking = replace(tracking_settings(settings), ui_url=address)
    command = mlflow_ui_command(tracking, place, port=port)
    latest = latest_study(tracking, place)
    print(address, flush=True)
    if latest:
        print(f"The latest study: {latest}", flush=True)
    quiet = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}
    # MLflow's web server imports from the folder that it is started in, whatever Python is told.
    with TemporaryDirectory(prefix="rankgrid-ui-") as empty:
        return subprocess.run(command, check=False, env=os.environ | quiet, cwd=empty).returncode
