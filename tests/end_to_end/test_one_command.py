"""The documented command on somebody's own folder: results, reuse, gates, failures."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
QUERIES = """\
queries:
  - {id: q1, query: how are prices added up, expected_symbols: [cart.Cart.total]}
  - {id: q2, query: take an item out again, expected_symbols: [cart.Cart.remove]}
  - {id: q3, query: where are orders kept, expected_symbols: [store.Store.save]}
  - {id: q4, query: find an order by its number, expected_symbols: [store.Store.find]}
  - {id: q5, query: send a parcel by drone, negative: true}
"""
CART = '''\
"""A shopping cart."""


class Cart:
    """Holds items with their prices."""

    def __init__(self):
        self.items = {}

    def total(self):
        """Sum of the prices of all items."""
        return sum(self.items.values())

    def remove(self, name):
        """Delete one item again."""
        del self.items[name]
'''
STORE = '''\
"""Where orders are kept."""


class Store:
    """A dictionary of orders by number."""

    def save(self, order):
        """Keep an order."""
        self.orders[order.number] = order

    def find(self, number):
        """Look an order up by its number."""
        return self.orders[number]
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small repository and a file of queries beside it."""
    code = tmp_path / "shop"
    code.mkdir()
    (code / "cart.py").write_text(CART, encoding="utf-8")
    (code / "store.py").write_text(STORE, encoding="utf-8")
    (code / "README.md").write_text("# A shop\n\nIt sells things.\n" * 20, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a study on the shop and expect an exit code."""
    own = ["suite=own", f"repository={folder / 'shop'}", "queries=queries.yaml"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def results(folder: Path, output: str = "outputs") -> dict[str, Any]:
    """Return the results of the last study."""
    text = (folder / output / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))
    return found


def quality(found: dict[str, Any]) -> list[Any]:
    """Return everything of a study but what depends on time."""
    costs = ("latency", "seconds", "memory", "_ms")
    return [
        {
            "config": report["config"],
            "queries": report["query_results"],
            "summary": {
                name: value
                for name, value in report["summary"].items()
                if not any(part in name for part in costs)
            },
        }
        for report in found["reports"]
    ]


def test_a_strangers_folder_needs_one_line(shop: Path) -> None:
    """A table, a results file, a table of queries, an MLflow address; no other file."""
    found = run(shop, "retriever=bm25", "execution=local")

    assert "NDCG@10" in found.stdout
    report = results(shop)["reports"][0]
    assert report["summary"]["total_queries"] == 5
    assert report["summary"]["judged_queries"] == 4
    assert report["summary"]["avg_mrr"] > 0.5
    assert report["config"]["chunk_size"] == 512
    latest = shop / "outputs" / "latest"
    assert {path.name for path in latest.iterdir()} == {
        "results.json",
        "queries.parquet",
        "stages.json",
        "report.html",
        "report.md",
        "FINDINGS.md",
        "rankings.parquet",
        "chosen.yaml",
        "runs",
    }
    assert {path.name for path in shop.iterdir()} == {
        "shop",
        "queries.yaml",
        "outputs",
        ".rankgrid",
    }


def test_a_warm_run_executes_nothing_and_says_the_same(shop: Path) -> None:
    """The second run of a grid finds every result in the store; on a busy machine no latency."""
    grid = ["-m", "chunk=32,64", "retriever=bm25", "execution=local", "tracking=none"]
    grid.append("latency=off")
    run(shop, *grid)
    first = results(shop)

    run(shop, *grid)

    second = results(shop)
    assert (second["plan"]["executed"], second["plan"]["failed"]) == (0, 0)
    assert second["plan"]["reused"] == first["plan"]["distinct"]
    assert [r["summary"] for r in second["reports"]] == [r["summary"] for r in first["reports"]]


def test_a_grid_shares_its_stages(shop: Path) -> None:
    """Two chunk sizes check out, tokenize and parse once."""
    run(shop, "-m", "chunk=32,64", "retriever=bm25", "execution=local", "tracking=none")

    plan = results(shop)["plan"]
    assert plan["executed"] == plan["distinct"] - 1  # the folder was read by planning
    assert plan["separate"] > plan["distinct"]


def test_the_same_numbers_in_process_on_processes_and_on_ray(shop: Path) -> None:
    """Where a stage runs changes no number of a hybrid grid with a reranker."""
    grid = ["-m", "chunk=32,512", "reranker=on,off", "latency=off", "tracking=none"]

    run(shop, *grid, "execution=local", "execution.workers=2", "store=a", "output=out_a")
    run(shop, *grid, "execution=ray", "store=b", "output=out_b")

    assert quality(results(shop, "out_a")) == quality(results(shop, "out_b"))


def test_a_flipped_byte_in_the_store_changes_no_result(shop: Path) -> None:
    """A damaged artifact is made again."""
    grid = ["retriever=bm25", "execution=local", "tracking=none", "latency=off"]
    run(shop, *grid)
    first = results(shop)
    for file in (shop / ".rankgrid" / "store" / "artifacts").rglob("*"):
        if file.is_file() and file.parent.parent.name in (
            "evaluate",
            "cut-at-breaks",
            "build-index",
        ):
            content = bytearray(file.read_bytes())
            content[-1] ^= 255
            file.write_bytes(bytes(content))

    run(shop, *grid)

    assert quality(results(shop)) == quality(first)
    assert results(shop)["plan"]["executed"] >= 1


def test_an_edited_file_is_embedded_again_and_only_that(shop: Path) -> None:
    """The texts of unchanged files are found by their content."""
    study = ["retriever=dense", "execution=local", "tracking=none", "latency=off"]
    study += ["execution.workers=1"]  # each worker loads the model
    run(shop, *study)
    before = embedded(shop)
    (shop / "shop" / "store.py").write_text(STORE + "\n# the end\n", encoding="utf-8")

    run(shop, *study)

    assert before == 3
    assert embedded(shop) == 1


def embedded(folder: Path) -> int:
    """Return how many texts the last study embedded."""
    text = (folder / "outputs" / "latest" / "stages.json").read_text(encoding="utf-8")
    return sum(stage["counts"].get("embedded", 0) for stage in json.loads(text)["stages"])


def test_a_floor_that_is_missed_exits_3_and_names_queries(shop: Path) -> None:
    """CI sees a number, a floor, and where to look."""
    found = run(
        shop, "retriever=bm25", "execution=local", "tracking=none", "--max", "mrr=0.01", code=3
    )

    assert "gate: failed" in found.stdout
    assert "q1" in found.stdout


def test_a_floor_that_is_reached_exits_0(shop: Path) -> None:
    """With -m the best trial may stand for all."""
    grid = ["-m", "chunk=32,64", "retriever=bm25", "execution=local", "tracking=none"]
    found = run(shop, *grid, "gate.of=best", "--min", "recall_at_10=0.5")

    assert "gate: passed" in found.stdout


def test_a_failing_trial_fails_alone(shop: Path) -> None:
    """A model whose files are broken: exit 1, the other trial complete, no number for it."""
    model = shop / "model"
    model.mkdir()
    (model / "config.json").write_text("{}", encoding="utf-8")
    (model / "model.safetensors").write_bytes(b"nothing")

    found = run(
        shop,
        "-m",
        "retriever=bm25,dense",
        "embedder=local",
        f"embedder.model={model}",
        "execution=local",
        "tracking=none",
        "--min-mrr",
        "0.1",
        code=1,
    )

    by_name = {report["config"]["name"]: report for report in results(shop)["reports"]}
    assert by_name["retriever=bm25"]["status"] == "complete"
    assert by_name["retriever=dense"]["status"] == "failed"
    assert by_name["retriever=dense"]["summary"].get("avg_mrr") is None
    assert by_name["retriever=dense"]["summary"]["failed_queries"] == 5
    assert "Failed:    1 trial; " in found.stdout


def test_a_dead_tracking_server_loses_nothing(shop: Path) -> None:
    """Results are on disk, and the command that sends them later works."""
    study = ["retriever=bm25", "execution=local", "latency=off", "tracking.uri=http://127.0.0.1:9"]

    found = run(shop, *study)

    assert "rankgrid track" in found.stdout
    send = [str(Path(sys.executable).parent / "rankgrid"), "track", "outputs/latest"]
    later = subprocess.run(
        [*send, "--uri", f"sqlite:///{shop / 'later.db'}"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=False,
    )
    assert later.returncode == 0, later.stderr
    assert "MLflow: http" in later.stdout


def test_a_point_that_changes_nothing_is_merged_and_said(shop: Path) -> None:
    """weight does nothing for bm25: two points are one trial."""
    found = run(shop, "-m", "retriever=bm25", "weight=0.3,0.5", "execution=local", "tracking=none")

    assert len(results(shop)["reports"]) == 1
    assert "1 point differs only in settings that do nothing" in found.stdout
    assert "Warning:   weight changes nothing in any trial" in found.stdout


def test_the_plan_is_shown_and_not_done(shop: Path) -> None:
    """--plan writes no results and runs no stage."""
    found = run(shop, "-m", "chunk=32,64", "--plan")

    assert "Nothing was run." in found.stdout
    assert not (shop / "outputs").exists()


def test_init_writes_a_suite_that_runs(shop: Path) -> None:
    """rankgrid init, then the command that it names."""
    rankgrid = str(Path(sys.executable).parent / "rankgrid")
    said = subprocess.run(
        [rankgrid, "init", "shop"], cwd=shop, capture_output=True, text=True, check=True
    )
    study = [sys.executable, str(ROOT / "bench" / "run.py"), "suite=file"]
    study += ["suite.path=rankgrid/suite.yaml", "retriever=bm25", "tracking=none"]

    found = subprocess.run(study, cwd=shop, capture_output=True, text=True, check=False)

    assert "suite.path=rankgrid/suite.yaml" in said.stdout
    assert found.returncode == 0, found.stderr
    assert " (1 repository: shop; " in found.stderr.splitlines()[0]
    again = subprocess.run(
        [rankgrid, "init", "shop"], cwd=shop, capture_output=True, text=True, check=False
    )
    assert again.returncode == 2
    assert "already exists" in again.stderr


def test_queries_inside_the_repository_are_not_searched(shop: Path) -> None:
    """A file of queries would find itself."""
    inside = shop / "shop" / "queries.yaml"
    shutil.move(shop / "queries.yaml", inside)

    run(shop, f"queries={inside}", "retriever=bm25", "execution=local", "tracking=none")

    hits = [hit for q in results(shop)["reports"][0]["query_results"] for hit in q["retrieved"]]
    assert hits
    assert all(hit["path"] != "queries.yaml" for hit in hits)


def test_no_secret_of_the_environment_reaches_a_file(shop: Path) -> None:
    """Keys come from the environment and appear nowhere."""
    secret = "hunter2-very-secret"  # noqa: S105 - invented
    env = os.environ | {"QDRANT_API_KEY": secret, "MLFLOW_TRACKING_TOKEN": secret}
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "suite=own"]
    command += [f"repository={shop / 'shop'}", "queries=queries.yaml", "retriever=bm25"]

    subprocess.run(command, cwd=shop, env=env, capture_output=True, check=True)

    files = [path for path in shop.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if secret.encode() in path.read_bytes()]


def test_a_field_that_only_some_trials_have_names_them_and_no_other(shop: Path) -> None:
    """reranker.depth means nothing where there is no reranker: those points are one trial."""
    grid = ["-m", "reranker=off,on", "reranker.depth=2,3", "retriever=bm25", "latency=off"]

    found = run(shop, *grid, "execution=local", "tracking=none")

    names = [report["config"]["name"] for report in results(shop)["reports"]]
    assert names == [
        "reranker=off",
        "reranker=on reranker.depth=2",
        "reranker=on reranker.depth=3",
    ]
    assert "1 point differs" in found.stdout
