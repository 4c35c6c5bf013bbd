"""How long ago files changed, also in folders whose own settings of git mean harm."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.corpora import GitSource
from bench.corpora.change_days import changed_days, changed_days_at, head_of
from bench.errors import SourceError

_DAY = 86_400
_GIT = shutil.which("git") or ""

pytestmark = pytest.mark.skipif(not _GIT, reason="the program git is not installed")


def git(folder: Path, *arguments: str, day: int = 0) -> str:
    time = f"{1_700_000_000 + day * _DAY} +0000"
    who = {
        f"GIT_{role}_{what}": "a@b"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    found = subprocess.run(
        [_GIT, "-C", str(folder), *arguments],
        env={**clean, **who, "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a repository of two files, one of which was changed ten days later."""
    place = tmp_path / "code"
    (place / "inner").mkdir(parents=True)
    git(place, "init", "--quiet")
    commit(place, {"inner/old.py": "a = 1\n", "new.py": "b = 1\n"}, day=0)
    commit(place, {"new.py": "b = 2\n"}, day=10)
    return place


def commit(folder: Path, files: Mapping[str, str], *, day: int) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "change", day=day)


def test_days_are_counted_back_from_the_last_commit(folder: Path) -> None:
    days = changed_days(folder)

    assert days == {"new.py": 0.0, "inner/old.py": 10.0}


def test_a_commit_knows_the_days_up_to_itself(folder: Path) -> None:
    first, last = git(folder, "rev-parse", "HEAD~1"), head_of(folder)

    assert changed_days_at(GitSource(str(folder), last)) == changed_days(folder)
    assert changed_days_at(GitSource(str(folder), first)) == {"new.py": 0.0, "inner/old.py": 0.0}
    assert changed_days_at(GitSource(str(folder), last, "inner")) == {"old.py": 0.0}


def test_a_name_that_begins_like_a_time_is_a_name(folder: Path) -> None:
    commit(folder, {"\x01odd.py": "c = 1\n"}, day=10)

    days = changed_days(folder)

    assert days["\x01odd.py"] == 0.0


@pytest.mark.parametrize(
    "remote",
    [
        {"url": "ext::sh -c touch% {mark}"},
        {"url": "{folder}", "uploadpack": "touch {mark};:"},
    ],
    ids=["a helper", "a local program"],
)
def test_nothing_is_run_to_fetch_what_the_folder_says_is_elsewhere(
    folder: Path, remote: Mapping[str, str], tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    tree = git(folder, "rev-parse", "HEAD:inner")
    (folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
        **{f"remote.evil.{name}": value for name, value in remote.items()},
    }.items():
        git(folder, "config", name, value.format(mark=mark, folder=folder))

    with pytest.raises(SourceError, match="git history cannot be read"):
        changed_days(folder)

    assert not mark.exists()
