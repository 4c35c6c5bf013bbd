"""Large values come back as they were put in, each read by itself, or not at all."""

import os
from pathlib import Path

from bench.engine import ArtifactStore, PartCache, digest_of

A, B, C = (digest_of(text) for text in "abc")


def cache_in(folder: Path) -> PartCache:
    return PartCache(ArtifactStore(str(folder)), "m")


def body_in(folder: Path) -> Path:
    (body,) = (folder / "contents" / "m-bytes").iterdir()
    return body


def test_another_process_finds_what_was_added(tmp_path: Path) -> None:
    early = cache_in(tmp_path)
    assert early.missing([A, B, A]) == [A, B]
    cache_in(tmp_path).add({A: b"one", B: b""})
    cache_in(tmp_path).add({C: b"three"})

    found = early.find([C, B, A, digest_of("d")])

    assert found == {A: b"one", B: b"", C: b"three"}
    assert early.missing([A, B, C]) == []


def test_a_store_in_memory_works_as_a_folder_does() -> None:
    cache = PartCache(ArtifactStore("memory://parts"), "m")
    cache.add({A: b"one", B: b"two"})

    found = PartCache(ArtifactStore("memory://parts"), "m").find([B])

    assert found == {B: b"two"}


def test_a_damaged_value_is_missing_and_its_neighbours_are_not(tmp_path: Path) -> None:
    cache_in(tmp_path).add({A: b"one" * 50, B: b"two" * 50})
    body = body_in(tmp_path)
    content = bytearray(body.read_bytes())
    content[-1] ^= 1
    body.write_bytes(content)
    cache = cache_in(tmp_path)

    found = cache.find([A, B])

    assert found == {A: b"one" * 50}
    assert cache.missing([A, B]) == [B]


def test_values_whose_bytes_were_removed_are_missing_and_can_be_added_again(
    tmp_path: Path,
) -> None:
    """The store's limit removes single files."""
    cache_in(tmp_path).add({A: b"one"})
    known = cache_in(tmp_path)
    assert known.missing([A]) == []
    body_in(tmp_path).unlink()

    assert known.find([A]) == {}
    assert cache_in(tmp_path).missing([A]) == [A]
    known.add({A: b"one"})
    assert cache_in(tmp_path).find([A]) == {A: b"one"}


def test_reading_marks_both_files_as_used(tmp_path: Path) -> None:
    """The store removes first what was used least recently."""
    cache_in(tmp_path).add({A: b"one"})
    files = [path for path in (tmp_path / "contents").rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (1, path.stat().st_mtime))

    cache_in(tmp_path).find([A])

    assert len(files) == 2
    assert all(path.stat().st_atime > 1 for path in files)
