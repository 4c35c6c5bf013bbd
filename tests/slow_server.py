"""Servers that answer so slowly that every wait for a byte is short, and the whole has no end."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

_GZIP = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03"
"""How a compressed file begins that has a name, which then never ends."""
SLOWNESS: dict[str, tuple[bytes, bytes]] = {
    "silent": (b"", b""),
    "headers": (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
    "many headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "interim responses": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n[", b" "),
    "body to the end": (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[]", b" "),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "compressed body": (
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n" + _GZIP,
        b"x",
    ),
}
"""What is sent at once, and what is sent again and again."""
_SECONDS_BETWEEN = 0.1

Serve = Callable[[socket.socket], None]


@contextmanager
def slow_server(slowness: str) -> Iterator[str]:
    """Yield the address of a server that is slow in one of the ways above."""
    at_once, again = SLOWNESS[slowness]
    over = Event()

    def drip(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(at_once)
        while not over.wait(_SECONDS_BETWEEN):
            connection.sendall(again)

    with _listening(drip, over) as address:
        yield address


@contextmanager
def slow_mcp_server(slow_at: str) -> Iterator[str]:
    """Yield the address of an MCP server whose headers have no end for one method."""
    over = Event()

    def answer(connection: socket.socket) -> None:
        with connection.makefile("rb") as asked:
            while (line := asked.readline()) and not over.is_set():
                verb = line.split()[0].decode()
                length = 0
                while header := asked.readline().strip().lower():
                    if header.startswith(b"content-length:"):
                        length = int(header.partition(b":")[2])
                message = json.loads(asked.read(length) or b"{}")
                method = message.get("method", verb)
                if method == slow_at:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                    while not over.wait(_SECONDS_BETWEEN):
                        connection.sendall(b"x")
                    return
                connection.sendall(_mcp_answer(method, message.get("id")))

    with _listening(answer, over) as address:
        yield f"{address}/mcp"


def _mcp_answer(method: str, number: object) -> bytes:
    if method not in _MCP_RESULTS and number is None:
        return b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
    unknown = {"error": {"code": -32601, "message": "unknown"}}
    found = {"result": _MCP_RESULTS[method]} if method in _MCP_RESULTS else unknown
    body = json.dumps({"jsonrpc": "2.0", "id": number, **found}).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: one\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


_MCP_RESULTS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "slow", "version": "1"},
    },
    "tools/list": {"tools": [{"name": "find", "inputSchema": {"type": "object"}}]},
    "tools/call": {"content": [{"type": "text", "text": '[{"path": "a.py"}]'}]},
}


@contextmanager
def _listening(serve: Serve, over: Event) -> Iterator[str]:
    """Give every connection a thread, and end all of them with the block."""
    threads: list[Thread] = []

    def served(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            serve(connection)

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                threads.append(Thread(target=served, args=(connection,)))
                threads[-1].start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(_SECONDS_BETWEEN)
        accepting = Thread(target=accept)
        accepting.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            over.set()
            accepting.join()
            for thread in threads:
                thread.join()
