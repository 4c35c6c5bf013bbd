"""The gate through its commands, and its exit codes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, str(ROOT / "bench" / "run.py")]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")
WORDS = (
    *("lantern", "harbour", "meadow", "copper", "violin"),
    *("glacier", "orchard", "thimble", "saddle", "compass"),
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose names only a tokenizer that parts identifiers can read."""
    code = tmp_path / "shop"
    code.mkdir()
    lines = ["queries:"]
    for first in WORDS:
        second = WORDS[WORDS.index(first) - 1]
        name = f"{first}{second.title()}"
        (code / f"m_{first}.py").write_text(f"def {name}():\n    return 1\n", encoding="utf-8")
        lines.append(
            f"- {{id: {first}, query: {first} {second}, difficulty: easy,"
            f" expected_files: [m_{first}.py]}}"
        )
    (tmp_path / "queries.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def command(folder: Path, words: list[str], *, code: int) -> subprocess.CompletedProcess[str]:
    """Run a documented command in a folder and expect an exit code."""
    start = RUN if words[0] == "python" else [RANKGRID]
    rest = words[2:] if words[0] == "python" else words[1:]
    found = subprocess.run(
        [*start, *rest], cwd=folder, capture_output=True, text=True, check=False
    )
    assert found.returncode == code, found.stderr + found.stdout
    return found


def study(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a study of the shop."""
    own = [
        "suite=own",
        "repository=shop",
        "queries=queries.yaml",
        "retriever=bm25",
        "tracking=none",
    ]
    rest = ["execution=local", "latency=off", *arguments]
    return command(folder, ["python", "bench/run.py", *own, *rest], code=code)


def rankgrid(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run another command."""
    return command(folder, ["rankgrid", *arguments], code=code)


def test_a_worse_configuration_fails_against_the_baseline(shop: Path) -> None:
    """Identical rankings pass; a tokenizer that reads no identifiers loses every query."""
    study(shop)
    rankgrid(shop, "baseline", "save")

    same = study(shop, "--baseline", "main")
    worse = study(shop, "retriever.tokenizer=plain", "--baseline", "main", code=3)

    assert "of 10 queries changed" in same.stdout
    assert "gate: failed (ndcg_at_10 not worse than" in worse.stdout
    assert "- regression shop/lantern: rank 1 → none" in worse.stdout


def test_changed_fixtures_are_not_comparable(shop: Path) -> None:
    """Exit 4, and which query it was."""
    study(shop)
    queries = shop / "queries.yaml"
    changed = queries.read_text(encoding="utf-8").replace("query: lantern", "query: a lantern")
    queries.write_text(changed, encoding="utf-8")

    found = study(shop, "--baseline", "latest", code=4)

    assert "fixtures: shop: lantern changed" in found.stdout
    assert "gate: not comparable" in found.stdout


def test_changed_sources_are_compared(shop: Path) -> None:
    """The questions whose targets are still there; a floor counts as ever."""
    study(shop)
    rankgrid(shop, "baseline", "save", "--name", "old")
    (shop / "shop" / "new.py").write_text("x = 1\n", encoding="utf-8")
    (shop / "shop" / "m_lantern.py").unlink()

    found = study(shop, "--baseline", "old", "--max", "mrr=0.5", code=3)

    assert "9 of 10 queries are compared; left out:" in found.stdout
    assert "1 gone (a target is no longer in the code): shop/lantern" in found.stdout
    saved = rankgrid(shop, "baseline", "save", code=2)
    assert "the targets of lantern are no longer there" in saved.stderr


def test_a_finished_study_can_be_held_against_limits(shop: Path) -> None:
    """Without running anything."""
    study(shop)

    passed = rankgrid(shop, "gate", "--min", "easy.mrr=0.9", "--max", "index_seconds=999")
    failed = rankgrid(shop, "gate", "latest", "--max", "mrr=0.5", code=3)

    assert "gate: passed" in passed.stdout
    assert "gate: failed (mrr ≤ 0.5)" in failed.stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--baseline", "nowhere"], "nowhere: no such results"),
        (["--min", "tough.mrr=0.5"], "the suite has no such part"),
        (["--baseline", "latest", "--waive", "other"], "no such repository in the suite"),
        (["--max", "latency=1"], "latency_p95_ms"),
    ],
)
def test_what_cannot_be_asked_exits_2_before_any_work(
    shop: Path, typed: list[str], said: str
) -> None:
    """One line, and no study."""
    found = study(shop, *typed, code=2)

    assert said in found.stderr
    assert not (shop / "outputs").exists()


def test_a_baseline_says_what_it_is_of(shop: Path) -> None:
    """And what it replaced."""
    study(shop)
    rankgrid(shop, "baseline", "save")
    study(shop, "chunk=64")

    again = rankgrid(shop, "baseline", "save")

    assert ", in place of 2" in again.stdout
    shown = rankgrid(shop, "baseline", "show").stdout
    assert "shop: 10 queries" in shown
    assert "MRR@10 1.0000" in shown
    assert "letters, digits" in rankgrid(shop, "baseline", "save", "--name", "../x", code=2).stderr
