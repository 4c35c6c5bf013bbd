"""A short check whether a store is available, since MLflow's client would wait long."""

import sqlite3
import ssl
from contextlib import closing
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from bench.errors import TrackingError
from bench.files import create_ignored
from bench.tracking.place import Place

_SECONDS = 2.0
_LOCKED_SECONDS = 20.0  # MLflow waits as long for the writes of another study
_SERVER_ERRORS = 500


def check_answers(place: Place) -> None:
    """Raise a TrackingError if the server or the database is not available."""
    if place.is_server:
        _check_server(place.uri)
    else:
        _check_database(place)


def _check_server(url: str) -> None:
    try:
        with urlopen(f"{url}/health", timeout=_SECONDS):  # noqa: S310 - the settings allow http(s) only
            return
    except HTTPError as error:
        if error.code >= _SERVER_ERRORS:
            raise TrackingError(f"the tracking server {url} answered {error.code}") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, ssl.SSLCertVerificationError):
            return  # the server is available, and the client has its own settings of trust
        raise TrackingError(f"the tracking server {url} does not answer ({reason})") from error


def _check_database(place: Place) -> None:
    try:
        create_ignored(place.database.parent)
        with closing(connected(place)) as database:
            database.execute("BEGIN IMMEDIATE")  # fails for a corrupt or read-only database
            database.execute("ROLLBACK")
    except (sqlite3.Error, OSError) as error:
        raise TrackingError(
            f"the tracking database {place.database} cannot be used ({error})"
        ) from error


def connected(place: Place) -> sqlite3.Connection:
    """Return a connection to an sqlite store, without implicit transactions."""
    return sqlite3.connect(place.database, timeout=_LOCKED_SECONDS, isolation_level=None)
