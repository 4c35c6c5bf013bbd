"""The tries of one request: the meaning of a response, and the pause before the next try."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from retrievers.errors import ServerError
from retrievers.servers.settings import Server, ServerTimeoutError

_PASSING = (408, 409, 425, 429)
"""Statuses of temporary failures, as are all from 500."""
_FIRST_PAUSE = 0.25
_SHOWN = 300


class PassingError(Exception):
    """A temporary failure. `wait` is the pause in seconds that the server requests, or None."""

    def __init__(self, failure: ServerError, wait: float | None = None) -> None:
        super().__init__(str(failure))
        self.failure, self.wait = failure, wait


class Attempts:
    """The tries of one request, for both clients."""

    def __init__(
        self, settings: Server, url: str, *, key: str = "", seconds: float | None = None
    ) -> None:
        self._settings, self._url, self._key = settings, url, key
        self.seconds = settings.timeout_seconds if seconds is None else seconds
        self._made = 0

    def begin(self) -> None:
        """Count a try."""
        self._made += 1

    def check(self, size: int) -> None:
        """Raise an error for an answer that is too long."""
        most = self._settings.most_bytes
        if size > most:
            raise self.failure(f"the answer is over {most:,} bytes")

    def pause(self, passing: PassingError) -> float:
        """Return the seconds until the next try, or raise the failure if there is none."""
        longest, made = self._settings.longest_wait_seconds, self._made
        if passing.wait is not None and passing.wait > longest:
            cause = f"{passing.failure}; asks to wait {passing.wait:.0f} s"
            raise type(passing.failure)(self._counted(cause)) from passing
        if made >= self._settings.tries:
            raise type(passing.failure)(self._counted(str(passing.failure))) from passing
        usual = _FIRST_PAUSE * 2 ** (made - 1)
        return min(usual if passing.wait is None else passing.wait, longest)

    def read(self, status: int, headers: Mapping[str, str], content: bytes) -> Any:
        """Return the JSON of a response, or raise a failure, which may be temporary."""
        if HTTPStatus(200) <= status < HTTPStatus(300):
            return self._decoded(content)
        failed = self.failure(f"status {status} ({self.clean(_told(content))})")
        if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise PassingError(failed, _retry_after(headers.get("Retry-After")))
        raise failed

    def too_slow(self) -> Exception:
        """Return the error for a try that timed out. It is temporary if time-outs are retried."""
        failed = ServerTimeoutError(f"{self._place}: no answer within {self.seconds:g} s")
        return PassingError(failed) if self._settings.retry_timeouts else failed

    def broken(self, error: Exception) -> PassingError:
        """Return the error for a failed connection."""
        told = self.clean(str(error) or type(error).__name__)
        return PassingError(self.failure(f"the connection failed ({told})"))

    def failure(self, cause: str) -> ServerError:
        """Return a failure that names its server."""
        return ServerError(f"{self._place}: {cause}")

    def clean(self, text: str) -> str:
        """Return a text of the server as one short line without the key."""
        return " ".join(without_key(text, self._key).split())[:_SHOWN]

    @property
    def _place(self) -> str:
        """The address without its query, which may be private."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    def _counted(self, cause: str) -> str:
        return f"{cause} ({self._made} attempts)" if self._made > 1 else cause

    def _decoded(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            said = self.clean(content.decode("utf-8", "replace"))
            raise PassingError(self.failure(f"the answer is not JSON ({said})")) from error


def without_key(text: str, key: str) -> str:
    """Return a text of the server without the key and without lone surrogates."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return whole.replace(key, "***") if key else whole


def _told(content: bytes) -> str:
    """Return the message in the most common JSON forms of errors, or else the whole content."""
    try:
        found = json.loads(content)
        error = found.get("error", found)
        return str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, AttributeError, RecursionError):
        return content.decode("utf-8", "replace")


def _retry_after(header: str | None) -> float | None:
    """Return the seconds in a `Retry-After` header, which has a number or a date."""
    if not header:
        return None
    if header.strip().replace(".", "", 1).isdecimal():
        return float(header)
    try:
        then = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    then = then.replace(tzinfo=then.tzinfo or UTC)  # the library returns no zone for -0000
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
