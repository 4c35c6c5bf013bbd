"""What a study advises is a file, and the next run takes it as it is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.results.packed import unpacked

ROOT = Path(__file__).parents[2]
QUERIES = 16


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose queries say words of comments, in a folder whose name needs quotes."""
    code = tmp_path / "my shop, inc"
    code.mkdir()
    queries = ["queries:"]
    for number in range(QUERIES):
        text = f"def f{number}():\n    # keeps w{number} and w{number // 2}\n    return 1\n"
        (code / f"m{number}.py").write_text(text, encoding="utf-8")
        asked = f"{{id: q{number}, query: who keeps w{number // 2} and w{number % 7}"
        queries.append(f"- {asked}, expected_files: [m{number}.py]}}")
    (tmp_path / "queries.yaml").write_text("\n".join(queries) + "\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a study and expect an exit code."""
    own = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *own, *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def latest(folder: Path) -> dict[str, Any]:
    """Return the results of the last study."""
    place = folder / "outputs" / "latest" / "results.json"
    found: dict[str, Any] = unpacked(json.loads(place.read_text(encoding="utf-8")))
    return found


def asked(folder: Path) -> list[str]:
    """Return what is asked of what."""
    return ["suite=own", f"repository='{folder / 'my shop, inc'}'", "queries=queries.yaml"]


def test_the_next_run_is_the_trial_that_was_chosen(shop: Path) -> None:
    """The command that is printed does no work again and has the very same numbers."""
    grid = ["-m", "retriever=bm25,exact", "chunk=32,64", "chunker=lines", "retriever.k1=0.9"]
    said = run(shop, *asked(shop), *grid)
    first = latest(shop)
    command = next(line for line in said.stdout.splitlines() if "study=" in line)
    chosen = first["recommendation"]["ship"] or first["recommendation"]["highest"]

    again = run(shop, command.rpartition(" ")[2], "latency=off")

    second = latest(shop)
    (report,) = second["reports"]
    (before,) = (one for one in first["reports"] if one["config"]["name"] == chosen)
    assert report["trial"] == before["trial"]
    assert report["query_results"] == before["query_results"]
    assert second["plan"]["executed"] == 0
    assert "Run " not in again.stdout  # a study of one has nothing to choose


def test_what_is_typed_beside_the_file_counts(shop: Path) -> None:
    """A grid around what is advised, gated; nothing of it is a default that could change."""
    run(shop, *asked(shop), "-m", "retriever=bm25,fields", "chunk=64")
    place = shop / "outputs" / "latest" / "chosen.yaml"
    written = yaml.safe_load(place.read_text(encoding="utf-8"))

    run(shop, f"study={place}", "-m", "chunk=16,32", "--min-mrr", "1.0", code=3)

    assert {"suite", "repository", "queries", "retriever", "chunker", "chunk"} <= set(written)
    assert not {"tracking", "latency", "execution", "output", "store", "seed"} & set(written)
    names = {report["config"]["chunk"] for report in latest(shop)["reports"]}
    assert names == {16, 32}
    retrievers = {report["config"]["retriever"] for report in latest(shop)["reports"]}
    assert retrievers == {written["retriever"]}


def test_weights_that_were_chosen_are_written_and_not_chosen_again(shop: Path) -> None:
    """The file fixes them: the trial is another, its rankings are the same."""
    channels = ["retriever=hybrid", "retriever.channels=[bm25,exact]", "weights={steps:4}"]
    run(shop, *asked(shop), *channels)
    first = latest(shop)
    place = shop / "outputs" / "latest" / "chosen.yaml"

    run(shop, f"study={place}")

    (before,), (after,) = first["reports"], latest(shop)["reports"]
    assert before["config"]["weights"] == "{steps:4}"
    assert after["config"]["weights"] == list(before["tuning"]["chosen"].values())
    assert after["query_results"] == before["query_results"]


def test_where_no_trial_keeps_the_limits_nothing_is_written(shop: Path) -> None:
    """There is nothing to run."""
    said = run(shop, *asked(shop), "-m", "retriever=bm25,exact", "max_memory_mb=0.001")

    assert "no trial is within the limits" in said.stdout.lower()
    assert not (shop / "outputs" / "latest" / "chosen.yaml").exists()


def test_what_is_chosen_says_how_chunks_become_vectors(shop: Path) -> None:
    """Also where that is the default: a later version may have another."""
    said = run(
        shop,
        *asked(shop),
        "--verbose",
        "retriever=dense",
        "chunk=32",
        "embedder.long_text=truncate",
    )
    place = shop / "outputs" / "latest" / "chosen.yaml"
    text = place.read_text(encoding="utf-8")
    first = latest(shop)["reports"][0]

    run(shop, f"study={place}")

    assert "# Vectors: one vector per chunk, its beginning only." in text
    assert {"embedder.windows": "own", "embedder.long_text": "truncate"}.items() <= (
        yaml.safe_load(text).items()
    )
    assert "one vector per chunk, its beginning only" in " ".join(said.stdout.split())
    assert latest(shop)["reports"][0]["trial"] == first["trial"]
