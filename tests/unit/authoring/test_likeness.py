"""How alike texts are is a number from 0 to 1, the same both ways where order is left aside."""

from hypothesis import given
from hypothesis import strategies as st

from bench.authoring.similarity import alike, shared, words_of

TEXT = st.text(st.sampled_from("ab (\n"), max_size=20)


def test_known_texts_are_as_alike_as_counting_says() -> None:
    # Four of the five words and signs on each side are in the same order: 2 * 4 / 10.
    assert alike("a b c ( )", "a b x ( )") == 0.8
    assert shared(words_of("a b"), words_of("b c")) == 0.5


@given(one=TEXT, other=TEXT)
def test_likeness_lies_between_nothing_and_all(one: str, other: str) -> None:
    assert 0 <= alike(one, other) <= 1
    assert 0 <= shared(words_of(one), words_of(other)) <= 1
    assert shared(words_of(one), words_of(other)) == shared(words_of(other), words_of(one))


@given(text=TEXT)
def test_white_space_makes_no_difference(text: str) -> None:
    assert alike(text, text.replace(" ", "\n  ")) == 1


def test_long_texts_are_compared_without_their_order() -> None:
    long = "word " * 4000

    assert alike(long, long + "other " * 4000) == 2 / 3
