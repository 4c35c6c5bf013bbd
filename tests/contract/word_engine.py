"""A real engine of somebody else, small: it finds files whose words a query has.

It is run as a program by the tests, and asked as a command, in a batch, over HTTP, over MCP or as
a Python class. Some words make it misbehave, for failures must be told apart.
"""

import json
import os
import re
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

WORD = re.compile(r"[a-z]+")
MISBEHAVIOUR: dict[str, Any] = {
    "outside": [{"path": "../../etc/passwd", "start": 1, "end": 1}],
    "elsewhere": [{"path": "/etc/passwd", "start": 1, "end": 1}],
    "unknown": [{"path": "nowhere.py", "start": 1, "end": 1}],
    "beyond": [{"path": "cart.py", "start": 1, "end": 9999}],
    "backwards": [{"path": "cart.py", "start": 3, "end": 2}],
    "unnamed": [{"symbol": "no.such.Symbol"}],
    "typeless": [{"path": "cart.py", "start": "three"}],
    "unscored": [{"path": "cart.py", "start": 1, "end": 2, "score": "high"}],
    "wordy": "these are no hits",
}


def search(root: Path, query: str, limit: int) -> Any:
    """Return places of files, those with the most words of the query first."""
    words = set(WORD.findall(query.lower()))
    if "hang" in words:
        time.sleep(30)
    if "crash" in words:
        raise RuntimeError("the engine is broken")
    for word in words & set(MISBEHAVIOUR):
        return MISBEHAVIOUR[word]
    found: list[dict[str, Any]] = []
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        score = len(words & set(WORD.findall(text.lower())))
        hit = {"path": path.relative_to(root).as_posix(), "start": 1}
        found.append({**hit, "end": len(text.splitlines()), "score": float(score)})
    best = sorted((one for one in found if one["score"]), key=lambda one: -one["score"])
    return best[:limit]


class Handler(BaseHTTPRequestHandler):
    """Answers POST /search and POST /index."""

    def do_POST(self) -> None:
        """Answer one request."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/index":
            return self._send(b"{}")
        if "garbage" in asked["query"]:
            return self._send(b"<html>not JSON</html>")
        try:
            hits = search(Path(asked["root"]), asked["query"], asked["limit"])
        except RuntimeError as error:
            return self._send(str(error).encode(), 500)
        return self._send(json.dumps({"hits": hits}).encode())

    def _send(self, content: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Words:
    """The engine as a class."""

    def index(self, root: str) -> None:
        """Remember the tree."""
        self._root = Path(root)

    def search(self, query: str, limit: int) -> Any:
        """Return the hits; what is printed is none of them."""
        say("looking")
        if "die" in query:
            os._exit(3)
        return {"garbage": 1}[query] if "garbage" in query else search(self._root, query, limit)


def say(text: object) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def add_other_forms(server: "MCPServer", seen: dict[str, str]) -> None:
    """Add tools whose answers are not objects, which the SDK wraps: `{"result": […]}`."""

    @server.tool()
    def find_list(query: str, limit: int) -> list[dict[str, Any]]:
        return list(search(Path(seen["root"]), query, limit))

    @server.tool()
    def find_text(query: str, limit: int) -> str:
        return json.dumps(search(Path(seen["root"]), query, limit))

    @server.tool()
    def find_number(query: str, limit: int) -> int:
        return len(query) + limit


def speak_mcp(transport: str, root: str) -> None:
    """Be a server with several tools; a search without a root is one of what was indexed."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("words")
    seen = {"root": root}

    @server.tool()
    def look(root: str) -> str:
        seen["root"] = root
        return "seen"

    @server.tool()
    def find(query: str, limit: int) -> dict[str, Any]:
        if "garbage" in query:
            return {"nothing": "like hits"}
        if "die" in query:
            os._exit(3)
        try:
            return {"hits": search(Path(seen["root"]), query, limit)}
        except RuntimeError as error:  # the SDK passes on no other error's words
            raise ToolError(str(error)) from error

    add_other_forms(server, seen)
    if transport == "http":
        port = free_port()
        say(port)
        server.run("streamable-http", host="127.0.0.1", port=port)
    else:
        server.run()


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(how: str, *arguments: str) -> None:
    """Be the engine in one of the ways."""
    if how == "serve":
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        say(server.server_port)
        server.serve_forever()
    elif how == "mcp":
        speak_mcp(*arguments)
    elif how == "batch":
        for line in sys.stdin:
            asked = json.loads(line)
            if "garbage" in asked["query"]:
                say("<html>not JSON</html>")
                return
            hits = search(Path(arguments[0]), asked["query"], asked["limit"])
            say(json.dumps({"query_id": asked["query_id"], "hits": hits}))
    else:
        root, query, limit = arguments
        if "garbage" in query:
            say("<html>not JSON</html>")
            return
        say(json.dumps(search(Path(root), query, int(limit))))


if __name__ == "__main__":
    main(*sys.argv[1:])
