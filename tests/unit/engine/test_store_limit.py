"""A store is kept within its limit: what was used least recently goes, what is in use stays."""

import multiprocessing
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from bench.engine import (
    ArtifactStore,
    ContentCache,
    Cost,
    Read,
    Record,
    Stage,
    Trimmed,
    digest_of,
    keep_within_limit,
    trimmed,
)
from bench.engine.leases import STATE, hold
from bench.engine.usage import noted_bytes
from tests.unit.cli.test_listing_and_cleaning import lease


@dataclass(frozen=True)
class Bytes:
    """A result of some size."""

    content: np.ndarray[tuple[int], np.dtype[np.uint8]]


@dataclass(frozen=True)
class Numbered(Stage[Bytes]):
    """A stage of its own for each number."""

    kind: ClassVar[str] = "numbered"
    codec: ClassVar[Record[Bytes]] = Record(Bytes)

    number: int

    def run(self, _read: Read, /) -> Bytes:
        """Return a kilobyte."""
        return Bytes(np.zeros(1000, np.uint8))


def saved(store: ArtifactStore, *numbers: int) -> None:
    """Put the result of each number into a store."""
    for number in numbers:
        store.save(Numbered(number), b"x" * 1000, Cost())


def used(store: ArtifactStore, number: int, *, hours_ago: float) -> None:
    """Set when the result of a number was used last."""
    place = store.file_at("numbered", Numbered(number).fingerprint)
    assert place is not None
    when = time.time() - 3600 * hours_ago
    os.utime(place, (when, 10**9))


def left(store: ArtifactStore) -> list[int]:
    """Return the numbers whose results are still there."""
    return [number for number in range(10) if store.has(Numbered(number))]


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    """Return a store of four results, used 4, 3, 2 and 1 hours ago."""
    store = ArtifactStore(str(tmp_path / "store"))
    saved(store, 0, 1, 2, 3)
    for number in range(4):
        used(store, number, hours_ago=4 - number)
    return store


def size_of(store: ArtifactStore) -> int:
    """Return the bytes of a store, counted."""
    return sum(size for _, _, size in store.contents())


def test_the_least_recently_used_goes_first(store: ArtifactStore) -> None:
    whole = size_of(store)
    store.most_bytes = int(whole * 0.6)

    done = keep_within_limit(store)

    assert left(store) == [2, 3]
    assert done == Trimmed(2, whole // 2, whole // 2)


@pytest.mark.parametrize("look", ["load", "cost"])
def test_looking_at_a_result_uses_it(store: ArtifactStore, look: str) -> None:
    """Each time: the system itself sets the time of the first look only."""
    place = Path(str(store.file_at("numbered", Numbered(0).fingerprint)))
    before = place.stat().st_mtime_ns
    assert getattr(store, look)(Numbered(0)) is not None
    time.sleep(0.05)
    second = time.time()

    assert getattr(store, look)(Numbered(0)) is not None

    assert place.stat().st_atime >= second
    assert place.stat().st_mtime_ns == before
    assert store.root is not None
    trimmed(store.root, size_of(store) // 2)
    assert left(store) == [0]


def test_a_store_within_its_limit_is_not_counted(store: ArtifactStore) -> None:
    """A file that nobody noted does not count until something has to go."""
    store.most_bytes = size_of(store) * 2
    assert keep_within_limit(store) is None
    assert store.root is not None
    (store.root / "artifacts" / "unnoted").write_bytes(b"x" * 100_000)

    assert keep_within_limit(store) is None

    saved(store, 4, 5, 6, 7, 8)
    done = keep_within_limit(store)
    assert done is not None
    assert size_of(store) == noted_bytes(store.root) == done.left <= store.most_bytes


def write_some(folder: str, first: int) -> None:
    """Save a few results from a process of its own."""
    saved(ArtifactStore(folder), *range(first, first + 50))


def test_what_several_processes_write_is_noted_in_full(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / "store"), most_bytes=10**9)
    saved(store, 9999)
    keep_within_limit(store)
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=write_some, args=(store.url, 100 * number)) for number in (1, 2)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert store.root is not None
    assert noted_bytes(store.root) == size_of(store)
    assert size_of(store) > 100_000


def test_what_a_running_process_has_used_stays(store: ArtifactStore) -> None:
    assert store.root is not None
    store.most_bytes = 1
    with lease(store.root, "study"):
        store.load(Numbered(1))
        saved(store, 4)
        done = keep_within_limit(store)

        assert left(store) == [1, 4]
        assert done is not None
        assert done.in_use

    keep_within_limit(store)
    assert left(store) == []


def test_what_takes_too_long_is_left_to_the_next_time(store: ArtifactStore) -> None:
    assert store.root is not None

    done = trimmed(store.root, 0, seconds=-1)

    assert done == Trimmed(0, 0, size_of(store))
    assert left(store) == [0, 1, 2, 3]


def test_the_lease_of_this_process_counts(store: ArtifactStore) -> None:
    assert store.root is not None
    with hold(store.root, "own"):
        store.load(Numbered(0))
        trimmed(store.root, 0)
        assert left(store) == [0]

    assert list((store.root / STATE / "running").iterdir()) == []


def test_files_in_use_are_only_named_if_the_limit_is_not_reached(store: ArtifactStore) -> None:
    """Three results may go, and that is enough; the fourth is used by a running study."""
    assert store.root is not None
    with hold(store.root, "own"):
        store.load(Numbered(0))
        done = trimmed(store.root, int(size_of(store) * 0.3))

    assert left(store) == [0]
    assert done is not None
    assert not done.in_use


def test_vectors_that_are_not_used_go_and_are_computed_again(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / "store"))
    ContentCache(store, "model").add([digest_of("a")], np.ones((1, 3)))
    assert store.root is not None

    trimmed(store.root, 0)

    assert ContentCache(store, "model").find([digest_of("a")]) == {}


def test_a_file_that_is_being_written_stays(store: ArtifactStore) -> None:
    assert store.root is not None
    draft = store.root / "artifacts" / ".x.1-2.draft"
    draft.write_bytes(b"x")
    abandoned = store.root / "artifacts" / ".y.1-2.draft"
    abandoned.write_bytes(b"x")
    os.utime(abandoned, (0, 0))

    trimmed(store.root, 0)

    assert draft.exists()
    assert not abandoned.exists()


def test_without_a_limit_and_in_a_remote_store_nothing_is_removed(store: ArtifactStore) -> None:
    assert keep_within_limit(store) is None
    assert left(store) == [0, 1, 2, 3]

    remote = ArtifactStore("memory://limit", most_bytes=1)
    saved(remote, 1)

    assert keep_within_limit(remote) is None
    assert left(remote) == [1]
