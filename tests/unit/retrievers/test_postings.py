"""Postings of groups of chunks are those of their texts put together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.engine import Record
from retrievers.lexical import count_words
from retrievers.lexical.chunk_words import ChunkWords
from retrievers.lexical.postings import _LATELY, Postings, _lately, grouped
from retrievers.unchanged import Splice

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


@given(st.lists(st.text("aé b", max_size=12), max_size=8))
def test_postings_come_back_from_the_words_of_each_chunk(texts: list[str]) -> None:
    made = count_words(texts, "plain")

    found = ChunkWords.of(made).postings

    assert (found.tokenizer, found.vocabulary) == (made.tokenizer, tuple(sorted(made.vocabulary)))
    assert counts(found) == counts(made)
    assert found.lengths.tolist() == made.lengths.tolist()
    for name in ("stops", "chunk", "frequency", "lengths"):
        assert getattr(found, name).dtype == getattr(made, name).dtype


def test_the_words_of_large_texts_are_kept_for_one_tokenizer() -> None:
    small, large = _lately("plain"), _lately("identifier")
    large.tokens = 5_000_000

    assert _lately("plain") is small
    assert list(_LATELY) == ["plain"]
    assert _lately("identifier") is not large


WORDS = st.lists(st.sampled_from(["plumless", "buckeroo", "a", "b", "c a"]), max_size=3)


@given(st.lists(st.tuples(st.booleans(), WORDS, WORDS), max_size=6))
def test_words_put_together_of_two_trees_are_those_of_their_texts(
    documents: list[tuple[bool, list[str], list[str]]],
) -> None:
    """Each document keeps the chunks that it had before, or has others."""
    old = [text for _, before, _ in documents for text in before]
    fresh = [text for kept, _, now in documents if not kept for text in now]
    whole = [text for kept, *texts in documents for text in texts[0 if kept else 1]]
    pieces, of_old, of_fresh = [], 0, 0
    for kept, before, now in documents:
        start, count = (of_old, len(before)) if kept else (of_fresh, len(now))
        pieces.append((kept, slice(start, start + count)))
        of_old, of_fresh = of_old + len(before), of_fresh + (0 if kept else len(now))

    one, other = (ChunkWords.of(count_words(texts, "plain")) for texts in (old, fresh))
    found = one.spliced(Splice(tuple(pieces)), other)

    expected = ChunkWords.of(count_words(whole, "plain"))
    assert Record(ChunkWords).encode(found) == Record(ChunkWords).encode(expected)


@given(st.lists(WORDS), st.sets(st.sampled_from(["plumless", "buckeroo", "a", "c", "none"])))
def test_the_postings_of_some_terms_are_those_of_all_without_the_others(
    texts: list[list[str]], terms: set[str]
) -> None:
    words = ChunkWords.of(count_words([" ".join(text) for text in texts], "plain"))

    some = words.of_terms(terms)

    assert set(some.vocabulary) == terms & set(words.vocabulary)
    for number, term in enumerate(some.vocabulary):
        held, own = words.postings.of_term(words.postings.terms[term]), some.of_term(number)
        assert some.chunk[own].tolist() == words.postings.chunk[held].tolist()
        assert some.frequency[own].tolist() == words.postings.frequency[held].tolist()
    assert some.lengths.tolist() == words.lengths.tolist()


def test_words_with_the_same_checksum_stay_apart() -> None:
    """`plumless` and `buckeroo` are known to have the same CRC-32."""
    made = count_words(["plumless buckeroo", "buckeroo plumless plumless"], "plain")

    found = ChunkWords.of(made)

    assert len(set(found.code.tolist())) == 2
    assert counts(found.postings) == counts(made)


def test_a_chunk_more_and_a_new_word_leave_the_rows_of_other_chunks() -> None:
    texts = [f"common word{number} number{number % 7}" for number in range(50)]
    more = [*texts[:10], "common new", *texts[10:]]

    before, after = (ChunkWords.of(count_words(one, "plain")) for one in (texts, more))

    assert before.term.tolist() == [*after.term[:30].tolist(), *after.term[32:].tolist()]
    assert before.frequency.tolist() == [*after.frequency[:30], *after.frequency[32:]]
