"""A terminal obeys nothing that servers, programs, queries or files say."""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parents[2]
HOSTILE = "\x1b[2J\x1b]0;owned\x07\r\n::error::owned\u202e\u2066\u200b\x9b31m[red][link=http://x]"
TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
CART = "class Cart:\n    def total(self):\n        return 0\n"
SHOP = ["suite=own", "repository=shop", "queries=queries.yaml", "tracking=none", "latency=off"]


class _Failing(BaseHTTPRequestHandler):
    """Answers every request with what a terminal would obey."""

    def do_POST(self) -> None:
        """Fail."""
        self.rfile.read(int(self.headers["Content-Length"]))
        content = HOSTILE.encode()
        self.send_response(500)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests to the tests."""


@pytest.fixture
def address() -> Iterator[str]:
    """Serve on this machine only."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Failing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a hostile path, and a hostile query that is asked of it."""
    inner = tmp_path / "shop" / f"a{HOSTILE.replace('/', '')}b"
    inner.mkdir(parents=True)
    (tmp_path / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (inner / "till.py").write_text("class Till:\n    drawer = 1\n", encoding="utf-8")
    turned = tmp_path / "shop" / "nur für [red]Größen\u200b.py"
    turned.write_text("class Store:\n    drawer = 1\n", encoding="utf-8")
    asked = [
        {"id": "q1", "query": f"the cart {HOSTILE}", "expected_symbols": ["cart.Cart"]},
        {"id": f"q2{HOSTILE}", "query": "drawer", "expected_files": ["cart.py"]},
    ]
    text = json.dumps({"queries": asked})
    (tmp_path / "queries.yaml").write_text(text, encoding="utf-8")
    return tmp_path


DOORS = {"run": ["-m", "bench.run"], "rankgrid": ["-c", "from bench.cli import main; main()"]}


def run(folder: Path, door: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of rankgrid as a process of its own; return its bytes as text."""
    command = [sys.executable, "-P", *DOORS[door], *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def obeyed(text: str) -> set[str]:
    """Return what is in a text that a terminal would obey."""
    return {
        sign
        for sign in text
        if (unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t")
        or unicodedata.bidirectional(sign) in TURNING
        or sign == "\u200b"
    }


def assert_harmless(done: subprocess.CompletedProcess[str]) -> None:
    """Nothing is obeyed, be it by a terminal or by the CI of GitHub."""
    assert obeyed(done.stdout) == set()
    assert obeyed(done.stderr) == set()
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert [line for line in lines if line.startswith("::error")] == []


def test_what_a_server_answers_is_shown_and_not_obeyed(folder: Path, address: str) -> None:
    asked = ["retriever=http", f"retriever.url={address}/search", "retriever.tries=1"]

    done = run(folder, "run", *SHOP, *asked, "--verbose")

    assert done.returncode == 1
    assert "status 500 (\ufffd[2J\ufffd]0;owned\ufffd" in " ".join(done.stdout.split())
    assert "[red][link=http://x]" in "".join(done.stdout.split())
    assert_harmless(done)


@pytest.mark.parametrize("said", ["standard error", "an answer"])
def test_what_a_program_says_is_shown_and_not_obeyed(folder: Path, said: str) -> None:
    code = f"import sys; sys.stderr.write({HOSTILE!r}); sys.exit(3)"
    if said == "an answer":
        code = f"import json; print(json.dumps([{{'path': {HOSTILE!r}, 'start': 1, 'end': 1}}]))"
    (folder / "engine.py").write_text(code, encoding="utf-8")
    command = f"retriever.command=[{sys.executable},{folder / 'engine.py'}]"

    done = run(folder, "run", *SHOP, "retriever=command", command, "--verbose")

    assert done.returncode == 1
    assert "owned" in done.stdout
    assert_harmless(done)


def test_queries_and_paths_are_shown_and_not_obeyed(folder: Path) -> None:
    """By the study, its gate, its files, and every command that looks at them."""
    gate = ["--min-mrr", "0.99", "--junit", "gate.xml", "--min-queries", "1"]
    at_shop = ["--repository", "shop"]
    commands = [
        ("run", *SHOP, "retriever=bm25", *gate),
        ("run", "suite=file", f"suite.path={HOSTILE}"),
        ("rankgrid", "run", *SHOP, "retriever=bm25"),
        ("rankgrid", "compare", "latest", "latest", "--flips", "9"),
        ("rankgrid", "compare", "latest", "latest", "--json"),
        ("rankgrid", "show", "symbols", "shop"),
        ("rankgrid", "fixtures", "verify", "queries.yaml", *at_shop, "--queries"),
        ("rankgrid", "compare", HOSTILE, "latest", "--no-such-flag", HOSTILE),
    ]

    done = [run(folder, *command) for command in commands]

    for one in done:
        assert "Traceback" not in one.stderr, one.stderr
        assert_harmless(one)
    assert "gate" in (folder / "gate.xml").read_text(encoding="utf-8")
    assert obeyed((folder / "gate.xml").read_text(encoding="utf-8")) == set()
    assert "nur für [red]Größen\ufffd.py" in done[5].stdout
