"""What every lexical index promises, checked on every one."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.pipeline import Record
from retrievers.interface import Index, ranked
from retrievers.lexical import BM25, BM25Index, Postings, TokenizerName, count_words
from retrievers.lexical.bm25 import Method

SETTINGS = [
    BM25(tokenizer, method=method)
    for tokenizer in get_args(TokenizerName)
    for method in get_args(Method)
]
every_setting = pytest.mark.parametrize("weighing", SETTINGS, ids=repr)
TEXTS = [
    "def read_settings(path): return parse(open(path))",
    "class HTTPServer: listens on a port and answers requests",
    "def parse(text): yields the tokens of a text, one after the other",
    "",
    "int main(void) { printf(greeting); return 0; }",
    "the quick brown fox jumps over lazy dogs",
]


def index_of(texts: list[str], weighing: BM25) -> Index:
    """Return an index of some texts."""
    return BM25Index(count_words(texts, weighing.tokenizer), weighing)


@every_setting
def test_an_exact_copy_is_found_first(weighing: BM25) -> None:
    """The least that search by words must do."""
    index = index_of(TEXTS, weighing)

    for place, text in enumerate(TEXTS):
        if text:
            best = ranked([index.scores(text)], 1, floor=0)
            assert best.chunk.tolist() == [place]


@every_setting
@given(texts=st.lists(st.text(max_size=60), max_size=6), query=st.text(max_size=60))
@settings(deadline=None)
def test_every_chunk_has_a_finite_score_and_none_is_negative(
    weighing: BM25, texts: list[str], query: str
) -> None:
    """Whatever the texts and the query are."""
    scores = index_of(texts, weighing).scores(query)

    assert scores.shape == (len(texts),)
    assert scores.dtype == np.float32
    assert np.all(np.isfinite(scores) & (scores >= 0))


@every_setting
def test_an_empty_corpus_has_no_scores_and_no_hits(weighing: BM25) -> None:
    """A repository may be empty."""
    index = index_of([], weighing)

    rankings = ranked([index.scores("anything")], 10, floor=0)

    assert len(rankings.chunk) == 0


@every_setting
@pytest.mark.parametrize("query", ["", "...", "xyzzy plugh"])
def test_a_query_without_known_words_has_no_hits(weighing: BM25, query: str) -> None:
    """A miss is no error."""
    index = index_of(TEXTS, weighing)

    rankings = ranked([index.scores(query)], 10, floor=0)

    assert len(rankings.chunk) == 0


@every_setting
def test_a_chunk_without_words_is_never_a_hit(weighing: BM25) -> None:
    """Some variants favour short chunks."""
    index = index_of(TEXTS, weighing)

    scores = index.scores(" ".join(TEXTS))

    assert scores[TEXTS.index("")] == 0


@every_setting
def test_counting_and_asking_again_gives_the_same_bits(weighing: BM25) -> None:
    """The same numbers is meant exactly."""
    query = "parse the settings of a server"

    once, again = index_of(TEXTS, weighing), index_of(TEXTS, weighing)

    assert once.scores(query).tobytes() == once.scores(query).tobytes()
    assert once.scores(query).tobytes() == again.scores(query).tobytes()


@every_setting
def test_stored_postings_give_the_same_scores(weighing: BM25) -> None:
    """The artifact is all that an index needs."""
    codec = Record(Postings)
    postings = count_words([*TEXTS, "lone \ud800surrogate"], weighing.tokenizer)

    restored = codec.decode(codec.encode(postings))

    query = "tokens of a text"
    stored, fresh = BM25Index(restored, weighing), BM25Index(postings, weighing)
    assert stored.scores(query).tobytes() == fresh.scores(query).tobytes()
    assert restored.vocabulary == postings.vocabulary


@pytest.mark.parametrize("tokenizer", get_args(TokenizerName))
def test_postings_of_nothing_can_be_stored(tokenizer: TokenizerName) -> None:
    """An empty vocabulary is a vocabulary."""
    codec = Record(Postings)

    restored = codec.decode(codec.encode(count_words([], tokenizer)))

    assert BM25Index(restored, BM25(tokenizer)).scores("x").tolist() == []
