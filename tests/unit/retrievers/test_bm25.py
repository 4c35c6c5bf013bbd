"""BM25's arithmetic: by hand, and equal to bm25s."""

from math import log
from typing import Any, get_args

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.errors import LexicalError
from retrievers.lexical import BM25, BM25Index, count_words
from retrievers.lexical.bm25 import Method
from retrievers.lexical.chunk_words import ChunkWords

METHODS: tuple[Method, ...] = get_args(Method)
Word = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
Corpus = st.lists(st.lists(Word, max_size=12), min_size=1, max_size=12)


def index_of(texts: list[str], settings: BM25) -> BM25Index:
    """Return an index of some texts."""
    return BM25Index(count_words(texts, settings.tokenizer), settings)


def by_bm25s(corpus: list[list[str]], query: list[str], settings: BM25) -> Any:
    """Return bm25s's scores, less what it gives to chunks without the query's words."""
    model = bm25s.BM25(k1=settings.k1, b=settings.b, method=settings.method)
    model.index(corpus, show_progress=False)
    known = [word for word in query if word in model.vocab_dict]
    if not known:
        return np.zeros(len(corpus))
    absent = 0.0
    if model.nonoccurrence_array is not None:
        absent = model.nonoccurrence_array[[model.vocab_dict[word] for word in known]].sum()
    return model.get_scores(known) - absent


def test_postings_count_each_word_of_each_chunk() -> None:
    """Terms are numbered as they come, chunks without words stay."""
    postings = count_words(["b a b", "", "c b"], "plain")

    assert postings.vocabulary == ("b", "a", "c")
    assert postings.stops.tolist() == [2, 3, 4]
    assert postings.chunk.tolist() == [0, 2, 0, 2]
    assert postings.frequency.tolist() == [2, 1, 1, 1]
    assert postings.lengths.tolist() == [3, 0, 2]


def test_parts_and_originals_of_names_count_towards_the_length() -> None:
    """`getName get` are four tokens."""
    postings = count_words(["getName get"], "identifier")

    assert postings.vocabulary == ("get", "name", "getname")
    assert postings.frequency.tolist() == [2, 1, 1]
    assert postings.lengths.tolist() == [4]


def test_lucene_scores_are_those_of_the_formula() -> None:
    """A word asked for twice counts twice."""
    index = index_of(["fox fox dog", "dog", "cat cat"], BM25("plain", k1=1.2, b=0.75))

    scores = index.scores("fox dog fox")

    fox, dog = log(1 + 2.5 / 1.5), log(1 + 1.5 / 2.5)
    long, short = 1.2 * (0.25 + 0.75 * 3 / 2), 1.2 * (0.25 + 0.75 * 1 / 2)
    first = 2 * fox * 2 / (long + 2) + dog * 1 / (long + 1)
    assert scores.tolist() == pytest.approx([first, dog / (short + 1), 0])
    assert scores.dtype == np.float32


@pytest.mark.parametrize("method", METHODS)
@given(
    corpus=Corpus,
    query=st.lists(Word | st.just("unknown"), max_size=6),
    k1=st.floats(min_value=0.125, max_value=4),
    b=st.floats(min_value=0, max_value=1),
)
@settings(deadline=None)
def test_scores_are_those_of_bm25s(
    method: Method, corpus: list[list[str]], query: list[str], k1: float, b: float
) -> None:
    """Every variant has the same reference."""
    weighing = BM25("plain", k1, b, method)
    index = index_of([" ".join(words) for words in corpus], weighing)

    scores = index.scores(" ".join(query))

    # bm25s cannot index a corpus without words.
    if any(corpus):
        assert scores == pytest.approx(by_bm25s(corpus, query, weighing), abs=1e-5)
    else:
        assert not scores.any()


@pytest.mark.parametrize("method", METHODS)
def test_a_chunk_without_the_words_scores_zero_and_one_with_them_more(method: Method) -> None:
    """Zero is not a hit, in every variant."""
    index = index_of(["fox", "dog cat", "dog"], BM25("plain", method=method))

    scores = index.scores("fox")

    assert scores[0] > 0
    assert scores[1:].tolist() == [0, 0]


def test_one_count_of_the_words_serves_every_setting() -> None:
    """A grid over k1 and b counts once."""
    texts = ["fox fox dog", "dog fox", "cat"]
    postings = count_words(texts, "plain")

    for weighing in (BM25("plain", 0.5), BM25("plain", 2, 0.1), BM25("plain", method="bm25l")):
        shared = BM25Index(postings, weighing).scores("fox dog")
        assert shared.tolist() == index_of(texts, weighing).scores("fox dog").tolist()


@pytest.mark.parametrize("method", METHODS)
def test_few_queries_are_ranked_as_among_many(method: Method) -> None:
    """Few words are weighed alone."""
    texts = [f"fox {'dog ' * (number % 7)} word{number % 11} cat" for number in range(60)]
    words = ChunkWords.of(count_words(texts, "plain"))
    few, long = ["dog word3 fox", "none"], " ".join(f"other{number}" for number in range(400))

    def read(_wanted: Any) -> Any:
        return words

    weighing = BM25("plain", method=method)
    alone, among = (weighing.rank(queries, read, depth=50) for queries in (few, [*few, long]))

    for query in range(len(few)):
        own, other = alone.of_query(query), among.of_query(query)
        assert (own[0].tolist(), own[1].tolist()) == (other[0].tolist(), other[1].tolist())
        assert alone.mean[query] == among.mean[query]


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        ({"k1": -0.1}, r"k1=-0\.1 is out of range; choose 0 to 10"),
        ({"k1": float("nan")}, "k1=nan is out of range"),
        ({"b": 1.5}, r"b=1\.5 is out of range; choose 0 to 1"),
        ({"b": float("nan")}, "b=nan is out of range"),
        ({"method": "okapi"}, "method=okapi is not known; choose one of lucene, robertson"),
        ({"tokenizer": "words"}, "tokenizer=words is not known; choose one of identifier"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(values: dict[str, Any], remedy: str) -> None:
    """The error says what is allowed."""
    with pytest.raises(LexicalError, match=remedy):
        BM25(**values)


def test_words_counted_otherwise_are_refused() -> None:
    """Postings of another tokenizer would give wrong numbers in silence."""
    postings = count_words(["fox"], "plain")

    with pytest.raises(LexicalError, match="tokenizer=english: these words were counted with pl"):
        BM25Index(postings, BM25("english"))
