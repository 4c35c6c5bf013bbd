"""A real HTTP server on this machine that speaks the chat interface, well or badly."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    """What the server was asked, in order."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def prompts(self) -> list[str]:
        """The prompts alone."""
        return [str(body["messages"][0]["content"]) for body in self.bodies]


def completion(text: str | None, *, reason: str = "stop", usage: bool = True) -> dict[str, Any]:
    """Return the body of a completion."""
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": reason}
    counts = {"prompt_tokens": 120, "completion_tokens": 7} if usage else None
    return {"choices": [choice], "usage": counts}


def says(content: object, status: int = 200, **headers: str) -> Answer:
    """Answer with JSON, or with these bytes as they are."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def cut_off(request: BaseHTTPRequestHandler) -> None:
    """Promise more than is sent, and hang up."""
    request.send_response(200)
    request.send_header("Content-Length", "5000")
    request.end_headers()
    request.wfile.write(b'{"choices": [{"message"')
    request.close_connection = True


def cut_off_between_chunks(request: BaseHTTPRequestHandler) -> None:
    """Begin a chunked body, and hang up before its last chunk."""
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wfile.write(b'8\r\n{"choice\r\n')
    request.close_connection = True


def drips(request: BaseHTTPRequestHandler) -> None:
    """Send a byte now and then, so that no single read ever waits for long."""
    request.send_response(200)
    request.send_header("Content-Length", "5000")
    request.end_headers()
    for _ in range(100):
        try:
            request.wfile.write(b" ")
            request.wfile.flush()
        except OSError:  # the client has gone, as it should
            return
        time.sleep(0.02)


@contextmanager
def chat_server(answer: Callable[[int, str], Answer], *, port: int = 0) -> Iterator[Asked]:
    """Serve what `answer` has for the number of a request and its prompt, on any port if 0."""
    asked = Asked("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.bodies.append(body)
            asked.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer(len(asked.bodies), asked.prompts[-1])(self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    asked.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
