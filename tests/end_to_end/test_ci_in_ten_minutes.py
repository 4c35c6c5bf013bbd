"""The page that leads from a folder of documents to a gated CI job does what it says."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bench.corpora.gitcall import git_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci_in_ten_minutes.md").read_text(encoding="utf-8")
DOORS = {
    "rankgrid": [str(Path(sys.executable).with_name("rankgrid"))],
    "python": [sys.executable],
}


def blocks(kind: str) -> list[str]:
    """Return the blocks of one kind."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the page."""
    (tmp_path / "handbook").mkdir()
    names = re.findall(r"^`(handbook/\w+\.md)`:$", PAGE, re.MULTILINE)
    for name, text in zip(names, blocks("markdown"), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (questions,) = blocks("jsonl")
    (tmp_path / "golden.jsonl").write_text(questions, encoding="utf-8")
    return tmp_path


def typed(line: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Type a line of the page."""
    door, *rest = [*shlex.split(line), *more]
    return subprocess.run(
        [*DOORS[door], *rest],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def commit(folder: Path) -> None:
    """Commit everything."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["add", "handbook", "golden.jsonl"]):
        subprocess.run([git_program(), *words], cwd=folder, check=True)
    commit = [git_program(), *who, "commit", "--quiet", "--allow-empty", "--message=some"]
    subprocess.run(commit, cwd=folder, check=True)


def lines_of_the_page() -> list[str]:
    """Return its commands."""
    return [line for block in blocks("sh") for line in block.splitlines()]


def without_names(printed: str) -> str:
    """Return output without the names of studies, which are their times."""
    return re.sub(r"\d{8}-\d{6}-\w+", "STUDY", printed)


def test_the_page_leads_to_a_gate_that_holds_and_that_falls(folder: Path) -> None:
    """Each command as it stands there; the gate says the same twice."""
    first, changed, save, again, answers = lines_of_the_page()
    refunds = folder / "handbook" / "refunds.md"

    start = typed(first, folder)
    commit(folder)
    refunds.write_text(f"Read this.\n\n{refunds.read_text(encoding='utf-8')}", encoding="utf-8")
    moved = typed(changed, folder)
    saved = typed(save, folder)
    commit(folder)
    held, twice = typed(again, folder), typed(again, folder)
    answered = typed(answers, folder)

    assert start.returncode == 0, start.stderr
    assert "No baseline" in start.stdout
    assert "MRR:           1.00 (±0.00)" in start.stdout
    assert "1: Recall=1.00, Precision=0.20, MRR=1.00 ✓" in start.stdout
    assert "5: negative" in start.stdout
    assert re.search(r"Saved results to: outputs/\d{8}-\d{6}-\w+/results.json\n", start.stdout)
    assert start.stdout.endswith("\nPASSED\n")
    assert "warning: 5 queries" in start.stderr
    assert moved.returncode == 0, moved.stderr + moved.stdout
    assert "Comparison to baseline" in moved.stdout
    assert re.search(
        r"Comparison to baseline of \d{4}-\d\d-\d\d \(study .*, 4 queries\):", moved.stdout
    )
    assert saved.returncode == 0, saved.stderr
    assert held.returncode == 0, held.stderr
    assert "MRR:           +0.0000 ✓" in held.stdout
    assert without_names(twice.stdout) == without_names(held.stdout)
    assert answered.returncode == 0, answered.stderr + answered.stdout


def test_a_worse_retriever_falls_and_says_where(folder: Path) -> None:
    """With the questions that it missed, what was expected, and what came instead."""
    first, _, save, *_ = lines_of_the_page()
    typed(first, folder)
    typed(save, folder)

    found = typed(first.replace("bm25", "constant"), folder)

    assert found.returncode == 3, found.stderr + found.stdout
    assert re.search(r"MRR: +-1\.0000 ✗", found.stdout)
    missed = found.stdout.partition("Missed queries")[2]
    assert "Expected:" in missed
    assert "Retrieved: " in missed


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--min-queries", "6"), "--min-queries 6: own asks 5; write more queries"),
        (("--at", "0"), "--at 0"),
        (("--fair", "0.9", "--good", "0.5"), "--fair below --good"),
        (("--tolerance", "-1"), "--tolerance -1"),
        (("retriever=bm26",), "bm26"),
        (("--baseline", "nowhere"), "nowhere: no such results"),
    ],
)
def test_what_cannot_be_run_exits_2(folder: Path, more: tuple[str, ...], said: str) -> None:
    """Before anything is done."""
    found = typed("rankgrid run suite=own repository=handbook queries=golden.jsonl", folder, *more)

    assert found.returncode == 2
    assert said in found.stderr
    assert not (folder / "outputs").exists()


def test_the_job_runs_the_command_of_the_page() -> None:
    """So that what is tested here is what people copy."""
    _, job = blocks("yaml")

    steps = yaml.safe_load(job)["jobs"]["gate"]["steps"]

    assert steps[-1]["run"] in lines_of_the_page()


def test_a_settings_file_in_the_folder_judges_with_limits_and_no_words(folder: Path) -> None:
    """What is typed overrides it; a floor that is missed fails."""
    settings, _ = blocks("yaml")
    (folder / "rankgrid.yaml").write_text(f"{settings}tracking: none\n", encoding="utf-8")

    alone = typed("rankgrid run --min-mrr 0.9", folder)
    typed_too = typed("rankgrid run retriever=random --min-mrr 1 --json", folder)

    assert alone.returncode == 0, alone.stderr
    assert "settings that are not typed: rankgrid.yaml" in alone.stderr
    assert alone.stdout.endswith("\nPASSED\n")
    assert typed_too.returncode == 3, typed_too.stderr
    found = json.loads(typed_too.stdout)
    assert "random" in found["trial"]
    assert [check["state"] for check in found["gate"]] == ["fail"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("store: elsewhere\n", "--trust rankgrid.yaml"),
        ("retriever: bm25,random\n", "Use rankgrid bench"),
    ],
)
def test_a_settings_file_is_held_to_the_rules_for_files(
    folder: Path, settings: str, told: str
) -> None:
    (folder / "rankgrid.yaml").write_text(settings, encoding="utf-8")

    refused = typed("rankgrid run suite=own repository=handbook queries=golden.jsonl", folder)

    assert refused.returncode == 2
    assert told in refused.stderr
