"""A folder at a commit is read from git's objects, and nothing is checked out."""

import subprocess
from pathlib import Path

import pytest

from bench.corpora import committed_folder, read_source, write_committed
from bench.corpora.gitcall import git_program
from bench.errors import SourceError, UsageError


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    found = subprocess.run(
        [git_program(), *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return found.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits: the second changes the code and the questions."""
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    for number in (1, 2):
        (folder / "src" / "a.py").write_text(f"x = {number}\n", encoding="utf-8")
        (folder / "asked").mkdir(exist_ok=True)
        (folder / "asked" / "q.txt").write_text(f"question {number}\n", encoding="utf-8")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", f"--message={number}")
    return folder


def texts(folder: Path, revision: str) -> dict[str, str]:
    """Return the documents of a folder at a revision."""
    documents = read_source(committed_folder(folder, revision, own=()).source).documents
    return {path: documents.text(number) for number, path in enumerate(documents.paths)}


def test_a_folder_is_read_as_it_was(repository: Path) -> None:
    (repository / "src" / "a.py").write_text("x = 3\n", encoding="utf-8")

    found = texts(repository / "src", "HEAD^")

    assert found == {"a.py": "x = 1\n"}
    assert git(repository, "status", "--short") == "M src/a.py"


def test_the_top_folder_has_the_paths_of_the_repository(repository: Path) -> None:
    assert texts(repository, "main")["src/a.py"] == "x = 2\n"


def test_a_shallow_clone_has_the_base_of_its_merge(repository: Path, tmp_path: Path) -> None:
    """As actions/checkout makes it with fetch-depth: 2."""
    git(repository, "checkout", "--quiet", "-b", "change", "HEAD^")
    (repository / "src" / "b.py").write_text("y = 1\n", encoding="utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=change")
    git(repository, "checkout", "--quiet", "main")
    git(repository, "merge", "--quiet", "--no-edit", "--no-ff", "change")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=2", f"file://{repository}", str(clone))

    found = texts(clone / "src", "HEAD^1")

    assert found == {"a.py": "x = 2\n"}


def test_questions_are_written_as_they_were(repository: Path, tmp_path: Path) -> None:
    file = write_committed(repository / "asked" / "q.txt", "HEAD^", tmp_path / "one")
    folder = write_committed(repository / "asked", "HEAD", tmp_path / "two")

    assert file is not None
    assert file.read_text(encoding="utf-8") == "question 1\n"
    assert folder is not None
    assert (folder / "q.txt").read_text(encoding="utf-8") == "question 2\n"


def test_questions_that_git_does_not_have_are_none(repository: Path, tmp_path: Path) -> None:
    new, outside = repository / "new.txt", tmp_path / "outside.txt"
    for file in (new, outside):
        file.write_text("?", encoding="utf-8")

    assert write_committed(new, "HEAD", tmp_path / "one") is None
    assert write_committed(outside, "HEAD", tmp_path / "two") is None


@pytest.mark.parametrize("revision", ["", "--help", "nowhere", "HEAD~9"])
def test_what_is_not_a_commit_is_refused(repository: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="is not a"):
        committed_folder(repository, revision, own=())


def test_a_folder_outside_of_git_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not in a git repository"):
        committed_folder(tmp_path, "HEAD", own=())
