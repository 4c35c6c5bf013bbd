"""A stored study is found by any of its names."""

import subprocess
from pathlib import Path

import pytest

from bench.errors import UsageError
from bench.results import point_latest, text_of, write_results
from bench.settings import StudySettings
from bench.wiring import find_study
from tests.unit.compare.sample_results import stored

RESULTS = stored({"x/one": 1})
SETTINGS = StudySettings()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a finished study."""
    monkeypatch.chdir(tmp_path)
    write_results(RESULTS, tmp_path / "outputs" / "first")
    point_latest(tmp_path / "outputs" / "first")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["latest", "first", "outputs/first", "outputs/first/results.json"]
)
def test_a_study_is_found_by_file_folder_and_latest(work: Path, name: str) -> None:
    found = find_study(name, SETTINGS)

    assert found.study == RESULTS
    assert (work / found.where).exists()


def test_a_saved_baseline_is_found_by_its_name(work: Path) -> None:
    (work / "baselines").mkdir()
    (work / "baselines" / "main.json").write_text(text_of(RESULTS), encoding="utf-8")

    found = find_study("main", SETTINGS)

    assert found.study == RESULTS
    assert found.where == "baselines/main.json"


@pytest.fixture
def committed(work: Path) -> Path:
    """The folder as a git repository, from whose work tree the committed file is gone."""
    (work / "kept.json").write_text(text_of(RESULTS), encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "kept.json"], ["commit", "-qm", "keep"]):
        git(work, *arguments)
    (work / "kept.json").unlink()
    return work


def git(folder: Path, *arguments: str) -> None:
    program = ["git", "-c", "user.name=t", "-c", "user.email=t@localhost"]
    subprocess.run([*program, *arguments], cwd=folder, check=True)


def test_a_revision_of_a_results_file_is_found_in_git(committed: Path) -> None:
    found = find_study("HEAD:kept.json", SETTINGS)

    assert found.study == RESULTS
    with pytest.raises(UsageError, match="not in this git repository"):
        find_study("HEAD:gone.json", SETTINGS)
    with pytest.raises(UsageError, match="-p is not a revision of git"):
        find_study("-p:kept.json", SETTINGS)


def test_a_revision_is_found_from_a_folder_below_and_from_a_worktree(
    committed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(committed, "worktree", "add", "--quiet", "--no-checkout", "tree")

    for folder in (committed / "outputs", committed / "tree"):
        monkeypatch.chdir(folder)
        assert find_study("HEAD:kept.json", SETTINGS).study == RESULTS


def test_a_revision_is_of_this_repository_whatever_the_environment_says(
    committed: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of git runs with GIT_DIR set to the repository that is committed to."""
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))

    assert find_study("HEAD:kept.json", SETTINGS).study == RESULTS


@pytest.mark.parametrize("name", ["nowhere", "a/b", "", ":", "--output=x:y"])
def test_what_is_nowhere_is_refused_with_what_could_be_given(work: Path, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        find_study(name, SETTINGS)

    assert "\n" not in refused.value.message
    assert (work / "outputs").exists()


def test_a_run_of_a_store_that_nobody_wrote_is_refused(work: Path) -> None:
    with pytest.raises(UsageError, match="nothing was logged"):
        find_study("mlflow:abc", SETTINGS)

    assert not (work / ".rankgrid").exists()
