"""Commands that ask git run no program that the configuration of a repository names."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.results import point_latest, text_of, write_results
from tests.hostile_git import make_hostile
from tests.integration.git_repositories import Repository
from tests.small_study import CART, QUERIES
from tests.unit.compare.sample_results import stored

ROOT = Path(__file__).parents[2]
RANKGRID = [str(Path(sys.executable).parent / "rankgrid")]
GRID = [sys.executable, str(ROOT / "bench" / "run.py")]
STUDY = (
    *("suite=own", "repository=shop", "queries=queries.yaml", "retriever=bm25"),
    *("execution=local", "latency=off", "tracking=none", "output=../studies"),
)
RESULTS = stored({"x/one": 1, "x/two": 2})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A hostile repository that lacks the results file which it has committed."""
    repository = Repository(tmp_path / "work")
    repository.commit("one", shop__cart_dot_py="a = 1\n", queries_dot_yaml=QUERIES)
    repository.commit("two", shop__cart_dot_py=CART, results_dot_json=text_of(RESULTS))
    write_results(RESULTS, repository.folder / "outputs" / "first")
    point_latest(repository.folder / "outputs" / "first")
    make_hostile(repository, tmp_path / "PLANTED", missing="results.json")
    return repository.folder


def typed(work: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)


def test_the_repository_does_run_its_program_for_git_itself(work: Path) -> None:
    """Otherwise the tests below would show nothing."""
    typed(work, ["git", "cat-file", "blob", "HEAD:results.json"])

    assert (work.parent / "PLANTED").exists()


@pytest.mark.parametrize(
    "command",
    [
        [*RANKGRID, "gate", "latest", "--baseline", "HEAD:results.json"],
        [*RANKGRID, "compare", "HEAD:results.json", "latest"],
        [*GRID, *STUDY, "--baseline", "HEAD:results.json"],
    ],
    ids=["gate", "compare", "grid"],
)
def test_a_baseline_that_is_elsewhere_is_refused_in_one_line(
    work: Path, command: list[str]
) -> None:
    found = typed(work, command)

    assert not (work.parent / "PLANTED").exists()
    assert found.returncode == 2, found.stderr
    assert "HEAD:results.json: not in this git repository" in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_study_names_its_commit(work: Path) -> None:
    found = typed(work, [*GRID, *STUDY])

    assert found.returncode == 0, found.stderr
    assert not (work.parent / "PLANTED").exists()
    results = json.loads((work.parent / "studies/latest/results.json").read_text("utf-8"))
    head = typed(work, ["git", "-c", "core.fsmonitor=false", "rev-parse", "HEAD"]).stdout
    assert results["git_sha"] == head.strip()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["context", ".", "--task", "add prices", "--set", "scoring.commit_recency=0.1"], 0),
        (["init", "shop"], 0),
        (["fixtures", "mine", ".", "--output", "mined.yaml"], 1),
        (
            [
                "fixtures",
                "update",
                "queries.yaml",
                "--repository",
                ".",
                "--from",
                "{}",
                "--to",
                "{}",
            ],
            1,
        ),
    ],
    ids=["context", "init", "mine", "update"],
)
def test_commands_that_read_the_repository_run_nothing_of_it(
    work: Path, command: list[str], code: int
) -> None:
    """Mining and updating need a file that the repository lacks and cannot give."""
    head = (work / ".git/refs/heads/main").read_text(encoding="ascii").strip()

    found = typed(work, [*RANKGRID, *(text.format(head) for text in command)])

    assert not (work.parent / "PLANTED").exists()
    assert found.returncode == code, found.stderr


def test_a_repository_of_another_user_is_refused_with_the_remedy(
    work: Path, tmp_path: Path
) -> None:
    """The program on the path is git, told to take every repository for another user's."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "git"
    body = f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"'
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [*RANKGRID, "gate", "latest", "--baseline", "HEAD:results.json"]

    found = subprocess.run(
        command, cwd=work, env=environment, capture_output=True, text=True, check=False
    )

    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "another user owns the repository" in found.stderr
    assert "git config --global --add safe.directory" in found.stderr
