"""Our own numbers are committed, and a change that lowers them fails here."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.results import read_results

ROOT = Path(__file__).parents[2]
BASELINES = ROOT / "baselines"
SUITES = ("harness", "tiered", "docs")
MOST_BYTES = 500_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that the tests share."""
    return tmp_path_factory.mktemp("baselines")


def gated(folder: Path, suite: str, retriever: str) -> subprocess.CompletedProcess[str]:
    """Run a study of a suite against the baseline of bm25."""
    baseline = str(BASELINES / f"{suite}-bm25.json")
    settings = [f"suite={suite}", f"retriever={retriever}", "latency=off", "tracking=none"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *settings]
    return subprocess.run(
        [*command, "execution=local", "--baseline", baseline],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("suite", SUITES)
def test_bm25_is_as_good_as_its_committed_baseline(folder: Path, suite: str) -> None:
    """If it fails and should: python scripts/make_baselines.py, and commit baselines/."""
    found = gated(folder, suite, "bm25")

    assert found.returncode == 0, found.stdout + found.stderr


def test_a_retriever_that_does_not_read_the_query_fails(folder: Path) -> None:
    assert gated(folder, "harness", "constant").returncode == 3


@pytest.mark.parametrize("place", sorted(BASELINES.glob("*.json")), ids=lambda place: place.stem)
def test_a_baseline_is_small_and_names_no_machine(place: Path) -> None:
    study = read_results(place)
    texts = [place.read_text(encoding="utf-8")]
    texts.append((BASELINES / place.stem / "FINDINGS.md").read_text(encoding="utf-8"))

    assert place.stem.partition("-")[0] == study.suite
    assert [trial.failed for trial in study.trials] == [False]
    assert place.stat().st_size < MOST_BYTES
    assert [word for text in texts for word in ("/home/", "/root/", "/tmp/") if word in text] == []


def test_there_is_a_baseline_of_every_suite_and_a_log() -> None:
    kept = {place.stem for place in BASELINES.glob("*.json")}
    log = (BASELINES / "EXPERIMENTS.md").read_text(encoding="utf-8")

    assert {f"{suite}-bm25" for suite in SUITES} <= kept
    assert [suite for suite in SUITES if f"lexical on {suite}" not in log] == []
