"""The settings of requests to a server, and checks of its address and key.

Settings have the name of the environment variable with the key. The key is read when a client is
opened, and it never appears in a message.
"""

import math
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from retrievers.errors import ServerError

_HERE = ("localhost", "127.0.0.1", "::1")


class ServerTimeoutError(ServerError):
    """A server did not answer in time."""


@dataclass(frozen=True)
class Server:
    """The settings of requests to a server."""

    timeout_seconds: float = 30.0
    """Time-out of one try, from connecting to the last byte."""
    tries: int = 4
    """Maximum number of tries of a request. Temporary failures are retried."""
    requests_per_second: float = 0.0
    """Rate limit; 0 for none."""
    key_variable: str = ""
    """The environment variable with the key. Without one, requests have no key."""
    retry_timeouts: bool = True
    longest_wait_seconds: float = 60.0
    """Maximum pause before a retry. If the server requests more, the request fails."""
    most_bytes: int = 64_000_000
    """Maximum size of an answer. A longer one is an error, and its rest is not read."""

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        if not (math.isfinite(self.timeout_seconds) and self.timeout_seconds > 0):
            raise ServerError(f"timeout_seconds={self.timeout_seconds}: give more than 0")
        if self.tries < 1:
            raise ServerError(f"tries={self.tries}: give 1 or more")
        for name in ("requests_per_second", "longest_wait_seconds"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ServerError(f"{name}={value}: give 0 or more")


def check_url(name: str, url: str, *, has_key: bool = False) -> None:
    """Raise an error for an invalid address, one with a password, or one that reveals the key."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        message = f"{name}: is not an address; use http://HOST… or https://HOST…"
        raise ServerError(message) from error
    if parts.username or parts.password:
        message = f"{name}: an address must not hold a key; name its variable in key_variable"
        raise ServerError(message)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ServerError(f"{name}={url}: must be http://HOST… or https://HOST…")
    if has_key and parts.scheme == "http" and parts.hostname not in _HERE:
        raise ServerError(f"{name}={url}: a key would be sent unencrypted; use https://")


def key_of(variable: str) -> str:
    """Return the key in an environment variable, or an empty text for a blank name."""
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ServerError(
            f"key_variable={variable}: the environment variable is not set; export it"
        )
    if not key.isascii() or not key.isprintable():
        raise ServerError(f"key_variable={variable}: holds characters that a header cannot carry")
    return key
