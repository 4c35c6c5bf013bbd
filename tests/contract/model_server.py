"""A server of embeddings and scores, small and real: what its answers are can be worked out.

A text's vector counts the words that it has of `WORDS`; a pair's score is the number of words that
both have. `script` holds answers that are given first: a status, headers and a body.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

WORDS = ("cart", "total", "price", "store", "find", "order", "sum", "class")
Answer = tuple[int, dict[str, str], Any]


@dataclass
class ModelServer:
    """A running server, what it was asked, and what it is to answer first."""

    url: str = ""
    asked: list[Any] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    script: list[Answer] = field(default_factory=list)

    def answer(self, path: str, body: Any) -> Answer:
        """Return what is answered to a request."""
        self.asked.append(body)
        if self.script:
            return self.script.pop(0)
        if path == "/v1/embeddings":
            data = [
                {"index": n, "embedding": counts(text)} for n, text in enumerate(body["input"])
            ]
            return 200, {}, {"data": data[::-1]}
        texts = body.get("documents") or body.get("texts")
        scores = [shared(body["query"], text) for text in texts]
        if path == "/rerank":
            return 200, {}, [{"index": n, "score": one} for n, one in enumerate(scores)][::-1]
        found = [{"index": n, "relevance_score": one} for n, one in enumerate(scores)]
        return 200, {}, {"results": sorted(found, key=lambda one: -one["relevance_score"])}


def counts(text: str) -> list[float]:
    """Return how often a text has each word, and one number more that is never 0."""
    own = re.findall(r"[a-z]+", text.lower())
    return [float(own.count(word)) for word in WORDS] + [0.5]


def shared(query: str, text: str) -> float:
    """Return how many words a query and a text share."""
    return float(len({*re.findall(r"\w+", query.lower())} & {*re.findall(r"\w+", text.lower())}))


@contextmanager
def serving() -> Iterator[ModelServer]:
    """Yield a server that runs on a port of its own."""
    model = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.keys.append(self.headers.get("Authorization"))
            status, headers, answer = model.answer(self.path, body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
