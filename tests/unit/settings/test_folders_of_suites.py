"""Folders in a suite file are given as paths, relative to it, or as file:// URLs."""

import json
import subprocess
from pathlib import Path

import pytest

from bench.authoring.opening import open_sets
from bench.errors import SettingError

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")


@pytest.fixture
def commit(tmp_path: Path) -> str:
    """Make a repository whose name has a blank; return its commit."""
    code = tmp_path / "my code"
    code.mkdir()
    (code / "a.py").write_text("def add():\n    return 1\n", encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, "-C", str(code), *command], check=True)
    head = [*GIT, "-C", str(code), "rev-parse", "HEAD"]
    return subprocess.run(head, check=True, capture_output=True, text=True).stdout.strip()


def documents(folder: Path, source: dict[str, str], commit: str = "") -> tuple[str, ...]:
    """Return the paths that a suite of one source reads."""
    asked = f", commit: {commit}" if commit else ""
    (folder / "q.yaml").write_text(
        f"queries:\n- {{id: a, query: q, negative: true{asked}}}\n", encoding="utf-8"
    )
    repository = {"name": "r", "source": source, "queries": "q.yaml"}
    suite = {"name": "s", "repositories": [repository]}
    (folder / "s.yaml").write_text(json.dumps(suite), encoding="utf-8")
    (opened,) = open_sets(folder / "s.yaml")
    return opened.documents_at(commit).paths


def address(form: str, folder: Path) -> str:
    return form.format(url=folder.as_uri())


FORMS = ("{url}/my%20code", "my code", "./my code")


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_is_read(form: str, tmp_path: Path, commit: str) -> None:
    assert commit
    source = {"kind": "local", "path": address(form, tmp_path)}

    assert documents(tmp_path, source) == ("a.py",)


@pytest.mark.parametrize("form", FORMS)
def test_a_pinned_commit_is_read(form: str, tmp_path: Path, commit: str) -> None:
    source = {"kind": "git", "url": address(form, tmp_path), "commit": commit}

    assert documents(tmp_path, source) == ("a.py",)


@pytest.mark.parametrize("form", FORMS)
def test_the_commits_of_queries_are_read(form: str, tmp_path: Path, commit: str) -> None:
    source = {"kind": "git", "url": address(form, tmp_path)}

    assert documents(tmp_path, source, commit) == ("a.py",)


@pytest.mark.parametrize(
    "wrong",
    ["file://host/x", "file:x", "FILE:///x", "file:///x?y", "file:///x%00y", "file://../x"],
)
def test_a_url_names_a_folder_of_this_machine_only(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="write file:/// and the path"):
        documents(tmp_path, {"kind": "local", "path": wrong})
