"""The folders that rankgrid makes for its own files."""

from pathlib import Path

from bench.pipeline import ArtifactStore
from bench.places import create_ignored
from bench.reporting import record_opening


def test_a_new_folder_is_ignored_by_git_with_all_that_is_in_it(tmp_path: Path) -> None:
    create_ignored(tmp_path / "results" / "outputs")

    assert (tmp_path / "results" / "outputs" / ".gitignore").read_text("utf-8") == "*\n"
    assert not (tmp_path / "results" / ".gitignore").exists()


def test_a_folder_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")

    create_ignored(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_a_new_store_and_the_new_folder_around_it_are_ignored(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / ".rankgrid" / "store"))
    store.write_checked("rates", b"{}")

    assert (tmp_path / ".rankgrid" / ".gitignore").read_text("utf-8") == "*\n"
    assert (tmp_path / ".rankgrid" / "store" / ".gitignore").exists()
    assert not (tmp_path / ".gitignore").exists()
    assert [name for name, _, _ in store.contents()] == ["rates"]


def test_an_output_that_the_log_of_openings_makes_is_ignored(tmp_path: Path) -> None:
    record_opening(tmp_path / "outputs", "own", {})

    assert (tmp_path / "outputs" / ".gitignore").exists()
