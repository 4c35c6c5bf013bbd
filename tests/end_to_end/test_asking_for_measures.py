"""The command measures what it is asked to, on alternatives, negatives and halves of queries."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
FILES = {
    "cart.py": "def add_to_cart(item):\n    return item\n",
    "basket.py": "def add_to_basket(item):\n    return item\n",
    "store.ts": "export function saveOrder(order: number) {\n  return order;\n}\n",
    "README.md": "# A shop\n\nIt sells things.\n",
}
QUERIES = """\
queries:
  - id: either
    query: add an item to a cart or basket
    tags: [twins, python]
    expected_symbols: [{any_of: [cart.add_to_cart, basket.add_to_basket], grade: 2}]
  - {id: order, query: save an order, tags: [web], expected_symbols: [store.saveOrder]}
  - {id: drone, query: xylophone zeppelin, negative: true}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small repository with its queries beside it."""
    (tmp_path / "shop").mkdir()
    for name, text in FILES.items():
        (tmp_path / "shop" / name).write_text(text, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run BM25 on the shop and expect an exit code."""
    own = ["suite=own", "repository=shop", "queries=queries.yaml", "retriever=bm25"]
    fixed = ["execution=local", "execution.workers=1", "tracking=none", "latency=off"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *fixed, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def report(folder: Path) -> dict[str, Any]:
    """Return the only trial of the last study."""
    text = (folder / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))["reports"][0]
    return found


def test_any_column_can_be_asked_for_and_have_a_floor(shop: Path) -> None:
    """Whatever the cut-off; a floor that is missed exits 3, a name that is none 2."""
    run(shop, "measures=[character_iou_at_1,ndcg_at_2]", "--min", "map_at_500_tokens=0.9")

    found = report(shop)["summary"]
    assert found["avg_ndcg_at_2"] == 1
    assert found["avg_map_at_500_tokens"] == 1
    assert found["avg_character_iou_at_1"] == 1  # each chunk is a file, each file a symbol
    run(shop, "--min", "f1_at_7=0.9", code=3)
    refused = run(shop, "measures=[ndgc_at_2]", code=2)
    assert "measure 'ndgc_at_2' does not exist" in refused.stderr


def test_alternatives_groups_and_negatives_are_in_the_results(shop: Path) -> None:
    """One target of two places, a group a tag and language, refusal of words that are nowhere."""
    run(shop, "negative_threshold=0.1")

    found = report(shop)
    either = next(query for query in found["query_results"] if query["id"] == "either")
    assert either["expected"] == ["cart.add_to_cart or basket.add_to_basket"]
    assert [hit["credit"] for hit in either["retrieved"][:2]] == ["relevant", "duplicate"]
    assert either["recall_at_1"] == either["ndcg_at_10"] == 1
    assert {name: of["count"] for name, of in found["tag_metrics"].items()} == {
        "python": 1,
        "twins": 1,
        "web": 1,
    }
    assert set(found["language_metrics"]) == {"python", "typescript"}
    assert set(found["file_type_metrics"]) == {".py", ".ts"}
    assert found["top_file_types"][".ts"]["share_at_1"] == 0.5
    summary = found["summary"]
    assert summary["negative_refusal_rate"] == summary["negative_auroc"] == 1
    assert summary["negative_above_threshold"] == 0
    assert summary["empty_result_rate"] == 0


def test_halves_are_apart_and_looks_at_the_reported_one_are_counted(shop: Path) -> None:
    """Every query in one half; a line for each look; what is asked of both is not counted."""
    queries = "".join(
        f"  - {{id: q{n}, query: save an order, expected_files: [store.ts]}}\n" for n in range(6)
    )
    (shop / "queries.yaml").write_text(f"queries:\n{queries}", encoding="utf-8")

    asked = []
    for half in ("tune", "report", "report", "all"):
        said = run(shop, f"half={half}").stdout
        asked.append({query["id"] for query in report(shop)["query_results"]})

    assert asked[0] | asked[1] == asked[3]
    assert len(asked[0]) == len(asked[1]) == 3
    assert "half" not in said
    log = (shop / "outputs" / "report_openings.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["suite"] for line in log] == ["own", "own"]
    refused = run(shop, "-m", "half=tune,report", code=2)
    assert "belongs to the study as a whole" in refused.stderr
