"""Checks of the servers in the settings: vectors, embedding, reranking and chat."""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from bench.printable import one_line

SECONDS = 2.0
"""Seconds within which a server must begin to answer."""
_GROUPS = {
    "vectors": "vector server",
    "embedder": "embedding server",
    "reranker": "rerank server",
    "answerer": "chat server",
    "query": "chat server",
}
_PORTS = {"http": 80, "https": 443}


def servers_of(overrides: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the kind and the URL of each server in the settings."""
    from bench.files import data_folder
    from bench.launcher.points import read_points

    config: Mapping[str, Any] = read_points(overrides, data_folder("conf"), multirun=False)[
        0
    ].config
    for group, kind in _GROUPS.items():
        fields = config.get(group)
        url = fields.get("url") if isinstance(fields, Mapping) else None
        if url:
            yield kind, str(url)


def problem_of(url: str) -> str:
    """Return the reason why a server does not answer within 2 seconds, or "" if it does."""
    deadline = time.monotonic() + SECONDS
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
        with socket.create_connection((parts.hostname or "", port), SECONDS) as plain:
            plain.settimeout(max(0.1, deadline - time.monotonic()))
            begun = _begun(plain, parts.hostname or "", secure=parts.scheme == "https")
    except ssl.SSLCertVerificationError:
        return ""  # the server answers; trust in its certificate is the client's setting
    except (OSError, ValueError, KeyError) as error:
        return one_line(str(error)) or type(error).__name__
    return "" if begun else "it closed the connection"


def _begun(plain: socket.socket, host: str, *, secure: bool) -> bool:
    """Request the first page and wait for one byte, because any status is an answer."""
    if secure:
        plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    plain.sendall(f"HEAD / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    return bool(plain.recv(1))
