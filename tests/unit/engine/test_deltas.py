"""A payload comes back from the runs that it has in common with an earlier one."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bench.engine.deltas import Delta, Earlier, Run, decoded_runs, delta_from, joined

Edits = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(0, 500), st.binary(max_size=500)), max_size=8
)


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - not a secret


def whole(payload: bytes) -> Earlier:
    return Earlier(payload, (Run(1, 0, len(payload)),))


def opened(delta: Delta, *files: bytes) -> bytes | None:
    stored = delta.encode()
    runs, digest = decoded_runs(stored)
    return joined(runs, [stored, *files], digest)


@given(edits=Edits, repeated=st.booleans())
def test_whatever_was_edited_comes_back(
    edits: list[tuple[int, int, bytes]], repeated: bool
) -> None:
    old = b"\0\1\0\0" * 1_000 if repeated else noise(4_000)
    new = old
    for place, removed, added in edits:
        new = new[:place] + added + new[place + removed :]

    delta = delta_from(whole(old), new)

    assert delta is None or opened(delta, old) == new


def test_a_delta_is_as_large_as_what_is_new() -> None:
    old = noise(3_000_000)
    new = old[:1_000_000] + b"inserted" + old[1_000_000:2_000_000] + old[2_000_500:]

    delta = delta_from(whole(old), new)

    assert delta is not None
    assert delta.new == b"inserted"
    assert len(delta.encode()) < 500
    assert opened(delta, old) == new


def test_what_moved_further_than_it_is_looked_for_is_stored_again() -> None:
    old = noise(3_000_000)
    new = old[1_000_000:] + old[:1_000_000]

    delta = delta_from(whole(old), new)

    assert delta is None or opened(delta, old) == new


def test_a_payload_of_mostly_new_bytes_is_no_delta() -> None:
    assert delta_from(whole(noise(500_000)), noise(500_000, seed=1)) is None


def test_a_delta_of_a_delta_names_the_files_that_hold_the_bytes() -> None:
    first = noise(300_000)
    second = first[:100_000] + b"second " * 10 + first[100_000:]
    third = second[:200_000] + b"third " * 10 + second[200_000:]
    earlier = delta_from(whole(first), second)
    assert earlier is not None
    stored = earlier.encode()
    runs, _ = decoded_runs(stored)
    placed = tuple(Run(run.file or 2, run.start, run.length) for run in runs)

    delta = delta_from(Earlier(second, placed), third)

    assert delta is not None
    assert {run.file for run in delta.runs} == {0, 1, 2}
    assert delta.new == b"third " * 10
    assert opened(delta, first, stored) == third


def test_other_files_than_a_delta_was_made_from_give_nothing() -> None:
    old = noise(300_000)
    delta = delta_from(whole(old), old[:1000] + old[1010:])
    assert delta is not None

    assert opened(delta, old[:-1] + bytes([old[-1] ^ 1])) is None
    assert opened(delta, b"") is None
