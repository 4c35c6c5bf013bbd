"""The settings of tracking, checked when they are created."""

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from bench.errors import SettingError

_STORES = ("sqlite", "http", "https")
_LONGEST_EXPERIMENT_NAME = 500


@dataclass(frozen=True)
class TrackingSettings:
    """The store of studies. An empty `uri` means a database in the project's folder."""

    uri: str = ""
    experiment: str = "rankgrid"
    artifact_location: str = ""
    timeout_seconds: int = 10
    ui_url: str = "http://127.0.0.1:5000"

    def __post_init__(self) -> None:
        if self.uri:
            _check_store(self.uri)
        _refuse_credentials("tracking.artifact_location", self.artifact_location)
        _check_url("tracking.ui_url", self.ui_url)
        _check_experiment(self.experiment)
        if self.timeout_seconds < 1:
            raise SettingError(
                f"tracking.timeout_seconds={self.timeout_seconds} is not allowed: "
                "give a whole number of seconds, 1 or more"
            )


def _check_store(uri: str) -> None:
    _refuse_credentials("tracking.uri", uri)
    parts = _parts("tracking.uri", uri)
    if parts.scheme not in _STORES:
        raise SettingError(
            f"tracking.uri={uri} has the scheme {parts.scheme!r}: use sqlite:///FILE "
            "or the http(s) address of an MLflow server"
        )
    if parts.scheme == "sqlite":
        _check_sqlite(uri)
    else:
        _check_url("tracking.uri", uri)


def _check_sqlite(uri: str) -> None:
    path = uri.removeprefix("sqlite:///")
    if path == uri or not path or path == ":memory:":
        raise SettingError(
            f"tracking.uri={uri} does not name a database file: write sqlite:///FILE"
        )


def _check_url(setting: str, url: str) -> None:
    _refuse_credentials(setting, url)
    parts = _parts(setting, url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.fragment:
        raise SettingError(
            f"{setting}={url} is not the address of a server: "
            "write http(s)://HOST:PORT, without a fragment"
        )


def _refuse_credentials(setting: str, url: str) -> None:
    parts = _parts(setting, url)
    if "@" in parts.netloc or parts.query:
        raise SettingError(
            f"{setting} may hold credentials ({parts.scheme}://***): leave the user, the password "
            "and the query out of it and set MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME "
            "and MLFLOW_TRACKING_PASSWORD, in the environment"
        )


def _parts(setting: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # reading the port raises an error if it is not a number
    except ValueError as error:
        raise SettingError(f"{setting} is not an address: {error}") from error
    return parts


def _check_experiment(name: str) -> None:
    if not name.strip() or len(name) > _LONGEST_EXPERIMENT_NAME:
        raise SettingError(
            f"tracking.experiment={name[:40]!r} is not a name: "
            f"give 1 to {_LONGEST_EXPERIMENT_NAME} characters"
        )
