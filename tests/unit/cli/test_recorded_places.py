"""The store and the server that a results file names are used within bounds."""

from pathlib import Path

import pytest

from bench.cli.recorded import recorded_store, recorded_uri
from bench.errors import UsageError
from bench.settings import StudySettings
from bench.settings.study import TrackingSettings


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work beside a results file and a link that leads out."""
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    (place / "link").symlink_to(tmp_path, target_is_directory=True)
    (place / "results.json").write_text("{}", encoding="utf-8")


def naming(store: str) -> StudySettings:
    """Return the settings of a results file that names a store."""
    return StudySettings(store=store, tracking=TrackingSettings(uri=store))


OUTSIDE = [
    ".",
    "..",
    "link/store",
    "~/x",
    "a/../../b",
    "memory://x",
    "file:///etc",
    "/x",
    "kept::/x/../..",
]


@pytest.mark.parametrize("store", OUTSIDE)
def test_a_store_outside_is_used_only_if_the_file_is_trusted(store: str) -> None:
    with pytest.raises(UsageError, match="is outside the current folder") as refused:
        recorded_store(naming(store), "results.json", [])

    assert f"Add --store {store}, or read the file and add --trust results.json." in str(
        refused.value
    )
    trusted = [Path("results.json").resolve()]
    assert recorded_store(naming(store), "results.json", trusted) == store
    assert recorded_store(naming(store), str(Path.cwd()), trusted) == store


@pytest.mark.parametrize("store", [".rankgrid/store", "kept", "link/work/kept"])
def test_a_store_below_the_current_folder_is_used(store: str) -> None:
    assert recorded_store(naming(store), "results.json", []) == store


def test_the_store_that_is_used_anyway_is_used_wherever_it_leads() -> None:
    """A large disk is often linked there."""
    Path(".rankgrid").symlink_to("..", target_is_directory=True)

    assert recorded_store(naming(".rankgrid/store"), "results.json", []) == ".rankgrid/store"
    assert recorded_store(StudySettings(), "results.json", []) == ".rankgrid/store"


def test_a_server_is_used_only_if_the_file_is_trusted() -> None:
    results = naming("http://127.0.0.1:9")

    with pytest.raises(UsageError, match=r"Add --uri http://127\.0\.0\.1:9, or read the file"):
        recorded_uri(results, "results.json", [])

    trusted = [Path("results.json").resolve()]
    assert recorded_uri(results, "results.json", trusted) == "http://127.0.0.1:9"
    assert recorded_uri(StudySettings(), "results.json", []) == ""


@pytest.mark.parametrize("read", [recorded_store, recorded_uri])
def test_interpolations_are_refused_even_in_trusted_results(read: object) -> None:
    trusted = [Path("results.json").resolve()]
    assert callable(read)

    with pytest.raises(UsageError, match="is an interpolation"):
        read(naming("kept/${oc.env:HOME}"), "results.json", trusted)


def test_what_has_no_file_is_not_offered_to_be_trusted() -> None:
    with pytest.raises(UsageError, match=r"Add --store /x\.$"):
        recorded_store(naming("/x"), "mlflow:1234", [])


def test_control_signs_of_a_file_do_not_reach_the_terminal() -> None:
    with pytest.raises(UsageError) as refused:
        recorded_store(naming("/x\x1b[2J\ny"), "results.json", [])

    assert str(refused.value).isprintable()
