"""Postings of groups of chunks are those of their texts put together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrievers.lexical import count_words
from retrievers.lexical.postings import Postings, grouped

TEXTS = st.lists(st.tuples(st.text("ab c", max_size=12), st.integers(0, 3)), max_size=8)


def counts(postings: Postings) -> dict[tuple[str, int], int]:
    """Return how often each word occurs in each chunk."""
    return {
        (term, int(postings.chunk[place])): int(postings.frequency[place])
        for term, number in postings.terms.items()
        for place in range(*postings.of_term(number).indices(len(postings.chunk)))
    }


@given(TEXTS)
def test_groups_count_as_their_texts_put_together(drawn: list[tuple[str, int]]) -> None:
    texts, group = [text for text, _ in drawn], np.array([of for _, of in drawn], np.int64)
    count = max((of + 1 for _, of in drawn), default=0)
    whole = [" ".join(text for text, of in drawn if of == one) for one in range(count)]

    found = grouped(count_words(texts, "plain"), group)

    expected = count_words(whole, "plain")
    assert counts(found) == counts(expected)
    assert found.lengths.tolist() == expected.lengths.tolist()
