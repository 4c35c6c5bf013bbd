"""A cache of rows keeps few of them in memory and reads the others again."""

from pathlib import Path

import numpy as np
import pytest

from bench.engine import ArtifactStore, ContentCache, digest_of

DIGESTS = [digest_of(str(number)) for number in range(30)]
ROWS = np.arange(90, dtype=np.float32).reshape(30, 3)


class CountingStore(ArtifactStore):
    """Counts the files that are read."""

    read = 0

    def read_checked(self, name: str) -> bytes | None:
        """Read a file and count it."""
        self.read += 1
        return super().read_checked(name)


def filled(store: ArtifactStore, kept_bytes: int) -> ContentCache:
    """Return a cache with three segments of ten rows."""
    cache = ContentCache(store, "m", kept_bytes=kept_bytes)
    for start in range(0, 30, 10):
        cache.add(DIGESTS[start : start + 10], ROWS[start : start + 10])
    return cache


@pytest.mark.parametrize("kept_bytes", [0, 3_000, 1_000_000])
def test_every_row_is_found_in_the_order_asked_for(tmp_path: Path, kept_bytes: int) -> None:
    cache = filled(ArtifactStore(str(tmp_path)), kept_bytes)
    asked = [DIGESTS[number] for number in (25, 3, 14, 4, 29)]

    for _ in range(2):
        found = cache.find([*asked, digest_of("absent")])

        assert list(found) == asked
        assert np.array_equal(np.stack(list(found.values())), ROWS[[25, 3, 14, 4, 29]])


@pytest.mark.parametrize(("kept_bytes", "files"), [(0, 6), (1_000_000, 0)])
def test_only_segments_that_are_not_in_memory_are_read(
    tmp_path: Path, kept_bytes: int, files: int
) -> None:
    store = CountingStore(str(tmp_path))
    cache = filled(store, kept_bytes)

    for _ in range(2):
        cache.find(DIGESTS)

    assert store.read == files


def test_rows_of_a_segment_that_was_removed_are_absent(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path))
    cache = filled(store, kept_bytes=0)
    for name in store.names("contents/m")[1:]:
        store.remove(name)

    assert len(cache.find(DIGESTS)) == 10
