"""The unit of a ranking from the command line to the files that other programs read."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
FILES = {
    "cart.py": "# größer order\nclass Cart:\n    '''Holds the lines of an order.'''\n\n"
    "    def total(self):\n        return sum(order.price for order in self)\n\n"
    "    def clear(self):\n        order = None\n        return order\n",
    "store.py": "def find(order):\n    return order\n\n\ndef keep(order):\n    return [order]\n",
    "notes.md": "# Notes\n\nWhere an order is kept: an order, an order, an order.\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    for name, text in FILES.items():
        (tmp_path / "code" / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, query: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a study with one query."""
    (folder / "queries.yaml").write_text(f"queries:\n- {query}\n", encoding="utf-8")
    own = ["suite=own", "repository=code", "queries=queries.yaml", "chunk=16", "chunker=lines"]
    rest = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *rest, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr + found.stdout
    return found


BY_FILE = "{id: q, query: where is an order kept, expected_files: [store.py]}"
BY_SYMBOL = "{id: q, query: where is an order kept, expected_symbols: [store.keep]}"


def latest(folder: Path, name: str) -> Path:
    return folder / "outputs" / "latest" / name


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = unpacked(
        json.loads(latest(folder, "results.json").read_text(encoding="utf-8"))
    )
    return found


def test_auto_is_a_unit_everywhere_but_in_the_command(shop: Path) -> None:
    said = run(shop, BY_FILE, "-m", "retriever=bm25", "retriever.unit=auto,chunk,file")

    study = results(shop)
    typed, study["command"] = study["command"], ""
    assert "retriever.unit=auto" in typed
    assert "unit=auto" not in json.dumps(study)
    assert [one["config"]["name"] for one in study["reports"]] == [
        "retriever.unit=chunk",
        "retriever.unit=file",
    ]
    assert "retriever.unit=file: one entry per file, because" in said.stderr
    of_files = study["reports"][1]["query_results"][0]["retrieved"]
    assert sorted(hit["path"] for hit in of_files) == sorted(FILES)


def test_the_file_to_run_next_names_the_unit_that_was_measured(shop: Path) -> None:
    run(shop, BY_FILE, "retriever=grep", "retriever.unit=auto")
    first = results(shop)
    written = yaml.safe_load(latest(shop, "chosen.yaml").read_text(encoding="utf-8"))

    planned = run(shop, BY_FILE, "retriever=grep", "--plan").stdout
    run(shop, BY_FILE, f"study={latest(shop, 'chosen.yaml').resolve()}")

    assert written["retriever.unit"] == "file"
    assert "retriever.unit=file: one entry per file" in planned
    assert results(shop)["reports"][0]["trial"] == first["reports"][0]["trial"]


def test_symbols_are_asked_for_and_definitions_are_listed_once_by_name(shop: Path) -> None:
    run(shop, BY_SYMBOL, "retriever=bm25")

    (report,) = results(shop)["reports"]
    hits = report["query_results"][0]["retrieved"]
    names = [hit["symbol"] for hit in hits]
    assert report["config"]["retriever.unit"] == "definition"
    assert {"store.keep", "store.find", "cart.Cart"} <= set(names)
    assert len(set(names)) == len(names)
    assert "notes.md" not in {hit["path"] for hit in hits}
    assert report["levels"].keys() >= {"file", "symbol"}


@pytest.mark.parametrize("unit", ["chunk", "definition", "file"])
def test_exported_rankings_have_places_names_and_the_scores_that_order_them(
    shop: Path, unit: str
) -> None:
    run(shop, BY_SYMBOL, "retriever=lexical", f"retriever.unit={unit}")

    rows = pq.read_table(latest(shop, "rankings.parquet")).to_pylist()
    (report,) = results(shop)["reports"]
    stored = report["query_results"][0]["retrieved"]

    assert [row["score"] for row in rows] == [hit["score"] for hit in stored]
    assert all(one["score"] >= next_one["score"] for one, next_one in pairwise(rows))
    assert len({row["score"] for row in rows}) > 1
    for row in rows:
        source = FILES[row["path"]].encode()
        shown = source[row["start_byte"] : row["end_byte"]].decode()
        lines = source.decode().splitlines(keepends=True)[row["start"] - 1 : row["end"]]
        assert shown.strip() == "".join(lines).strip()
        last = row["symbol"].rpartition(".")[2]
        assert (row["symbol"] == "") == (row["path"] == "notes.md")
        assert row["path"] == "notes.md" or last in source.decode()
