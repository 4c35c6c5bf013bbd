"""`rankgrid track` and `rankgrid ui`: studies in MLflow."""

import os
import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cli.json_flag import print_json
from bench.cli.recorded import recorded_store, recorded_uri
from bench.cli.server_process import free_port, serve
from bench.results import read_trials
from bench.settings import StudySettings
from bench.tracking import announced, latest_study, mlflow_ui_command
from bench.wiring import check_places, home, track_results, tracking_settings

_LONGEST_ADDRESS = 500
"""Maximum characters of a printed address. An address that compares trials names each of them, and
`--json` prints longer ones."""
_QUIET = {
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_LOGGING_LEVEL": "WARNING",
    "PYTHONWARNINGS": "ignore",  # deprecations within MLflow's server
}


def send(place: str, *, uri: str, store: str, trusted: Collection[Path], as_json: bool) -> int:
    """Send a stored study to `uri`, or to the server in its file if that is allowed."""
    found, named = Path(place).expanduser(), Path(StudySettings().output, place)
    if named.is_dir() and (place == "latest" or not found.exists()):
        found = named
    folder = found if found.is_dir() else found.parent
    result = read_trials(found)
    recorded = result.settings
    uri = uri or recorded_uri(recorded, str(found), trusted)
    if not store and not uri.startswith("http"):  # the database is beside the store
        store = recorded_store(recorded, str(found), trusted)
    settings = StudySettings(
        tracking=replace(recorded.tracking, kind="mlflow", uri=uri),
        store=store or StudySettings().store,
    )
    addresses = track_results(result, folder, settings)
    if as_json:
        print_json({"results": str(folder), "addresses": dict(addresses)})
        return 0
    for name, address in addresses.items():
        if len(address) <= _LONGEST_ADDRESS:
            print(f"{name}: {address}")
    return 0


def serve_ui(store: str, *, port: int) -> int:
    """Serve the MLflow UI on loopback until interrupted."""
    settings, wanted, port = StudySettings(store=store), port, free_port(port)
    check_places(settings)
    place, address = home(settings), f"http://127.0.0.1:{port}"
    tracking = replace(tracking_settings(settings), ui_url=address)
    command = mlflow_ui_command(tracking, place, port=port)
    latest = latest_study(tracking, place)
    if port != wanted:
        print(f"port {wanted} is in use; using {port}", file=sys.stderr, flush=True)
    print(address, flush=True)
    if latest:
        print(f"The latest study: {latest.study_url}", flush=True)
        if latest.compare_url:
            print(f"All trials side by side: {latest.compare_url}", flush=True)
    print("MLflow answers after some seconds. Ctrl-C stops it.", file=sys.stderr, flush=True)
    # MLflow's web server imports from its working folder, regardless of Python's options.
    with announced(place, address), TemporaryDirectory(prefix="rankgrid-ui-") as empty:
        return serve(command, os.environ | _QUIET, empty)
