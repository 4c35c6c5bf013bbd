"""`rankgrid doctor` on this machine and on a study."""

import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from bench.cli.servers import SECONDS, problem_of
from bench.results import write_results
from tests.slow_server import slow_server
from tests.unit.compare.sample_results import query, results, stored, study, trial

RANKGRID = str(Path(sys.executable).parent / "rankgrid")


def doctor(folder: Path, *arguments: str, code: int = 0) -> list[str]:
    """Run the command in a folder and return its lines."""
    command = [RANKGRID, "doctor", *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found.stdout.splitlines()


def test_this_machine_is_fit_and_nothing_is_left_behind(tmp_path: Path) -> None:
    """Python, packages, git, the store, the disk, the model."""
    lines = doctor(tmp_path)

    assert [line for line in lines if line.startswith("bad")] == []
    assert any("embedding model all-MiniLM-L6-v2 is there" in line for line in lines)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_exits_1(tmp_path: Path) -> None:
    """And so does a server that does not answer."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    stored = doctor(tmp_path, "--store", "file/store", code=1)
    tracked = doctor(tmp_path, "--uri", "http://127.0.0.1:9", code=1)

    assert any("cannot be written" in line for line in stored)
    assert any(line.startswith("bad") and "127.0.0.1:9" in line for line in tracked)


def test_a_store_in_memory_is_written_to_and_read_from(tmp_path: Path) -> None:
    """As for any store that is not a folder."""
    lines = doctor(tmp_path, "--store", "memory://doctor")

    assert any("store memory://doctor can be written and read" in line for line in lines)


def test_a_study_is_looked_at(tmp_path: Path) -> None:
    """Warnings exit 0: the study is what it is."""
    write_results(stored({"x/one": 1}), tmp_path / "well")
    empty = study([trial([query("x/one", None, hits=())])])
    write_results(results(empty), tmp_path / "ill")

    well, ill = doctor(tmp_path, "well"), doctor(tmp_path, "ill")

    assert well == ["ok    study 20260102-030405-abcdef: nothing conspicuous in 1 trial"]
    assert ill[0].startswith("warn  no results: chunk=512 reranker=on: 1 of 1 queries")
    assert ill[-1] == "More: docs/troubleshooting.md"


def test_the_servers_of_the_settings_are_asked(tmp_path: Path) -> None:
    """One that answers, whatever its status, and one that does not."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    Thread(target=server.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{server.server_port}/v1"
    asked = ("vectors=server", "vectors.url=http://127.0.0.1:9", "answerer=openai")

    lines = doctor(tmp_path, *asked, f"answerer.url={here}", code=1)

    server.shutdown()
    server.server_close()
    assert f"ok    chat server {here} answers" in lines
    assert any(
        line.startswith("bad   vector server http://127.0.0.1:9 does not") for line in lines
    )


def test_a_silent_server_is_given_up_after_two_seconds() -> None:
    with slow_server("silent") as url:
        began = time.monotonic()
        problem = problem_of(url)

    assert problem
    assert time.monotonic() - began < 2 * SECONDS
