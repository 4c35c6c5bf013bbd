"""Columns as people read them."""

import pytest

from bench.reporting.words import at_level, said_of_measure


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("mrr", "MRR"),
        ("ndcg_at_10", "NDCG@10"),
        ("recall_at_5", "recall@5"),
        ("recall_at_4000_tokens", "recall at 4,000 tokens"),
        ("duplicates", "duplicates"),
    ],
)
def test_a_column_is_said_in_words(column: str, said: str) -> None:
    """With its cut-off."""
    assert said_of_measure(column) == said


def test_a_measure_of_answers_is_of_no_level() -> None:
    """Whether an answer says what it must has nothing to do with spans."""
    assert at_level("mrr", "span") == " at span level"
    assert at_level("groundedness", "span") == ""
