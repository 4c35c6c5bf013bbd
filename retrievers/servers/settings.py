"""How a server is asked, where it is, and what opens it.

A key is named by its environment variable and read when a client is opened. It never appears in
a message.
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
    """How a server is asked."""

    timeout_seconds: float = 30.0
    """Of one try, from connecting to the last byte."""
    tries: int = 4
    """How often a request is made at most; refused and overloaded ones are made again."""
    requests_per_second: float = 0.0
    """0: as fast as it answers."""
    key_variable: str = ""
    """The environment variable that holds the key; without one no key is sent."""
    retry_timeouts: bool = True
    longest_wait_seconds: float = 60.0
    """The longest pause before another try; a server that asks for more is given up."""
    most_bytes: int = 64_000_000
    """Of one answer; more is refused unread."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not (math.isfinite(self.timeout_seconds) and self.timeout_seconds > 0):
            raise ServerError(f"timeout_seconds={self.timeout_seconds}: give more than 0")
        if self.tries < 1:
            raise ServerError(f"tries={self.tries}: give 1 or more")
        for name in ("requests_per_second", "longest_wait_seconds"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ServerError(f"{name}={value}: give 0 or more")


def check_url(name: str, url: str, *, has_key: bool = False) -> None:
    """Refuse an address that is not a server's, holds a key, or would show one."""
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
    """Return the key that an environment variable holds; nothing if none is named."""
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
