"""The MLflow store of studies, and the server of its pages."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bench.errors import UsageError
from bench.files import create_ignored, write_whole
from bench.tracking.settings import TrackingSettings

_LOCAL = "127.0.0.1"
_PORT = 5000
_SERVED = "ui.address"
_ANSWER_SECONDS = 1.0


@dataclass(frozen=True)
class Place:
    """An MLflow store: its address, the place of its artifacts, and the address of its pages."""

    uri: str
    artifact_location: str
    pages: str

    @property
    def is_server(self) -> bool:
        """Whether the store is behind HTTP."""
        return not self.uri.startswith("sqlite:")

    @property
    def database(self) -> Path:
        """The file of an sqlite store."""
        return Path(self.uri.removeprefix("sqlite:///"))


def place_of(settings: TrackingSettings, home: Path) -> Place:
    """Return the store of these settings. `home` is the project's folder of results."""
    if settings.uri.startswith("http"):
        # with an empty location, the server chooses its own
        return Place(
            settings.uri.rstrip("/"), settings.artifact_location, settings.uri.rstrip("/")
        )
    uri = settings.uri or f"sqlite:///{home.resolve() / 'mlflow.db'}"
    artifacts = settings.artifact_location or (home.resolve() / "mlartifacts").as_uri()
    return Place(uri, artifacts, settings.ui_url.rstrip("/"))


@contextmanager
def announced(home: Path, address: str) -> Iterator[None]:
    """Let studies of this folder print `address` for MLflow's pages during the block."""
    file = home / _SERVED
    create_ignored(home)
    write_whole(file, address)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def served_address(home: Path) -> str | None:
    """Return the address of a running `rankgrid ui` for this folder, or None."""
    try:
        address = (home / _SERVED).read_text("utf-8")
        parts = urlsplit(address)
        with socket.create_connection((_LOCAL, parts.port or 0), _ANSWER_SECONDS):
            return f"http://{_LOCAL}:{parts.port}"
    except (OSError, ValueError):  # the file is missing, damaged, or left by a killed server
        return None


def mlflow_ui_command(
    settings: TrackingSettings, home: Path, *, port: int | None = None
) -> list[str]:
    """Return the command that serves the pages of a local store, for this machine only."""
    place = place_of(settings, home)
    if place.is_server:
        raise UsageError(f"the studies are on a server already: open {place.pages} in a browser")
    port = port or urlsplit(place.pages).port or _PORT
    return [
        *(sys.executable, "-P", "-m", "mlflow", "server"),
        *("--host", _LOCAL, "--port", str(port)),
        *("--workers", "1"),
        *("--uvicorn-opts", "--log-level=warning"),
        *("--allowed-hosts", f"{_LOCAL}:{port},localhost:{port}"),
        *("--backend-store-uri", place.uri),
        *("--artifacts-destination", place.artifact_location),
    ]
