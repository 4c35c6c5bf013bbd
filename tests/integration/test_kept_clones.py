"""Commits of one repository are fetched by what differs, and nothing is left behind."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.corpora import GitSource, read_source
from bench.corpora.clones import kept_clone, remove_clones
from bench.corpora.git import fetch_commit
from bench.corpora.repository import open_repository
from bench.errors import SourceError, UnreachableError
from tests.integration.git_repositories import Repository

PROJECT = Path(__file__).parents[2]
LEFT = """
import os, sys
from bench.corpora import GitSource, read_source
read_source(GitSource(sys.argv[1], sys.argv[2]))
os.kill(os.getpid(), 9)
"""


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Give clones a folder of their own."""
    remove_clones()
    before, folder = tempfile.tempdir, tmp_path / "scratch"
    folder.mkdir()
    tempfile.tempdir = str(folder)
    yield folder
    remove_clones()
    tempfile.tempdir = before


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


def texts(source: GitSource) -> dict[str, str]:
    documents = read_source(source).documents
    return {path: documents.text(number) for number, path in enumerate(documents.paths)}


def test_each_commit_is_read_as_it_is_whatever_was_fetched_before(shop: Repository) -> None:
    first = shop.commit("one", a_dot_py="a = 1\n", b_dot_py="b = 1\n")
    second = shop.commit("two", a_dot_py="a = 2\n", b_dot_py=None)
    third = shop.commit("three", a_dot_py="a = 3\n", b_dot_py="b = 1\n")

    found = [texts(GitSource(str(shop.folder), one)) for one in (second, first, third, first)]

    assert found == [
        {"a.py": "a = 2\n"},
        {"a.py": "a = 1\n", "b.py": "b = 1\n"},
        {"a.py": "a = 3\n", "b.py": "b = 1\n"},
        {"a.py": "a = 1\n", "b.py": "b = 1\n"},
    ]


def test_of_a_second_commit_only_what_differs_is_fetched(shop: Repository) -> None:
    files = {f"f{number}_dot_py": f"x = {number}\n" for number in range(50)}
    first, second = shop.commit("one", **files), shop.commit("two", f7_dot_py="x = 99\n")

    with open_repository(str(shop.folder), "shop", seconds=60) as clone:
        fetch_commit(clone, first)
        _, before = clone.output(("count-objects", "-v"))
        fetch_commit(clone, second)
        _, after = clone.output(("count-objects", "-v"))

    assert objects(before) == 50 + 2  # files, a folder, a commit
    assert objects(after) - objects(before) == 3  # a file, a folder, a commit


@pytest.mark.parametrize("place", ["shop", "bare.git", "work tree", "file://"])
def test_of_a_repository_on_this_machine_nothing_is_fetched(shop: Repository, place: str) -> None:
    commit = shop.commit("one", a_dot_py="a = 1\n")
    shop.git("clone", "--quiet", "--bare", ".", "../bare.git")
    shop.git("worktree", "add", "--quiet", "--detach", "../work tree")
    url = shop.folder.as_uri() if place == "file://" else str(shop.folder.parent / place)

    found = texts(GitSource(url, commit))
    with kept_clone(url, "shop", seconds=60) as clone:
        _, counted = clone.output(("count-objects", "-v"))

    assert found == {"a.py": "a = 1\n"}
    assert objects(counted) == 0


def test_a_folder_inside_of_a_repository_is_not_that_repository(shop: Repository) -> None:
    commit = shop.commit("one", inside__a_dot_py="a = 1\n")

    with pytest.raises(UnreachableError, match="could not be fetched"):
        texts(GitSource(str(shop.folder / "inside"), commit))


def objects(counted: bytes) -> int:
    facts = dict(line.split(": ") for line in counted.decode().splitlines())
    return int(facts["count"]) + int(facts["in-pack"])


def test_a_clone_in_which_something_went_wrong_is_not_kept(
    shop: Repository, scratch: Path
) -> None:
    shop.commit("one", a_dot_py="a = 1\n")

    with pytest.raises(KeyboardInterrupt), kept_clone(str(shop.folder), "shop", seconds=60):
        raise KeyboardInterrupt

    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("prefix", ["rankgrid-clone-", "rankgrid-git-"])
def test_an_old_clone_without_a_lock_is_removed_and_a_new_one_is_not(
    shop: Repository, scratch: Path, prefix: str
) -> None:
    """A process can be killed before it takes the lock; another may be about to take it."""
    commit = shop.commit("one", a_dot_py="a = 1\n")
    old, new = scratch / f"{prefix}old", scratch / f"{prefix}new"
    for folder in (old, new):
        (folder / "objects").mkdir(parents=True)
    os.utime(old, (0, 0))

    with open_repository(str(shop.folder), "shop", seconds=60):
        texts(GitSource(str(shop.folder), commit))

    assert not old.exists()
    assert new.exists()


def test_a_repository_in_use_is_not_removed_by_another_one(
    shop: Repository, scratch: Path
) -> None:
    with open_repository(str(shop.folder), "shop", seconds=60) as first:
        os.utime(first.folder, (0, 0))
        with open_repository(str(shop.folder), "shop", seconds=60) as second:
            assert {Path(first.folder), Path(second.folder)} == set(scratch.iterdir())

    assert list(scratch.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_is_in_use_is_not(
    shop: Repository, scratch: Path
) -> None:
    commit = shop.commit("one", a_dot_py="a = 1\n")
    command = [sys.executable, "-c", LEFT, str(shop.folder), commit]
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "TMPDIR": str(scratch)}
    subprocess.run(
        command, cwd=PROJECT, env={**environment, "PYTHONPATH": str(PROJECT)}, check=False
    )
    (left,) = scratch.iterdir()

    texts(GitSource(str(shop.folder), commit))
    (own,) = scratch.iterdir()
    other = Repository(shop.folder.parent / "other")
    texts(GitSource(str(other.folder), other.commit("one", a_dot_py="a = 1\n")))

    assert own != left
    assert own in scratch.iterdir()
    assert len(list(scratch.iterdir())) == 2


def test_a_repository_without_some_files_of_a_commit_is_refused(
    shop: Repository, tmp_path: Path
) -> None:
    commit = shop.commit("one", a_dot_py="a = 1\n", b_dot_py="b = 1\n")
    shop.git("config", "uploadpack.allowFilter", "true")
    partial = str(tmp_path / "partial")
    origin = shop.folder.as_uri()
    shop.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", origin, partial)

    with pytest.raises(SourceError, match="2 of its 2 files are not in the repository, as in a"):
        texts(GitSource(partial, commit))
