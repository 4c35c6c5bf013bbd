"""Studies keep their store within its limit, and leave alone what another study is using."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.engine.leases import held
from tests.processes import running
from tests.small_study import CART, QUERIES

ROOT = Path(__file__).parents[2]
SLOW_ENGINE = """\
import sys, time
from pathlib import Path
Path(sys.argv[1], "started").touch()
while not Path(sys.argv[1], "go").exists():
    time.sleep(0.05)
print('{"hits": []}')
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder with a small repository and its queries."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def command(*settings: str) -> list[str]:
    """Return the command of a study that needs no model."""
    own = ["suite=own", "repository=code", "queries=queries.yaml", "tracking=none"]
    program = [sys.executable, str(ROOT / "bench" / "run.py"), *own, "latency=off"]
    return [*program, "execution=local", "execution.workers=1", *settings]


def finished(shop: Path, *settings: str) -> str:
    """Run a study to its end; return its progress."""
    done = subprocess.run(
        command("retriever=bm25", *settings), cwd=shop, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def plan_of_latest(shop: Path) -> dict[str, Any]:
    """Return how many stages the last study carried out and found."""
    text = (shop / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    plan: dict[str, Any] = json.loads(text)["plan"]
    return plan


def stored(shop: Path) -> set[Path]:
    """Return the artifacts of the store."""
    found = (shop / ".rankgrid" / "store" / "artifacts").rglob("*")
    return {path for path in found if path.is_file()}


def test_a_store_beyond_its_limit_is_trimmed_after_a_study(shop: Path) -> None:
    """What is gone is made again, with the same results."""
    assert "store: removed" not in finished(shop)
    before = stored(shop)
    assert plan_of_latest(shop)["executed"] > 0
    finished(shop)
    assert plan_of_latest(shop)["executed"] == 0
    assert stored(shop) == before

    said = finished(shop, "chunk=64", "store_max_gb=0.000001")

    assert "used least recently" in said
    assert "(store_max_gb=1e-06)" in said
    assert not before & stored(shop)
    finished(shop)
    assert plan_of_latest(shop)["executed"] > 0


def test_a_limit_must_be_above_0(shop: Path) -> None:
    refused = subprocess.run(
        command("store_max_gb=0"), cwd=shop, capture_output=True, text=True, check=False
    )

    assert refused.returncode == 2
    assert "store_max_gb=0: must be above 0. Use null for no limit." in refused.stderr
    assert not (shop / ".rankgrid").exists()


def test_a_running_study_keeps_what_it_uses(shop: Path) -> None:
    """Another study on the same store ends meanwhile, far beyond the limit."""
    (shop / "engine.py").write_text(SLOW_ENGINE, encoding="utf-8")
    finished(shop)
    finished(shop, "chunk=64")
    old = stored(shop)
    for path in old:
        os.utime(path, (1e9, 1e9))
    engine = f"retriever.command=['{sys.executable}','{shop}/engine.py','{shop}']"
    waiting = command("retriever=command", engine, "retriever.timeout_seconds=300")
    with running(waiting, folder=shop, stderr=subprocess.PIPE) as study:
        deadline = time.monotonic() + 120
        while not (shop / "started").exists():
            assert time.monotonic() < deadline
            assert study.poll() is None, study.stderr and study.stderr.read()
            time.sleep(0.05)
        assert len(held(shop / ".rankgrid" / "store")) == 1
        assert len(held(shop / "outputs")) == 1

        said = finished(shop, "chunk=32", "store_max_gb=0.000001")

        assert "store: removed" in said
        kept = stored(shop) & old
        assert kept
        assert kept != old
        (shop / "go").touch()
        study.communicate(timeout=120)

    assert held(shop / "outputs") == []
