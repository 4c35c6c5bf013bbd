"""Other people's engines in a study: their failures are errors of single queries, never zeros."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "tests" / "contract" / "word_engine.py"
CART = "class Cart:\n    def total(self):\n        return 0\n"
STORE = "class Store:\n    def find(self):\n        return 1\n"


def shop(folder: Path, *failing: str) -> None:
    """Write a small repository and its queries: two that any engine answers, and others."""
    (folder / "shop").mkdir()
    (folder / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (folder / "shop" / "store.py").write_text(STORE, encoding="utf-8")
    asked = [("cart", "cart.Cart"), ("store find", "store.Store")]
    asked += [(f"{word} store", "store.Store") for word in failing]
    entries = [
        {"id": f"q{number}", "query": text, "expected_symbols": [symbol]}
        for number, (text, symbol) in enumerate(asked, 1)
    ]
    (folder / "queries.yaml").write_text(json.dumps({"queries": entries}), encoding="utf-8")


def study(folder: Path, *arguments: str, code: int) -> tuple[dict[str, Any], str]:
    """Run a study of the shop; return its results and what it printed."""
    own = ["suite=own", "repository=shop", "queries=queries.yaml"]
    quiet = ["tracking=none", "execution=local"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *quiet, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    place = folder / "outputs" / "latest" / "results.json"
    return unpacked(json.loads(place.read_text(encoding="utf-8"))), " ".join(found.stdout.split())


@pytest.fixture
def url() -> Iterator[str]:
    """Serve the engine on a port of its own."""
    command = [sys.executable, str(ENGINE), "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.kill()


def by_command(*more: str) -> list[str]:
    """Return what asks the engine as a command."""
    parts = [sys.executable, str(ENGINE), "once", '"{root}"', '"{query}"', '"{limit}"']
    command = f"retriever.command=[{','.join(parts)}]"
    return ["retriever=command", command, "retriever.timeout_seconds=2", *more]


def by_http(url: str, *more: str) -> list[str]:
    """Return what asks the engine over HTTP."""
    where = [f"retriever.url={url}/search", f"retriever.index_url={url}/index"]
    return ["retriever=http", *where, "retriever.timeout_seconds=2", *more]


FAILURES = {
    "hang": "no answer within",
    "crash": "broken",
    "garbage": "the answer is no",
    "outside": "outside the tree",
    "beyond": "do not exist",
    "unnamed": "not in the tree",
}


def by_mcp() -> list[str]:
    """Return what starts the engine as an MCP server."""
    command = f'retriever.command=[{sys.executable},{ENGINE},mcp,stdio,"{{root}}"]'
    return ["retriever=mcp", "retriever.tool=find", command, "retriever.timeout_seconds=8"]


def as_channel() -> list[str]:
    """Return what asks the engine as a command beside our own words."""
    own = [text.replace("retriever.", "retriever.command.") for text in by_command()[1:]]
    return ["retriever=hybrid", "retriever.channels=[bm25,command]", *own]


@pytest.mark.parametrize("kind", ["command", "http", "mcp", "a channel"])
def test_every_failure_is_an_error_of_its_query_and_in_no_mean(
    tmp_path: Path, url: str, kind: str
) -> None:
    """Two answers are right, so every mean is 1 however many queries have failed."""
    shop(tmp_path, *FAILURES)
    ways = {"command": by_command(), "http": by_http(url, "retriever.tries=1"), "mcp": by_mcp()}
    asked = ways.get(kind) or as_channel()

    results, printed = study(tmp_path, *asked, "latency=off", code=1)

    report = results["reports"][0]
    rows = {row["query"].split()[0]: row for row in report["query_results"]}
    for word, reason in FAILURES.items():
        assert reason in rows[word]["error"]
        assert rows[word]["mrr"] is None
        assert rows[word]["retrieved"] == [] or kind == "a channel"
    assert rows["cart"]["error"] is None
    summary = report["summary"]
    assert (summary["failed_queries"], summary["judged_queries"]) == (len(FAILURES), 2)
    assert (summary["avg_mrr"], summary["micro_mrr"]) == (1.0, 1.0)
    assert report["status"] == "complete"
    assert f"Failed: {len(FAILURES)} queries; " in printed


def test_what_failed_is_asked_again_and_what_did_not_is_not(tmp_path: Path) -> None:
    """A second run of the same command is the way to a whole result."""
    shop(tmp_path)
    script = tmp_path / "engine.py"
    parts = [sys.executable, str(script), '"{root}"', '"{query}"']
    asked = ["retriever=command", f"retriever.command=[{','.join(parts)}]", "latency=off"]
    script.write_text(_engine(fails=True), encoding="utf-8")
    first, _ = study(tmp_path, *asked, code=1)

    script.write_text(_engine(fails=False), encoding="utf-8")
    second, _ = study(tmp_path, *asked, code=0)
    third, _ = study(tmp_path, *asked, code=0)

    assert first["reports"][0]["summary"]["failed_queries"] == 1
    assert second["reports"][0]["summary"]["failed_queries"] == 0
    assert second["plan"]["executed"] > 0
    assert third["plan"]["executed"] == 0


def _engine(*, fails: bool) -> str:
    """Return a program that says one hit, or fails on some queries."""
    failing = "'cart' in sys.argv[2]" if fails else "False"
    return (
        f"import sys, json\nif {failing}: sys.exit('out of order')\n"
        "print(json.dumps([{'symbol': 'cart.Cart'}]))\n"
    )


def test_an_engine_that_answers_nothing_is_a_failed_trial_beside_the_others(
    tmp_path: Path,
) -> None:
    """Nobody listens at the address; the other trial has its numbers."""
    shop(tmp_path)
    nobody = ["retriever.url=http://127.0.0.1:9/search", "retriever.tries=1"]
    failed, printed = study(tmp_path, "retriever=http", *nobody, code=1)

    report = failed["reports"][0]
    assert report["status"] == "failed"
    assert report["summary"]["failed_queries"] == 2
    assert report["summary"]["avg_mrr"] is None
    assert "none of 2 queries was answered" in printed


def test_an_index_step_that_fails_fails_the_trial_with_its_reason(tmp_path: Path) -> None:
    """Nothing was searched, so nothing may be scored."""
    shop(tmp_path)
    index = f"retriever.index_command=[{sys.executable},-c,\"import sys; sys.exit('disk full')\"]"

    results, printed = study(tmp_path, *by_command(index), code=1)

    assert results["reports"][0]["status"] == "failed"
    assert "index: " in printed
    assert "disk full" in printed


def test_a_healthy_engine_is_timed_and_compared(tmp_path: Path, url: str) -> None:
    """Its latency is that of a query through the engine; chunk sizes are nothing to it."""
    shop(tmp_path)

    results, printed = study(tmp_path, *by_http(url), "-m", "chunk=256,512", code=0)

    assert len(results["reports"]) == 1
    assert results["reports"][0]["summary"]["latency_p50_ms"] > 0
    assert results["reports"][0]["latency"]["samples"] == 2
    assert "chunk" in printed
