"""Shapes: a batch's rows and length follow from a text's length alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrievers.dense.shapes import Shape, batches, filled, slice_by_length

_LENGTHS = st.lists(st.integers(0, 256), max_size=60)


@given(_LENGTHS)
def test_every_text_is_in_one_batch_of_its_own_shape(lengths: list[int]) -> None:
    found = list(batches(lengths, longest=256))

    assert sorted(place for _, places in found for place in places) == list(range(len(lengths)))
    for shape, places in found:
        assert 0 < len(places) <= shape.rows
        for place in places:
            assert shape == Shape.of(lengths[place], longest=256, tokens=1024)
            assert shape.length >= lengths[place]


def test_lengths_are_padded_to_steps_of_32_but_never_beyond_the_longest() -> None:
    assert Shape.of(1, longest=250, tokens=1024) == Shape(32, 32)
    assert Shape.of(33, longest=250, tokens=1024) == Shape(16, 64)
    assert Shape.of(250, longest=250, tokens=1024) == Shape(4, 250)
    assert Shape.of(33, longest=250, tokens=1) == Shape(1, 64)


def test_a_batch_is_filled_with_padding_and_dummies_that_attend_to_one_token() -> None:
    ids, mask = filled(Shape(3, 4), [np.array([5, 6])], padding=9)

    assert ids.tolist() == [[5, 6, 9, 9], [9, 9, 9, 9], [9, 9, 9, 9]]
    assert mask.tolist() == [[1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]


@given(st.lists(st.integers(1, 256), max_size=90), st.integers(1, 9), st.booleans())
def test_slices_have_every_text_once_in_the_order_of_their_length(
    lengths: list[int], parts: int, whole: bool
) -> None:
    found = [
        slice_by_length(np.array(lengths, int), part, parts, whole_batches=whole)
        for part in range(parts)
    ]

    in_order = np.concatenate(found).tolist()
    assert in_order == sorted(range(len(lengths)), key=lambda place: (lengths[place], place))


@given(st.lists(st.integers(1, 256), max_size=90), st.integers(1, 9))
def test_slices_of_whole_batches_take_no_more_batches_than_all_texts_together(
    lengths: list[int], parts: int
) -> None:
    slices = [
        slice_by_length(np.array(lengths, int), part, parts, whole_batches=True).tolist()
        for part in range(parts)
    ]

    apart = [_batch_count([lengths[place] for place in places]) for places in slices]
    assert sum(apart) == _batch_count(lengths)


def test_slices_have_about_equally_many_tokens() -> None:
    lengths = np.random.default_rng(0).integers(1, 257, 4000)

    for whole in (False, True):
        found = [slice_by_length(lengths, part, 8, whole_batches=whole) for part in range(8)]
        tokens = [int(lengths[places].sum()) for places in found]
        assert max(tokens) - min(tokens) <= 2 * 1024


def _batch_count(lengths: list[int]) -> int:
    return len(list(batches(lengths, longest=256)))
