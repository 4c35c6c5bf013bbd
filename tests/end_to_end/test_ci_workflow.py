"""docs/ci.md to the letter: its commands in a fresh repository, then the steps of the workflow.

rankgrid comes from the wheel, in an environment that does not have it before. A job is a shallow
clone of the merge of a pull request, as actions/checkout makes it.
"""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.installed_wheel import INSTALL, ROOT, build_wheel, clean, make_environment

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = ROOT / ".github" / "actions" / "rankgrid" / "action.yml"
WHAT = ("lantern", "harbour", "meadow", "copper", "violin", "glacier", "orchard", "thimble")
WHOSE = ("sailor", "farmer", "painter", "doctor", "widow")


def module(number: int) -> str:
    """Return a module of which only the docstrings say what it is for."""
    functions = (
        f"def take_{place}(items):\n"
        f'    """Fetch the {WHAT[number]} that belongs to the {whose}."""\n'
        f"    return items[{place}]\n"
        for place, whose in enumerate(WHOSE)
    )
    return "\n\n".join(functions)


@dataclass(frozen=True)
class Shop:
    """A repository whose main branch has the gate, and the programs that its jobs run."""

    folder: Path
    environment: Path
    store: Path

    def git(self, *arguments: str) -> None:
        """Run git as somebody."""
        who = "git -c user.name=a -c user.email=a@example.org"
        self.shell(f'{who} "$@"', *arguments, folder=self.folder)

    def shell(
        self, script: str, *arguments: str, folder: Path, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a step as GitHub does."""
        path = f"{self.environment / 'bin'}:{clean()['PATH']}"
        return subprocess.run(
            ["/bin/bash", "-e", "-c", script, "bash", *arguments],
            cwd=folder,
            env={**clean(), "PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def changed(self, what: str, old: str, new: str) -> None:
        """Edit files of the pull request that is being written."""
        for file in self.folder.glob(what):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace(old, new), encoding="utf-8")


@dataclass(frozen=True)
class Job:
    """What became of a job."""

    code: int
    output: str
    files: Mapping[str, str]
    seconds: float


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """Follow the page: its block of commands, in a repository that has only code."""
    folder, place = tmp_path_factory.mktemp("shop"), tmp_path_factory.mktemp("ci")
    made = Shop(folder, place / "environment", place / "store")
    make_environment(made.environment)
    pip = made.environment / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec {pip.parent}/python -m pip "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    (folder / "src").mkdir()
    for number in range(len(WHAT)):
        (folder / "src" / f"m{number}.py").write_text(module(number), encoding="utf-8")
    made.git("init", "--quiet", "--initial-branch=main")
    made.git("add", ".")
    made.git("commit", "--quiet", "--message=code")
    argument = " ".join([*INSTALL, str(build_wheel(place))])
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
    pip_line, init_line, *rest = block.splitlines()
    assert (pip_line, init_line) == ("pip install rankgrid", "rankgrid init --ci")
    commands = [f"pip install {argument}", f"{init_line} --install '{argument}'", *rest]
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    for command in commands:
        found = made.shell(command, folder=folder, **who)
        assert found.returncode == 0, found.stdout + found.stderr
    return made


@pytest.fixture
def change(shop: Shop) -> Shop:
    """Begin a pull request."""
    shop.git("checkout", "--quiet", "--force", "-B", "change", "main")
    return shop


def gated(shop: Shop, folder: Path) -> Job:
    """Commit the pull request, check its merge out as GitHub does, and run every step."""
    shop.git("commit", "--quiet", "--all", "--message=change")
    shop.git("checkout", "--quiet", "-B", "merge", "main")
    shop.git("merge", "--quiet", "--no-ff", "--no-edit", "change")
    clone, runner = folder / "clone", folder / "runner"
    runner.mkdir()
    shop.git("clone", "--quiet", "--depth=2", f"file://{shop.folder}", str(clone))
    if shop.store.exists():
        shutil.copytree(shop.store, clone / ".rankgrid" / "store")
    workflow = yaml.safe_load((clone / ".github/workflows/rankgrid.yml").read_text("utf-8"))
    steps = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    assert len(steps) == 2
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(runner / "summary.md")}
    started, output, code = time.perf_counter(), "", 0
    for step in steps:
        assert code == 0, output
        found = shop.shell(step, folder=clone, RUNNER_TEMP=str(runner), **github)
        output, code = output + found.stdout + found.stderr, found.returncode
    shutil.copytree(clone / ".rankgrid" / "store", shop.store, dirs_exist_ok=True)
    files = {file.name: file.read_text(encoding="utf-8") for file in runner.iterdir()}
    return Job(code, output, files, time.perf_counter() - started)


def test_a_pull_request_that_changes_code_passes(change: Shop, tmp_path: Path) -> None:
    change.changed("src/*.py", "    return items", "    found = items\n    return found")

    job = gated(change, tmp_path)

    assert job.code == 0, job.output
    assert "gate: passed (ndcg_at_10 not worse than in tree:HEAD^1)" in job.output
    said = " ".join(job.output.split())
    assert "are drafts drawn from docstrings and are found by their own words" in said
    assert json.loads(job.files["gate.json"])["exit_code"] == 0
    assert job.files["summary.md"] == job.files["gate.md"]


def test_a_pull_request_that_ruins_docstrings_fails_and_names_the_queries(
    change: Shop, tmp_path: Path
) -> None:
    for what in WHAT[:5]:
        for whose in WHOSE:
            sentence = f"Fetch the {what} that belongs to the {whose}."
            change.changed("src/*.py", sentence, "See elsewhere.")

    job = gated(change, tmp_path)

    asked = yaml.safe_load((change.folder / "rankgrid/queries.yaml").read_text("utf-8"))["queries"]
    (check,) = json.loads(job.files["gate.json"])["checks"]
    flipped = {name.rpartition("/")[2] for name in check["flipped"]}
    ruined = {one["id"] for one in asked if one["query"].split()[2] in WHAT[:5]}
    assert job.code == 3, job.output
    assert "::error title=rankgrid gate fail::" in job.output
    assert flipped == ruined
    assert "<failure message=" in job.files["gate.xml"]
    assert "Queries that flipped" in job.files["gate.md"]


def test_a_pull_request_that_edits_questions_cannot_be_compared(
    change: Shop, tmp_path: Path
) -> None:
    change.changed("rankgrid/queries.yaml", "Fetch the lantern that", "The lantern which")

    job = gated(change, tmp_path)

    assert job.code == 4, job.output
    assert "gate: not comparable: fixtures: " in job.output


def test_nothing_of_the_job_is_an_absolute_path(shop: Shop) -> None:
    """The files are committed and run on other machines."""
    shop.git("checkout", "--quiet", "--force", "main")
    suite = (shop.folder / "rankgrid" / "suite.yaml").read_text(encoding="utf-8")
    workflow = (shop.folder / ".github/workflows/rankgrid.yml").read_text(encoding="utf-8")

    assert yaml.safe_load(suite)["repositories"][0]["source"] == {"kind": "local", "path": ".."}
    assert str(shop.folder) not in suite + workflow


def test_the_action_runs_the_command_of_the_workflow() -> None:
    """With its inputs in place of the values."""
    steps = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]

    (run,) = [step["run"] for step in steps if step.get("run", "").startswith("rankgrid")]

    flags = ('--junit "$RUNNER_TEMP/gate.xml"', '--baseline "$BASELINE"', "latency=off")
    assert all(flag in run for flag in flags)
    assert "${{" not in run
