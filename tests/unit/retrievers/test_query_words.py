"""What the words of a query count."""

import pytest

from retrievers.errors import LexicalError
from retrievers.lexical import BM25, BM25Index, count_words
from retrievers.lexical.query_words import query_words

ISSUE = "Cart total\n\nThe total of a total is wrong.\n\n```\ntotal = total()\n```"


def test_plain_words_count_as_often_as_they_occur() -> None:
    assert query_words("the total of a total", "identifier", "plain") == {
        "the": 1,
        "total": 2,
        "of": 1,
        "a": 1,
    }


def test_words_of_parts_count_once_in_each() -> None:
    assert query_words(ISSUE, "identifier", "parts") == {"cart": 2.0, "total": 4.0, "wrong": 1.0}


def test_words_that_only_ask_are_asked_for_where_there_are_no_others() -> None:
    assert query_words("where is it", "identifier", "parts") == {"where": 1, "is": 1, "it": 1}


def test_words_are_left_out_before_they_are_stemmed() -> None:
    assert query_words("does carts", "stemmed", "parts") == {"cart": 1.0}


def test_bm25_reads_as_its_settings_say() -> None:
    postings = count_words(["cart", "total", "wrong"], "identifier")

    plain = BM25Index(postings, BM25()).scores(ISSUE)
    parts = BM25Index(postings, BM25(reading="parts")).scores(ISSUE)

    assert (plain / plain[0]).tolist() == pytest.approx([1.0, 5.0, 1.0])
    assert (parts / parts[0]).tolist() == pytest.approx([1.0, 2.0, 0.5])


def test_a_short_query_without_repeated_words_scores_equally() -> None:
    postings = count_words(["cart total", "total", "wrong"], "identifier")

    plain = BM25Index(postings, BM25()).scores("cart total")
    parts = BM25Index(postings, BM25(reading="parts")).scores("cart total")

    assert plain.tolist() == parts.tolist()


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(
        LexicalError, match="reading=loud is not known; choose one of parts, plain"
    ):
        BM25(reading="loud")  # type: ignore[arg-type]
