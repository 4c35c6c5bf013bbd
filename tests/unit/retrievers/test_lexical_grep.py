"""Grep: which words are looked for, and the order that its scores state."""

import pytest

from retrievers.lexical import Grep, GrepIndex
from retrievers.lexical.grep import keywords
from retrievers.lexical.joined_texts import JoinedTexts

TEXTS = ["cart cart cart total", "Cart", "total of carts", "nothing", ""]


def test_more_distinct_words_come_before_more_occurrences() -> None:
    """Two words once each outrank one word often; the most frequent has four in all."""
    scores = GrepIndex(TEXTS, Grep()).scores("cart total")

    assert scores == pytest.approx([2 + 4 / 5, 1 + 1 / 5, 2 + 2 / 5, 0, 0])


def test_case_and_word_ends_count_when_asked_for() -> None:
    exact = Grep(match_case=True, whole_words=True)

    scores = GrepIndex(TEXTS, exact).scores("Cart total")

    assert scores == pytest.approx([1 + 1 / 2, 1 + 1 / 2, 1 + 1 / 2, 0, 0])


def test_words_of_a_question_are_not_looked_for_unless_asked() -> None:
    query = "Where is the Cart, the cart?"

    assert keywords(query, Grep()) == ("cart",)
    assert keywords(query, Grep(match_case=True)) == ("Cart", "cart")
    assert keywords(query, Grep(stop_words=True)) == ("where", "is", "the", "cart")


def test_a_word_is_no_pattern_and_never_reaches_into_the_next_text() -> None:
    texts = JoinedTexts(["a.b", "axb", "ab", "é_a"])

    assert texts.counts("a.b").tolist() == [1, 0, 0, 0]
    assert texts.counts("ba").tolist() == [0, 0, 0, 0]
    assert texts.counts("a", whole=True).tolist() == [1, 0, 0, 0]
    assert texts.counts("").tolist() == [0, 0, 0, 0]
