"""A payload comes back from its delta and its base, and from no other base."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bench.engine.deltas import delta_from, joined

Edits = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(0, 500), st.binary(max_size=500)), max_size=8
)


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - not a secret


@given(edits=Edits, repeated=st.booleans())
def test_whatever_was_edited_comes_back(
    edits: list[tuple[int, int, bytes]], repeated: bool
) -> None:
    old = b"\0\1\0\0" * 1_000 if repeated else noise(4_000)
    new = old
    for place, removed, added in edits:
        new = new[:place] + added + new[place + removed :]

    delta = delta_from(old, new)

    assert delta is None or joined(old, delta) == new


def test_a_delta_is_as_large_as_what_is_new() -> None:
    old = noise(3_000_000)
    moved = old[2_000_500:] + old[:1_000_000] + b"inserted" + old[1_000_000:2_000_000]

    delta = delta_from(old, moved)

    assert delta is not None
    assert len(delta) < 500
    assert joined(old, delta) == moved


def test_a_payload_of_mostly_new_bytes_is_no_delta() -> None:
    assert delta_from(noise(500_000), noise(500_000, seed=1)) is None


def test_another_base_than_a_delta_was_made_from_gives_nothing() -> None:
    old = noise(300_000)
    delta = delta_from(old, old[:1000] + old[1010:])
    assert delta is not None

    assert joined(old[:-1] + bytes([old[-1] ^ 1]), delta) is None
    assert joined(noise(300), delta) is None
    assert joined(old, delta[:-9]) is None
    assert joined(old, b"nothing") is None
