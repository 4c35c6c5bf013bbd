"""Asking a server for JSON: time-outs, retries with back-off, rate limits, keys.

A key is named by its environment variable, read when a client is opened, and stands in no
message. Nothing here knows what is asked.
"""

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 64_000_000
"""Of one answer; more is refused unread."""
_PASSING = (429, 502, 503, 504)
"""Statuses that say: try again later."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 60.0
_SHOWN = 200


class ServerError(ValueError):
    """A server cannot be asked, or did not answer as it should."""


class ServerTimeoutError(ServerError):
    """A server did not answer in time."""


@dataclass(frozen=True)
class Server:
    """How a server is asked."""

    timeout_seconds: float = 30.0
    tries: int = 4
    """How often a request is made at most; refused and overloaded ones are made again."""
    requests_per_second: float = 0.0
    """0: as fast as it answers."""
    key_variable: str = ""
    """The environment variable that holds the key; without one no key is sent."""
    retry_timeouts: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not (math.isfinite(self.timeout_seconds) and self.timeout_seconds > 0):
            raise ServerError(f"timeout_seconds={self.timeout_seconds}: give more than 0")
        if self.tries < 1:
            raise ServerError(f"tries={self.tries}: give 1 or more")
        if not (math.isfinite(self.requests_per_second) and self.requests_per_second >= 0):
            raise ServerError(f"requests_per_second={self.requests_per_second}: give 0 or more")


def check_url(name: str, url: str) -> None:
    """Refuse what is no address of a server, and an address that holds a password."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ServerError(f"{name}={url}: is no address ({error})") from error
    if parts.username or parts.password:
        message = f"{name}: an address must not hold a key; name its variable in key_variable"
        raise ServerError(message)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ServerError(f"{name}={url}: must be http://HOST… or https://HOST…")


def key_of(variable: str) -> str:
    """Return the key that an environment variable holds; nothing if none is named."""
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ServerError(f"key_variable={variable}: the environment has no such key; export it")
    return key


class JsonClient:
    """Posts JSON and returns JSON, with as many tries as the settings allow."""

    def __init__(self, settings: Server, *, sleep: Callable[[float], None] = time.sleep) -> None:
        import httpx2

        self._settings, self._sleep = settings, sleep
        self._key = key_of(settings.key_variable)
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._client = httpx2.Client(headers=headers)
        self._next = 0.0

    def post(self, url: str, body: Mapping[str, Any], *, seconds: float | None = None) -> Any:
        """Return what the server answers; say why if it does not, within `seconds` a try."""
        limit = self._settings.timeout_seconds if seconds is None else seconds
        attempt = 1
        while True:
            self._wait_for_turn()
            try:
                return self._asked(url, body, limit)
            except _PassingError as passing:
                pause = passing.pause or _FIRST_PAUSE * 2 ** (attempt - 1)
                if attempt == self._settings.tries or pause > _LONGEST_PAUSE:
                    raise passing.failure from passing
                self._sleep(pause)
                attempt += 1

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _asked(self, url: str, body: Mapping[str, Any], limit: float) -> Any:
        import httpx2

        try:
            response, content = self._sent(url, body, limit)
        except (httpx2.TimeoutException, TimeoutError) as error:
            failure = ServerTimeoutError(f"{_place(url)}: no answer within {limit:g} s")
            if self._settings.retry_timeouts:
                raise _PassingError(failure) from error
            raise failure from error
        except (httpx2.HTTPError, OSError) as error:
            failed = ServerError(f"{_place(url)}: {self._clean(str(error) or repr(error))}")
            raise _PassingError(failed) from error
        if response.is_success:
            return self._decoded(url, content)
        said = self._clean(content.decode("utf-8", "replace"))
        failed = ServerError(f"{_place(url)}: status {response.status_code} ({said})")
        if response.status_code in _PASSING:
            raise _PassingError(failed, _retry_after(response.headers.get("Retry-After")))
        raise failed

    def _sent(
        self, url: str, body: Mapping[str, Any], limit: float
    ) -> tuple["httpx2.Response", bytes]:
        """Return the response and its content, read within the limits of time and size."""
        end, content = time.monotonic() + limit, bytearray()
        asked = json.dumps(body).encode()  # plain ASCII: a lone surrogate has no UTF-8
        with self._client.stream("POST", url, content=asked, timeout=limit) as response:
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > end:
                    raise TimeoutError
                if len(content) > MOST_BYTES:
                    raise ServerError(f"{_place(url)}: the answer is over {MOST_BYTES} bytes")
        return response, bytes(content)

    def _decoded(self, url: str, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            said = self._clean(content.decode("utf-8", "replace"))
            raise ServerError(f"{_place(url)}: the answer is no JSON ({said})") from error

    def _clean(self, text: str) -> str:
        """Return what a server said on one short line, without the key."""
        whole = " ".join(text.split())
        hidden = whole.replace(self._key, "***") if self._key else whole
        return hidden[:_SHOWN]

    def _wait_for_turn(self) -> None:
        if not self._settings.requests_per_second:
            return
        now = time.monotonic()
        if self._next > now:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + 1 / self._settings.requests_per_second


class _PassingError(Exception):
    """A failure that another try may not have; the pause is what the server asked for."""

    def __init__(self, failure: ServerError, pause: float | None = None) -> None:
        super().__init__(str(failure))
        self.failure, self.pause = failure, pause


def _place(url: str) -> str:
    """Return an address without what may be private in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def _retry_after(header: str | None) -> float | None:
    """Return the seconds that a server wants to be left alone, said as a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return None
    then = then.replace(tzinfo=then.tzinfo or UTC)  # -0000 is an unknown zone to the library
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
