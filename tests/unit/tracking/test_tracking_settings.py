"""What a user can say about tracking."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.errors import SettingError, UsageError
from bench.tracking import TrackingSettings, mlflow_ui_command
from bench.tracking.place import place_of


@pytest.mark.parametrize(
    "uri",
    [
        "http://me:secret@host:5000",
        "https://secret@host",
        "https://host/?token=secret",
        "postgresql://me:secret@host/db",
        "sqlite:///x.db?key=secret",
    ],
)
def test_an_address_with_credentials_is_refused_without_repeating_them(uri: str) -> None:
    """The refusal must not leak what it protects."""

    with pytest.raises(SettingError) as caught:
        TrackingSettings(uri=uri)

    assert "secret" not in caught.value.message
    assert "tracking.uri" in caught.value.message


@pytest.mark.parametrize(
    "uri",
    ["./mlruns", "file:///x", "ftp://x", "sqlite://", "sqlite:///:memory:", "http://", "x:y"],
)
def test_what_is_no_store_is_refused(uri: str) -> None:
    """MLflow would take some of these for a folder."""

    with pytest.raises(SettingError, match=r"tracking\.uri"):
        TrackingSettings(uri=uri)


@pytest.mark.parametrize("url", ["127.0.0.1:5000", "http://host:port", "http://me@host"])
def test_what_is_no_address_of_pages_is_refused(url: str) -> None:
    """Links are made of this address."""

    with pytest.raises(SettingError, match=r"tracking\.ui_url"):
        TrackingSettings(ui_url=url)


def test_artifacts_with_credentials_in_their_address_are_refused() -> None:
    """The location is stored with every run."""

    with pytest.raises(SettingError, match=r"tracking\.artifact_location"):
        TrackingSettings(artifact_location="s3://key:secret@bucket")


def test_a_timeout_of_nothing_is_refused() -> None:
    """No server answers in zero seconds."""

    with pytest.raises(SettingError, match=r"tracking\.timeout_seconds=0"):
        TrackingSettings(timeout_seconds=0)


def test_an_experiment_needs_a_name() -> None:
    """A blank is not a name."""

    with pytest.raises(SettingError, match=r"tracking\.experiment"):
        TrackingSettings(experiment=" ")


def test_by_default_studies_stay_in_the_projects_folder(tmp_path: Path) -> None:
    """Both places are fixed, wherever the command is run."""

    place = place_of(TrackingSettings(), tmp_path)

    assert place.uri == f"sqlite:///{tmp_path}/mlflow.db"
    assert place.artifact_location == f"file://{tmp_path}/mlartifacts"
    assert place.database == tmp_path / "mlflow.db"


def test_a_server_keeps_its_own_artifacts(tmp_path: Path) -> None:
    """The server knows its storage, the client does not."""

    place = place_of(TrackingSettings(uri="https://host/mlflow/"), tmp_path)

    assert place.uri == place.pages == "https://host/mlflow"
    assert place.artifact_location == ""


def test_the_pages_are_served_on_this_machine_only(tmp_path: Path) -> None:
    """Neither another host nor a foreign Host header gets in."""

    command = mlflow_ui_command(TrackingSettings(ui_url="http://127.0.0.1:5055"), tmp_path)

    assert command[:5] == [sys.executable, "-P", "-m", "mlflow", "server"]
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--port") + 1] == "5055"
    assert command[command.index("--allowed-hosts") + 1] == "127.0.0.1:5055,localhost:5055"
    assert command[command.index("--backend-store-uri") + 1] == f"sqlite:///{tmp_path}/mlflow.db"


def test_another_port_may_be_asked_for(tmp_path: Path) -> None:
    """The usual one may be taken."""
    command = mlflow_ui_command(TrackingSettings(), tmp_path, port=5077)

    assert command[command.index("--port") + 1] == "5077"
    assert command[command.index("--allowed-hosts") + 1] == "127.0.0.1:5077,localhost:5077"


def test_a_server_elsewhere_has_its_own_pages(tmp_path: Path) -> None:
    """There is nothing to start here."""

    with pytest.raises(UsageError, match="http://host:5000"):
        mlflow_ui_command(TrackingSettings(uri="http://host:5000"), tmp_path)


def test_importing_the_package_loads_no_mlflow() -> None:
    """MLflow takes a second to load."""

    code = "import sys, bench.tracking; sys.exit('mlflow' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
