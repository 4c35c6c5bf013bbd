"""A grid of weights is one trial: its weights are chosen inside the plan, on the tune half."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
WORDS = ["price", "order", "parcel", "basket", "refund", "stock", "label", "invoice"]
CHANNELS = "retriever.channels=[bm25,grep,fields]"


@pytest.fixture
def shops(tmp_path: Path) -> Path:
    """Two repositories in which names and texts say different things, with queries of each."""
    suite = ["name: shops", "repositories:"]
    for shop in ("one", "two"):
        _write_shop(tmp_path / shop, WORDS)
        source = f"{{kind: local, path: {shop}}}"
        suite.append(f"- {{name: {shop}, source: {source}, queries: {shop}.yaml}}")
    (tmp_path / "suite.yaml").write_text("\n".join(suite) + "\n", encoding="utf-8")
    return tmp_path


def _write_shop(folder: Path, words: list[str]) -> None:
    folder.mkdir()
    draw, queries = random.Random(folder.name), ["queries:"]  # noqa: S311 - a sample, no secret
    for word in words:
        name, inside = draw.sample(words, 2), draw.choices(words, k=12)
        text = f"def {'_'.join(name)}():\n    # {' '.join(inside)}\n    return {inside[0]}\n"
        (folder / f"{word}.py").write_text(text, encoding="utf-8")
        asked = " ".join([draw.choice(name), *draw.choices(inside, k=2), draw.choice(words)])
        queries.append(f"- {{id: {word}, query: {asked}, expected_files: [{word}.py]}}")
    folder.with_suffix(".yaml").write_text("\n".join(queries) + "\n", encoding="utf-8")


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run a study of the shops and return what it printed."""
    own = [
        "suite=file",
        "suite.path=suite.yaml",
        "retriever=hybrid",
        CHANNELS,
        "retriever.rules=off",
        "retriever.unit=chunk",
    ]
    rest = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *rest, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found.stdout + found.stderr


def results(folder: Path) -> dict[str, Any]:
    """Return the results of the last study."""
    text = (folder / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_curve_is_what_every_weighting_scores_as_a_trial_of_its_own(shops: Path) -> None:
    """Known from the product itself: 15 trials by hand, and one that chooses among the 15."""
    quarters = [(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)]
    by_hand = ",".join(f"[{a / 4},{b / 4},{c / 4}]" for a, b, c in quarters)
    run(shops, "half=tune", "weights={steps:4}")
    (chosen,) = results(shops)["reports"]

    run(shops, "-m", "half=tune", f"weights={by_hand}")

    alone = {
        tuple(report["config"]["weights"]): report["summary"]["avg_ndcg_at_10"]
        for report in results(shops)["reports"]
    }
    curve = {tuple(one["weights"]): one["score"] for one in chosen["tuning"]["curve"]}
    assert curve == alone
    assert len(set(alone.values())) > 2
    assert chosen["summary"]["avg_ndcg_at_10"] == max(alone.values())
    assert chosen["tuning"]["in_sample"] == max(alone.values())


def test_weights_come_from_the_tune_half_whatever_half_is_reported(shops: Path) -> None:
    """The same choice, other queries scored; and a page that says whose the numbers are."""
    chosen, said = {}, {}
    for half in ("all", "tune", "report"):
        said[half] = " ".join(run(shops, f"half={half}", "weights={steps:4}", "--verbose").split())
        (report,) = results(shops)["reports"]
        chosen[half] = (report["tuning"]["chosen"], report["tuning"]["curve"])
        queries = {"all": 16, "tune": 8, "report": 8}[half]
        assert report["summary"]["total_queries"] == queries

    assert chosen["all"] == chosen["tune"] == chosen["report"]
    assert "expected on a new repository" in said["report"]
    assert "include the queries that chose" in said["all"]
    table = pq.read_table(shops / "outputs" / "latest" / "weights.parquet").to_pylist()
    assert len(table) == 15
    assert set(table[0]) == {"trial", "bm25", "grep", "fields", "ndcg_at_10"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["weights={steps:0}"], "weights={steps:0}: steps must be a whole number"),
        (["weights={steps:200}"], "Use at most {steps:198}"),
        (["weights={steps:4}", "weight=.5"], "pass only one of them"),
        (["weights={steps:4}", "retriever=bm25"], "add retriever=hybrid"),
        (["weights={steps:4}", "objective=recall_at_4000_tokens"], "by the ranks of the targets"),
    ],
)
def test_what_is_no_grid_is_refused_in_one_line(
    shops: Path, arguments: list[str], said: str
) -> None:
    """Nothing is started."""
    kept = [text for text in arguments if not text.startswith("retriever=")]
    retriever = [text for text in arguments if text.startswith("retriever=")]

    found = run(shops, *kept, *retriever, code=2)

    assert said in found
    assert len(found.strip().splitlines()) == 1
