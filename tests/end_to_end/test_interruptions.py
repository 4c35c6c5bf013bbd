"""A study that is stopped, politely or not, goes on where it stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.processes import running

ROOT = Path(__file__).parents[2]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A part of this project's own source, and queries about it."""
    code = tmp_path / "code"
    code.mkdir()
    for name in ("plan.py", "store.py"):
        (code / name).write_bytes((ROOT / "bench" / "engine" / name).read_bytes())
    queries = """\
queries:
  - {id: a, query: where is a result written under another name, expected_files: [store.py]}
  - {id: b, query: what order are stages carried out in, expected_files: [plan.py]}
"""
    (tmp_path / "queries.yaml").write_text(queries, encoding="utf-8")
    return tmp_path


def started(folder: Path, name: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start a small hybrid grid with an output folder and a store of its own."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "suite=own", "tracking=none"]
    command += [f"repository={folder / 'code'}", "queries=queries.yaml", "latency=off"]
    command += ["-m", "chunk=64,512", "reranker=on,off", "execution=local", "execution.workers=2"]
    command += [f"store={name}/store", f"output={name}/outputs"]
    return running(command, folder=folder, stderr=subprocess.PIPE)


def finished(folder: Path, name: str) -> int:
    """Run the grid to its end; return its exit code."""
    with started(folder, name) as process:
        process.communicate()
        return process.returncode


def stored(folder: Path, name: str) -> dict[str, int]:
    """Return the artifacts of a store and when each was written."""
    return {
        file.name: file.stat().st_mtime_ns
        for file in (folder / name / "store" / "artifacts").rglob("*")
        if file.is_file() and not file.name.endswith(".draft")
    }


def quality(folder: Path, name: str) -> list[Any]:
    """Return what was found for each query of each trial."""
    place = folder / name / "outputs" / "latest" / "results.json"
    found = unpacked(json.loads(place.read_text(encoding="utf-8")))
    return [report["query_results"] for report in found["reports"]]


def wait_for_artifacts(
    folder: Path, name: str, count: int, process: "subprocess.Popen[str]"
) -> None:
    """Wait until the study has stored so many artifacts."""
    while len(stored(folder, name)) < count and process.poll() is None:
        time.sleep(0.05)


def test_a_killed_study_goes_on_where_it_stopped(corpus: Path) -> None:
    """kill -9 at two moments: the same results, no finished stage repeated."""
    assert finished(corpus, "calm") == 0
    for count in (3, 20):
        with started(corpus, "wild") as process:
            wait_for_artifacts(corpus, "wild", count, process)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        time.sleep(1.0)  # its workers end with it
    before = stored(corpus, "wild")

    assert finished(corpus, "wild") == 0

    assert len(before) >= 20
    after = stored(corpus, "wild")
    assert {name: after[name] for name in before} == before
    assert quality(corpus, "wild") == quality(corpus, "calm")


def test_ctrl_c_exits_130_and_keeps_what_is_done(corpus: Path) -> None:
    """One line that says how to go on; no traceback."""
    with started(corpus, "stopped") as process:
        wait_for_artifacts(corpus, "stopped", 3, process)

        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said
    assert len(stored(corpus, "stopped")) >= 3
