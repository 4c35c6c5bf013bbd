"""Bytes come back as they were put in, to any process, or not at all."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.engine import ArtifactStore, BlobCache, digest_of

A, B, C = (digest_of(text) for text in "abc")
batches = st.lists(st.dictionaries(st.text(), st.binary(), max_size=4), max_size=4)


def cache_in(folder: Path) -> BlobCache:
    return BlobCache(ArtifactStore(str(folder)), "m")


def only_segment(folder: Path) -> Path:
    (segment,) = (folder / "contents" / "m").iterdir()
    return segment


@given(added=batches, asked=st.sets(st.text(), max_size=6))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
def test_what_was_added_is_found_and_nothing_else(
    tmp_path: Path, added: list[dict[str, bytes]], asked: set[str]
) -> None:
    cache = cache_in(tmp_path / str(len(list(tmp_path.iterdir()))))
    values = {name: blob for batch in reversed(added) for name, blob in batch.items()}
    for batch in added:
        cache.add({digest_of(name): values[name] for name in batch})

    found = cache.find([digest_of(name) for name in [*asked, *values]])

    assert found == {digest_of(name): blob for name, blob in values.items()}


def test_another_process_finds_them_too(tmp_path: Path) -> None:
    early = cache_in(tmp_path)
    assert early.find([A]) == {}
    cache_in(tmp_path).add({A: b"one", B: b""})
    cache_in(tmp_path).add({C: b"three"})

    found = early.find([C, B, A])

    assert found == {A: b"one", B: b"", C: b"three"}


def test_many_values_are_one_file(tmp_path: Path) -> None:
    cache_in(tmp_path).add({digest_of(str(number)): b"value" for number in range(500)})

    assert only_segment(tmp_path).stat().st_size < 500 * 40


def test_a_torn_segment_is_a_miss_and_is_written_again(tmp_path: Path) -> None:
    cache_in(tmp_path).add({A: b"one" * 50})
    segment = only_segment(tmp_path)
    segment.write_bytes(segment.read_bytes()[:-20])
    torn = cache_in(tmp_path).find([A])

    cache_in(tmp_path).add({A: b"one" * 50})

    assert torn == {}
    assert cache_in(tmp_path).find([A]) == {A: b"one" * 50}


def test_a_whole_file_of_another_form_is_passed_over(tmp_path: Path) -> None:
    ArtifactStore(str(tmp_path)).write_checked("contents/m/older", b"whole, but no segment")
    cache_in(tmp_path).add({A: b"one"})

    assert cache_in(tmp_path).find([A, B]) == {A: b"one"}


@pytest.mark.parametrize("damaged", [b'"dtype":""  ', b'"dtype":"\xff8"', b'"dtype":"I0"'])
def test_a_segment_with_a_damaged_header_is_a_miss(tmp_path: Path, damaged: bytes) -> None:
    cache_in(tmp_path).add({A: b"one" * 50})
    segment = only_segment(tmp_path)
    whole = segment.read_bytes()
    assert whole.count(b'"dtype":"U8"') > 0
    segment.write_bytes(whole.replace(b'"dtype":"U8"', damaged))

    assert cache_in(tmp_path).find([A]) == {}
