"""Git is called with nothing that a repository or the environment could steer it by."""

import os
import select
from pathlib import Path

import pytest

from bench.corpora.gitcall import (
    foreign_repository,
    git_program,
    output_in,
    started,
    variables,
)
from bench.errors import GitError
from tests.hostile_git import make_hostile
from tests.integration.git_repositories import Repository


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    repository = Repository(tmp_path / "code")
    repository.commit("one", a_dot_py="a = 1\n", gone_dot_py="b = 1\n")
    repository.commit("two", a_dot_py="a = 2\n")
    make_hostile(repository, tmp_path / "PLANTED", missing="gone.py")
    return repository.folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("rev-parse", "HEAD"),
        ("cat-file", "blob", "HEAD:a.py"),
        ("log", "--oneline"),
        ("log", "-1", "-p", "--no-ext-diff", "--no-textconv"),
        ("show", "--stat", "HEAD"),
        ("ls-tree", "-r", "HEAD"),
        ("for-each-ref",),
        ("ls-files", "--others"),
        ("reflog", "expire", "--all"),
        ("update-ref", "refs/heads/other", "HEAD"),
    ],
    ids=" ".join,
)
def test_no_configured_program_runs(hostile: Path, arguments: tuple[str, ...]) -> None:
    output_in(hostile, *arguments)

    assert not (hostile.parent / "PLANTED").exists()


def test_a_missing_object_is_an_error_and_is_not_fetched(hostile: Path) -> None:
    with pytest.raises(GitError) as refused:
        output_in(hostile, "cat-file", "blob", "HEAD:gone.py")

    assert "\n" not in refused.value.message
    assert not (hostile.parent / "PLANTED").exists()


def test_a_folder_that_is_not_there_and_one_without_git_are_errors(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="No such file"):
        output_in(tmp_path / "absent", "rev-parse", "HEAD")
    with pytest.raises(GitError, match="not a git repository"):
        output_in(tmp_path, "rev-parse", "HEAD")


def test_a_helper_that_outlives_git_is_ended(tmp_path: Path) -> None:
    """The transport sends what git cannot read and goes on after git has given up."""
    helper = tmp_path / "transport"
    helper.write_text("#!/bin/sh\necho nonsense\nexec sleep 60\n", encoding="utf-8")
    helper.chmod(0o755)
    environment = variables(
        GIT_ALLOW_PROTOCOL="ssh", GIT_SSH_COMMAND=str(helper), GIT_SSH_VARIANT="simple"
    )
    alive, held = os.pipe()

    with started(
        ("ls-remote", "ssh://nowhere/shop"), folder=tmp_path, environment=environment, errors=held
    ) as process:
        assert process.wait(20) > 0
    os.close(held)
    while select.select([alive], [], [], 5)[0] and os.read(alive, 1000):
        pass  # messages of git, then the end that comes when no process holds the pipe

    assert select.select([alive], [], [], 0)[0]
    os.close(alive)


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(GitError, match="git is not installed"):
        git_program()


def test_variables_of_git_are_dropped_but_for_those_that_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_DIR", "elsewhere")
    monkeypatch.setenv("GIT_SSL_CAINFO", "authorities.pem")

    found = variables(kept=("GIT_SSL_CAINFO",), GIT_ALLOW_PROTOCOL="https")

    assert "GIT_DIR" not in found
    assert found["GIT_SSL_CAINFO"] == "authorities.pem"
    assert found["GIT_ALLOW_PROTOCOL"] == "https"
    assert found["GIT_NO_LAZY_FETCH"] == "1"


def test_a_repository_of_another_user_is_recognised_by_what_git_says() -> None:
    complaint = "fatal: detected dubious ownership in repository at '/srv/code'\nTo add an"

    assert foreign_repository(complaint) == "/srv/code"
    assert not foreign_repository("fatal: not a git repository")
