"""The very places that a study reads and writes are left out of a folder that is searched."""

from pathlib import Path

from bench.corpora import GitSource, LocalSource, PypiSource, read_source
from bench.engine import ArtifactStore
from bench.settings import RepositorySettings, SuiteSettings
from bench.stages import CheckOut
from bench.study.corpus import documents_stage
from bench.study.own_folders import own_places, patterns_inside


def test_the_suite_the_queries_the_store_and_the_studies_are_left_out(tmp_path: Path) -> None:
    inside = [
        "eval/suite [1].txt",
        "eval/what? !.txt",
        "kept/artifacts/ask/ab/abc",
        "kept/contents/x/abc",
        "docs/20260102-030405-abcdef/notes.txt",
        "docs/20260102-030405-abcdef-rescored/notes.txt",
    ]
    others = ["docs/guide.md", "eval/suite 1.txt", "eval/what1 !.txt", "kept/mine.py"]
    for name in (*inside, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text\n", encoding="utf-8")
    source = LocalSource(str(tmp_path))
    repository = RepositorySettings("here", source, tmp_path / inside[1])
    suite = SuiteSettings("own", (repository,), file=tmp_path / inside[0])
    store = ArtifactStore(str(tmp_path / "kept"))

    places = own_places(suite, store, str(tmp_path / "docs"))
    checkout = read_source(source, exclude=patterns_inside(tmp_path, places))

    assert set(checkout.documents.paths) == set(others)
    assert checkout.left_out == {"excluded": len(inside)}


def test_places_elsewhere_and_the_folder_itself_leave_nothing_out(tmp_path: Path) -> None:
    inside = patterns_inside(tmp_path / "a", [tmp_path / "a", tmp_path / "b", tmp_path])

    assert inside == ()


def test_stored_commits_are_read_again_and_stored_packages_are_not(tmp_path: Path) -> None:
    git = GitSource("https://example.org/a.git", "c" * 40)
    package = PypiSource("a", "1", "a-1.tar.gz", "d" * 64)
    store = ArtifactStore(str(tmp_path))
    stages = [
        documents_stage(RepositorySettings("a", source, tmp_path), "", store, is_only=True)
        for source in (git, package)
    ]

    assert stages[0].fingerprint != CheckOut(git).fingerprint
    assert stages[1].fingerprint == CheckOut(package).fingerprint
