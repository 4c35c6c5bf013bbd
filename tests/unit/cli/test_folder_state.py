"""A folder that has not changed is not read again, and one that has is never taken for it."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench.cli.folder_graph import FolderGraph
from bench.cli.folder_indexing import checked_out, indexed
from bench.cli.folder_state import PRECISION_NANOSECONDS, is_settled, remember, remembered
from bench.engine import opened_store
from retrievers.graph import Graph
from retrievers.interface import DOCUMENTS, Input

SOURCE = "def total(prices):\n    return sum(prices)\n"
OTHER = SOURCE.replace("total", "whole")
WANTED: tuple[Input[Any], ...] = (DOCUMENTS, *Graph().graph_inputs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose files, by all they say, were written long ago."""
    place = tmp_path / "shop"
    (place / "old").mkdir(parents=True)
    (place / "cart.py").write_text(SOURCE, encoding="utf-8")
    (place / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    (place / "ignored").mkdir()
    (place / "skipped.bin").write_bytes(b"\0")
    return place


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "store")


def settled(folder: Path) -> None:
    """Wait until the inodes' times, which nobody can set, are older than their precision."""
    latest = max(place.lstat().st_ctime_ns for place in (folder, *folder.rglob("*")))
    time.sleep(max(0, latest + 1.1 * PRECISION_NANOSECONDS - time.time_ns()) / 1e9)


def names(folder: Path, store: str) -> tuple[str, ...]:
    graph = FolderGraph.of(str(folder), opened_store(store), Graph()).graph
    return graph.names[: graph.symbol_count]


def is_known(folder: Path, store: str) -> bool:
    return remembered(opened_store(store), str(folder), WANTED) is not None


def same_size_and_time(file: Path) -> None:
    """Change a file so that its size and its time of change stay what they were."""
    before = file.stat()
    file.write_text(OTHER, encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert file.stat().st_size == before.st_size


def replaced(folder: Path) -> None:
    other = folder / "other.tmp"
    other.write_text(OTHER, encoding="utf-8")
    other.replace(folder / "cart.py")


def test_an_unchanged_folder_is_known_by_its_state_and_answers_the_same(
    folder: Path, store: str
) -> None:
    settled(folder)

    first = names(folder, store)

    assert first == ("cart.total",)
    assert is_known(folder, store)
    assert names(folder, store) == first


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "cart.py").write_text(SOURCE + "\n", encoding="utf-8"),
        lambda folder: same_size_and_time(folder / "cart.py"),
        replaced,
        lambda folder: (folder / "old" / "new.py").write_text(SOURCE, encoding="utf-8"),
        lambda folder: (folder / "cart.py").unlink(),
        lambda folder: (folder / ".gitignore").write_text("cart.py\n", encoding="utf-8"),
        lambda folder: (folder / "skipped.bin").write_text("text\n", encoding="utf-8"),
        lambda folder: (folder / "old").rmdir(),
    ],
)
def test_every_change_shows(folder: Path, store: str, change: Any) -> None:
    settled(folder)
    names(folder, store)

    change(folder)

    assert not is_known(folder, store)


def test_what_changed_within_the_precision_of_times_is_not_believed(
    folder: Path, store: str
) -> None:
    names(folder, store)

    assert not is_known(folder, store)
    now = time.time_ns()
    seen = [("cart.py", (folder / "cart.py").stat())]
    latest = max(seen[0][1].st_mtime_ns, seen[0][1].st_ctime_ns)
    assert not is_settled(seen, now)
    assert not is_settled(seen, latest + PRECISION_NANOSECONDS)
    assert is_settled(seen, latest + PRECISION_NANOSECONDS + 1)


def test_what_is_ignored_may_change(folder: Path, store: str) -> None:
    settled(folder)
    names(folder, store)

    (folder / "ignored" / "log.txt").write_text("x", encoding="utf-8")
    (folder / "ignored" / "log.txt").write_text("yy", encoding="utf-8")

    known = is_known(folder, store)
    settled(folder)
    assert names(folder, store) == ("cart.total",)
    assert known is False  # an environment could have become code: the folder itself is looked at
    assert is_known(folder, store)


def test_a_damaged_index_is_made_again(folder: Path, store: str) -> None:
    settled(folder)
    names(folder, store)
    for place in (Path(store) / "artifacts" / "build-index").rglob("*/*"):
        place.write_bytes(b"damaged")

    assert is_known(folder, store)
    assert names(folder, store) == ("cart.total",)


def test_an_unchanged_folder_is_checked_out_without_reading_it(
    folder: Path, store: str, tmp_path: Path
) -> None:
    """The state of the folder is made to name the texts of another one, which are believed."""
    settled(folder)
    kept = opened_store(store)
    first = checked_out(str(folder), kept)
    (other := tmp_path / "other").mkdir()
    (other / "cart.py").write_text(OTHER, encoding="utf-8")
    known = remembered(kept, str(folder), (DOCUMENTS,))
    assert known == {DOCUMENTS: ((first.kind, first.fingerprint),)}
    of_other = checked_out(str(other), kept)
    seen = [(path, (folder / path).lstat()) for path in ("", "cart.py")]

    remember(kept, str(folder), {DOCUMENTS: ((first.kind, of_other.fingerprint),)}, seen)

    assert checked_out(str(folder), kept).fingerprint == of_other.fingerprint
    (folder / "cart.py").write_text(SOURCE + OTHER, encoding="utf-8")
    last = checked_out(str(folder), kept).fingerprint
    assert last not in (first.fingerprint, of_other.fingerprint)


def test_damaged_texts_are_read_from_the_folder_again(folder: Path, store: str) -> None:
    settled(folder)
    first = checked_out(str(folder), opened_store(store))
    for place in (Path(store) / "artifacts" / "check-out-folder").rglob("*/*"):
        place.write_bytes(b"damaged")

    assert checked_out(str(folder), opened_store(store)) == first
    assert opened_store(store).load(first) is not None


def test_other_settings_have_an_index_of_their_own(folder: Path, store: str) -> None:
    settled(folder)
    indexed(str(folder), opened_store(store), WANTED)

    assert remembered(opened_store(store), str(folder), WANTED[:-1]) is None


@dataclass(frozen=True)
class Model:
    """A model whose files change under the same settings."""

    identity: str = field(compare=False, repr=False)


@dataclass(frozen=True)
class OfModel(Input[Any]):
    """What a model makes."""

    model: Model


def test_vectors_in_several_parts_belong_to_the_files_of_their_model(
    folder: Path, store: str
) -> None:
    kept, parts = opened_store(store), (("embed-symbols", "0a"), ("embed-symbols", "0b"))
    wanted = (OfModel(Model("these files")),)

    remember(kept, str(folder), {wanted[0]: parts}, [])

    assert remembered(kept, str(folder), wanted) == {wanted[0]: parts}
    assert remembered(kept, str(folder), (OfModel(Model("other files")),)) is None
