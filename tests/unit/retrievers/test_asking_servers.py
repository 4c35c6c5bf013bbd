"""Servers that put us off: what they say of when to come back is never what ends a study."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from retrievers.errors import ServerError
from retrievers.servers import JsonClient, Server

_LATER = "Wed, 21 Oct 2015 07:28:00 -0000"


class _Busy(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(429)
        self.send_header("Retry-After", _LATER)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Serve refusals."""
    server = HTTPServer(("127.0.0.1", 0), _Busy)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_date_without_a_zone_is_one_to_come_back_at(address: str) -> None:
    pauses: list[float] = []
    client = JsonClient(Server(tries=2), sleep=pauses.append)

    with pytest.raises(ServerError, match="status 429"):
        client.post(address, {})
    client.close()

    assert len(pauses) == 1
