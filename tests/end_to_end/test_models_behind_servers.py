"""A study whose embeddings and second scores come from servers."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.contract.model_server import serving

ROOT = Path(__file__).parents[2]
KEY = "sesame-open-sesame"


def test_a_study_over_servers_is_right_warm_and_keeps_no_key(tmp_path: Path) -> None:
    """The second run asks neither server anything."""
    (tmp_path / "shop").mkdir()
    cart = "class Cart:\n    def total(self):\n        return sum(self.price)\n"
    (tmp_path / "shop" / "cart.py").write_text(cart, encoding="utf-8")
    store = "class Store:\n    def find(self, order):\n        return order\n"
    (tmp_path / "shop" / "store.py").write_text(store, encoding="utf-8")
    queries = [
        {"id": "q1", "query": "total price", "expected_symbols": ["cart.Cart"]},
        {"id": "q2", "query": "find an order", "expected_symbols": ["store.Store"]},
    ]
    (tmp_path / "queries.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")

    with serving() as server:
        arguments = [
            *("suite=own", "repository=shop", "queries=queries.yaml", "retriever=dense"),
            *("embedder=server", f"embedder.url={server.url}/v1/embeddings"),
            *("embedder.model=counting", "embedder.key_variable=MODEL_KEY"),
            *("reranker=server", f"reranker.url={server.url}/v1/rerank"),
            *("tracking=none", "execution=local", "latency=off"),
        ]
        command = [sys.executable, str(ROOT / "bench" / "run.py"), *arguments]
        environment = {**os.environ, "MODEL_KEY": KEY}
        first = _run(command, tmp_path, environment)
        asked = len(server.asked)
        _run(command, tmp_path, environment)

    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    assert results["reports"][0]["summary"]["avg_mrr"] == 1.0
    assert results["reports"][0]["config"]["embedding_model"] == "counting"
    assert len(server.asked) == asked > 0
    assert f"Bearer {KEY}" in server.keys
    assert KEY not in first
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    found = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert found.returncode == 0, found.stderr + found.stdout
    return found.stdout + found.stderr
