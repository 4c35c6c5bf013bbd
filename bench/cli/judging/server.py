"""A local web server for the judging page, for the first visitor with its secret address."""

import secrets
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from bench.cli.judging.page import POLICY, last_page, question_page
from bench.cli.judging.terminal import beginning, ending
from bench.errors import RankgridError

if TYPE_CHECKING:
    from bench.authoring.judging import AskedFiles, JudgedStudy

_HOST = "127.0.0.1"
_MOST_BYTES = 1_000
_INTERRUPTED = 130
_SECONDS_OF_A_REQUEST = 10
_LOOK_SECONDS = 0.2
"""Interval of the check for the end, in seconds."""
_ANSWERS: Mapping[str, bool | None] = {"y": True, "n": False, "s": None}


def serve_page(judged: "JudgedStudy", files: "AskedFiles", *, minutes: float) -> int:
    """Serve until all questions are answered, the visitor quits, or nobody visits for a while."""
    print("\n".join(beginning(judged, files)))
    if judged.current is None:
        return 0
    server = JudgingServer(judged, files)
    print(f"open {server.address} (once; this address is for you alone)", flush=True)
    code = 0
    try:
        server.serve(seconds=60 * minutes)
    except KeyboardInterrupt:
        print()
        code = _INTERRUPTED
    finally:
        server.server_close()
    print("\n".join(ending(judged, files)))
    return code


class JudgingServer(ThreadingHTTPServer):
    """A server with the questions for one visitor. Answers are processed one at a time.

    Each connection has a thread, since browsers open connections that they may never use.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, judged: "JudgedStudy", files: "AskedFiles") -> None:
        super().__init__((_HOST, 0), _Handler)
        self.judged, self.files = judged, files
        self.host = f"{_HOST}:{self.server_port}"
        self.token: str | None = secrets.token_urlsafe(32)
        """The secret path that redirects to the page. It works once and is None afterwards."""
        self.session = secrets.token_urlsafe(32)
        """The secret folder of the page, known only through the redirect."""
        self.number, self.wrong = 0, ""
        self.is_last = self.is_done = False
        self.lock = Lock()
        self._visited = monotonic()

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://{self.host}/{self.token}"

    def serve(self, *, seconds: float) -> None:
        """Answer requests until the end. Only visits with a valid path extend the time."""
        while not self.is_done:
            left = self._visited + seconds - monotonic()
            if left <= 0:
                print("nobody came for a while")
                return
            self.timeout = min(left, _LOOK_SECONDS)
            self.handle_request()

    def visit(self) -> None:
        """Restart the time without visits."""
        self._visited = monotonic()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors, since a visitor may close a connection at any time."""

    def page(self) -> str:
        """Return the current page. After the last page, the server ends."""
        candidate = self.judged.current
        if candidate is None or self.is_last:
            self.is_last = True
            return last_page(list(ending(self.judged, self.files)))
        return question_page(self.judged, candidate, self.number, self.wrong)

    def take(self, fields: Mapping[str, list[str]]) -> None:
        """Store an answer, unless it is for an earlier question: a form may be sent twice."""
        candidate, (answer,) = self.judged.current, fields.get("answer", [""])[:1]
        if fields.get("number") != [str(self.number)] or candidate is None:
            return
        self.number, self.wrong = self.number + 1, ""
        try:
            if answer in _ANSWERS:
                self.judged.answer(candidate, relevant=_ANSWERS[answer])
            elif answer == "u":
                self.wrong = "" if self.judged.undo() else "there is no answer to undo"
            self.is_last = answer == "q"
        except RankgridError as error:
            self.wrong = error.message


def _is_same(path: str, wanted: str) -> bool:
    """Compare two paths in constant time, which reveals nothing about a secret."""
    return secrets.compare_digest(path.encode("utf-8", "replace"), wanted.encode())


class _Handler(BaseHTTPRequestHandler):
    """The handler of requests. All requests without a valid path get a 404."""

    server: JudgingServer
    timeout = _SECONDS_OF_A_REQUEST
    server_version, sys_version = "rankgrid", ""

    def do_GET(self) -> None:
        """Send the page, or redirect the first request for the secret path to it."""
        token, folder = self.server.token, f"/{self.server.session}/"
        if not self._is_from_here():
            self._refuse()
        elif token is not None and _is_same(self.path, f"/{token}"):
            self.server.token = None
            self._lead(folder)
        elif _is_same(self.path, folder):
            self.server.visit()
            with self.server.lock:
                page = self.server.page()
            self._send(200, page)
            self.server.is_done |= self.server.is_last
        else:
            self._refuse()

    def do_POST(self) -> None:
        """Store an answer, and redirect to the next page."""
        folder = f"/{self.server.session}/"
        length = self.headers.get("Content-Length", "")
        is_short = length.isdecimal() and int(length) <= _MOST_BYTES
        is_own = _is_same(self.path, f"{folder}answer")
        if not (self._is_from_here() and is_own and is_short):
            self._refuse()
            return
        self.server.visit()
        content = self.rfile.read(int(length)).decode("utf-8", "replace")
        with self.server.lock:
            self.server.take(parse_qs(content))
        self._lead(folder)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
        """Print nothing, since the paths contain the token."""

    def _is_from_here(self) -> bool:
        """Return whether Host is this server and Origin is not a page of another site."""
        origin = self.headers.get("Origin", f"http://{self.server.host}")
        # With `Referrer-Policy: no-referrer`, the form of our page has the origin "null".
        return self.headers.get("Host") == self.server.host and origin in (
            f"http://{self.server.host}",
            "null",
        )

    def _refuse(self) -> None:
        self._send(404, "<!doctype html><title>Nothing here</title><p>There is nothing here.")

    def _lead(self, folder: str) -> None:
        self.send_response(303)
        self.send_header("Location", folder)
        self.send_header("Content-Length", "0")
        self._end()

    def _send(self, code: int, page: str) -> None:
        content = page.encode("utf-8", "replace")
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self._end()
        self.wfile.write(content)

    def _end(self) -> None:
        headers = {
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
