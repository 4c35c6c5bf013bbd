"""The store of a study's runs and artifacts, and the server that shows them."""

import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bench.errors import UsageError
from bench.tracking.settings import TrackingSettings

_LOCAL = "127.0.0.1"
_PORT = 5000


@dataclass(frozen=True)
class Place:
    """An MLflow store: its address, its artifacts, and where its pages are read."""

    uri: str
    artifact_location: str
    pages: str

    @property
    def is_server(self) -> bool:
        """Say whether the store is behind HTTP."""
        return not self.uri.startswith("sqlite:")

    @property
    def database(self) -> Path:
        """Return the file of an sqlite store."""
        return Path(self.uri.removeprefix("sqlite:///"))


def place_of(settings: TrackingSettings, home: Path) -> Place:
    """Return the store that `settings` name; `home` is the project's folder of results."""
    if settings.uri.startswith("http"):
        # an empty location lets the server choose its own
        return Place(
            settings.uri.rstrip("/"), settings.artifact_location, settings.uri.rstrip("/")
        )
    uri = settings.uri or f"sqlite:///{home.resolve() / 'mlflow.db'}"
    artifacts = settings.artifact_location or (home.resolve() / "mlartifacts").as_uri()
    return Place(uri, artifacts, settings.ui_url.rstrip("/"))


def mlflow_ui_command(
    settings: TrackingSettings, home: Path, *, port: int | None = None
) -> list[str]:
    """Return the command that serves MLflow's pages of a local store, on this machine only."""
    place = place_of(settings, home)
    if place.is_server:
        raise UsageError(f"the studies are on a server already: open {place.pages} in a browser")
    port = port or urlsplit(place.pages).port or _PORT
    return [
        *(sys.executable, "-P", "-m", "mlflow", "server"),
        *("--host", _LOCAL, "--port", str(port)),
        *("--workers", "1"),
        *("--allowed-hosts", f"{_LOCAL}:{port},localhost:{port}"),
        *("--backend-store-uri", place.uri),
        *("--artifacts-destination", place.artifact_location),
    ]
