"""The command with other parts: MLflow read back, a cross-encoder, a bad hash."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.test_one_command import CART, QUERIES, STORE, results, run
from tests.processes import running

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small repository and a file of queries beside it."""
    code = tmp_path / "shop"
    code.mkdir()
    (code / "cart.py").write_text(CART, encoding="utf-8")
    (code / "store.py").write_text(STORE, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def test_mlflow_has_a_parent_and_a_finished_run_per_trial(shop: Path) -> None:
    """Read back through MLflow's own client."""
    run(shop, "-m", "chunk=32,64,128", "retriever=bm25", "execution=local")

    runs = mlflow_runs(shop / ".rankgrid" / "mlflow.db")

    parents = [one for one in runs if "mlflow.parentRunId" not in one["tags"]]
    trials = [one for one in runs if "mlflow.parentRunId" in one["tags"]]
    assert (len(parents), len(trials)) == (1, 3)
    assert {one["tags"]["mlflow.parentRunId"] for one in trials} == {parents[0]["id"]}
    assert {one["status"] for one in runs} == {"FINISHED"}
    wanted = {"mrr", "recall_at_10", "coverage_at_4000_tokens", "ndcg_at_10", "latency_p50_ms"}
    by_name = {report["config"]["name"]: report for report in results(shop)["reports"]}
    for one in trials:
        assert wanted <= set(one["metrics"])
        assert one["metrics"]["mrr"] == by_name[one["name"]]["summary"]["avg_mrr"]


def mlflow_runs(database: Path) -> list[dict[str, Any]]:
    """Return all runs of a tracking database, read in a process of its own."""
    code = f"""
import json, mlflow
client = mlflow.MlflowClient("sqlite:///{database}")
(experiment,) = [e for e in client.search_experiments() if e.name == "rankgrid"]
print(json.dumps([
    dict(id=run.info.run_id, name=run.info.run_name, status=run.info.status,
         tags=run.data.tags, metrics=run.data.metrics)
    for run in client.search_runs([experiment.experiment_id])
]))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    runs: list[dict[str, Any]] = json.loads(found.stdout.splitlines()[-1])
    return runs


def test_tokens_are_a_channel_of_a_served_pipeline(shop: Path) -> None:
    """Judged, timed, and stored for the next run."""
    own = (
        "retriever=hybrid",
        "retriever.channels=[bm25,dense,late]",
        "chunk=16",
        "execution=local",
    )

    run(shop, *own, "tracking=none")

    (report,) = results(shop)["reports"]
    assert report["status"] == "complete"
    assert report["config"]["embedding_model"] == "all-MiniLM-L6-v2"
    assert report["summary"]["texts_embedded"] > 0
    assert report["summary"]["latency_p50_ms"] > 0
    assert report["latency"]["engine_recall_at_10"] == 1
    assert report["summary"]["avg_mrr"] > 0.5


def test_a_cross_encoder_by_folder_reorders_the_hits(shop: Path) -> None:
    """A tiny one, made on the spot and stored as safetensors."""
    make_cross_encoder(shop / "model")

    run(
        shop,
        "-m",
        "reranker=off,cross_encoder",
        f"reranker.model={shop / 'model'}",
        "reranker.keep=1",
        "retriever=bm25",
        "chunk=16",
        "execution=local",
        "tracking=none",
    )

    off, on = results(shop)["reports"]
    assert on["status"] == "complete"
    assert on["config"]["reranker_model"] == str(shop / "model")
    assert on["summary"]["pairs_scored"] > 0
    retrieved = [[q["retrieved"] for q in report["query_results"]] for report in (off, on)]
    assert retrieved[0] != retrieved[1]
    assert max(len(hits) for hits in retrieved[0]) > 1
    assert all(len(hits) <= 1 for hits in retrieved[1])


def make_cross_encoder(place: Path) -> None:
    """Store a two-layer BERT with random weights that scores pairs."""
    code = f"""
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification
from retrievers.dense import EmbeddingModel
torch.manual_seed(0)
tokenizer = AutoTokenizer.from_pretrained(EmbeddingModel().weights.source)
config = BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2,
                    num_attention_heads=2, intermediate_size=64, initializer_range=0.5,
                    num_labels=1)
BertForSequenceClassification(config).save_pretrained({str(place)!r})
tokenizer.save_pretrained({str(place)!r})
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True)


def test_a_wrong_hash_fails_its_study_and_writes_no_number(shop: Path) -> None:
    """The pinned package is not what the suite says: named, exit 1."""
    suite = """\
name: pinned
repositories:
  - name: six
    source: {kind: pypi, package: six, version: "1.16.0", file: six-1.16.0.tar.gz, sha256: "HASH"}
    queries: queries.yaml
"""
    (shop / "suite.yaml").write_text(suite.replace("HASH", "0" * 64), encoding="utf-8")
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "suite=file"]
    command += ["suite.path=suite.yaml", "retriever=bm25", "tracking=none", "execution=local"]

    found = subprocess.run(command, cwd=shop, capture_output=True, text=True, check=False)

    assert found.returncode == 1
    assert "sha256" in found.stdout + found.stderr
    assert results(shop)["reports"][0]["status"] == "failed"
    assert results(shop)["reports"][0]["summary"]["avg_mrr"] is None


def test_the_command_runs_from_any_folder_and_twice_at_once(shop: Path) -> None:
    """Two studies may share a store."""
    own = ["suite=own", f"repository={shop / 'shop'}", "queries=queries.yaml", "tracking=none"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, "retriever=bm25"]

    with (
        running(command, folder=shop, stdout=subprocess.DEVNULL) as first,
        running(command, folder=shop, stdout=subprocess.DEVNULL) as second,
    ):
        codes = [first.wait(), second.wait()]

    assert codes == [0, 0]
    assert results(shop)["reports"][0]["status"] == "complete"


def test_an_engine_ranks_what_is_judged_and_says_so(shop: Path) -> None:
    """Its recall is a metric in MLflow, and a note tells its numbers from computed ones."""
    own = ("retriever=dense,hybrid", "chunk=16", "vectors.scan_below_kilobytes=1")

    said = run(shop, "-m", *own, "vectors.ranked=true", "latency=off", "execution=local")

    found = results(shop)
    (note,) = [one for one in found["notes"] if one.startswith("vectors.ranked=true")]
    assert "ranked 2 trials and found 100.0% of the 10 nearest chunks" in note
    assert "vectors.ranked=true: qdrant-edge-py" in said.stdout
    for report in found["reports"]:
        assert report["ranked_by"].startswith("qdrant-edge-py ")
        assert report["summary"]["engine_recall_at_10"] == 1
    runs = mlflow_runs(shop / ".rankgrid" / "mlflow.db")
    trials = [one for one in runs if "mlflow.parentRunId" in one["tags"]]
    assert [one["metrics"]["engine_recall_at_10"] for one in trials] == [1, 1]


def test_an_engine_that_does_not_rank_leaves_no_mark(shop: Path) -> None:
    run(shop, "retriever=dense", "chunk=16", "latency=off", "tracking=none", "execution=local")

    found = results(shop)

    (report,) = found["reports"]
    assert "ranked_by" not in report
    assert "engine_recall_at_10" not in report["summary"]
    assert not [one for one in found["notes"] if "engine" in one or "ranked=true" in one]
