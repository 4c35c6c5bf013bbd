"""What every lexical index promises, checked on every one."""

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.engine import Record
from retrievers.interface import Chunks, Documents, Index, ranked
from retrievers.lexical import (
    BM25,
    TOKENIZERS,
    BM25Index,
    Fields,
    FieldsIndex,
    FieldTexts,
    Grep,
    GrepIndex,
    Names,
    NamesIndex,
    Postings,
    TokenizerName,
    count_words,
    field_texts,
)
from retrievers.lexical.bm25 import Method
from retrievers.source import Symbols, find_symbols

TOKENIZER_NAMES = (*TOKENIZERS, "camel+snake", "digits+stem+stop+long")
SETTINGS = [
    BM25(tokenizer, method=method) for tokenizer in TOKENIZER_NAMES for method in get_args(Method)
]
TEXTS = [
    "def read_settings(path): return parse(open(path))",
    "class HTTPServer: 'listens on a port and answers requests'",
    "def parse(text): 'yields the tokens of a text, one after the other'",
    "",
    "int main(void) { printf(greeting); return 0; }",
    "the quick brown fox jumps over lazy dogs",
]
Build = Callable[[Sequence[str], str], Index]


def sources(texts: Sequence[str], suffix: str) -> tuple[Documents, Chunks, Symbols]:
    """Return files with these texts, each a chunk; a suffix of no language defines nothing."""
    documents = Documents.of([(f"{n}{suffix}", text) for n, text in enumerate(texts)])
    sizes = np.array([documents.size(n) for n in range(len(texts))], np.int32)
    none, lines = np.zeros(len(texts), np.int32), np.ones(len(texts), np.int32)
    number = np.arange(len(texts), dtype=np.int32)
    chunks = Chunks(number, none, sizes, lines, lines, none, none)
    return documents, chunks, find_symbols(documents)


def bm25(weighing: BM25) -> Build:
    """Return what makes a BM25 index of texts."""
    return lambda texts, _: BM25Index(count_words(texts, weighing.tokenizer), weighing)


def fields(weighing: Fields) -> Build:
    """Return what makes an index of fields."""

    def build(texts: Sequence[str], suffix: str) -> Index:
        return FieldsIndex(field_texts(*sources(texts, suffix), weighing.tokenizer), weighing)

    return build


def grep(how: Grep) -> Build:
    """Return what makes an index of keywords."""
    return lambda texts, _: GrepIndex(texts, how)


def names(tiers: Names) -> Build:
    """Return what makes an index of names."""

    def build(texts: Sequence[str], suffix: str) -> Index:
        documents, chunks, symbols = sources(texts, suffix)
        return NamesIndex(symbols, documents, chunks, tiers)

    return build


OF_TEXT: Mapping[str, Build] = {
    **{repr(weighing): bm25(weighing) for weighing in SETTINGS},
    **{repr(Fields(kind)): fields(Fields(kind)) for kind in TOKENIZER_NAMES},
    "grep": grep(Grep()),
    "grep, words as they are": grep(Grep(match_case=True, whole_words=True, stop_words=True)),
}
OF_NAMES: Mapping[str, Build] = {
    "tiered": names(Names()),
    "exact": names(Names(tiers=("exact",))),
}
EVERY = {**OF_TEXT, **OF_NAMES}
every_index = pytest.mark.parametrize("build", EVERY.values(), ids=list(EVERY))
every_index_of_text = pytest.mark.parametrize("build", OF_TEXT.values(), ids=list(OF_TEXT))
every_index_of_names = pytest.mark.parametrize("build", OF_NAMES.values(), ids=list(OF_NAMES))


@every_index_of_text
def test_an_exact_copy_is_found_first(build: Build) -> None:
    """The least that search by words must do."""
    index = build(TEXTS, ".py")

    for place, text in enumerate(TEXTS):
        if text:
            best = ranked([index.scores(text)], 1, floor=0)
            assert best.chunk.tolist() == [place]


@every_index_of_names
@pytest.mark.parametrize(
    ("query", "place"), [("where is read_settings", 0), ("httpserver", 1), ("`parse`", 2)]
)
def test_a_name_finds_first_what_bears_it(build: Build, query: str, place: int) -> None:
    """The least that search by names must do."""
    index = build(TEXTS, ".py")

    best = ranked([index.scores(query)], 1, floor=0)

    assert best.chunk.tolist() == [place]


@every_index
@given(texts=st.lists(st.text(max_size=60), max_size=6), query=st.text(max_size=60))
@settings(deadline=None)
def test_every_chunk_has_a_finite_score_and_none_is_negative(
    build: Build, texts: list[str], query: str
) -> None:
    """Whatever the texts and the query are."""
    scores = build(texts, ".txt").scores(query)

    assert scores.shape == (len(texts),)
    assert scores.dtype == np.float32
    assert np.all(np.isfinite(scores) & (scores >= 0))


@every_index
def test_an_empty_corpus_has_no_scores_and_no_hits(build: Build) -> None:
    """A repository may be empty."""
    index = build([], ".py")

    rankings = ranked([index.scores("anything")], 10, floor=0)

    assert len(rankings.chunk) == 0


@every_index
@pytest.mark.parametrize("query", ["", "...", "xyzzy plugh"])
def test_a_query_without_known_words_has_no_hits(build: Build, query: str) -> None:
    """A miss is not an error."""
    index = build(TEXTS, ".py")

    rankings = ranked([index.scores(query)], 10, floor=0)

    assert len(rankings.chunk) == 0


@every_index
def test_a_chunk_without_words_is_never_a_hit(build: Build) -> None:
    """Some variants favour short chunks."""
    index = build(TEXTS, ".py")

    scores = index.scores(" ".join(TEXTS))

    assert scores[TEXTS.index("")] == 0


@every_index
def test_making_and_asking_again_gives_the_same_bits(build: Build) -> None:
    """The same numbers is meant exactly."""
    query = "parse the settings of a server"

    once, again = build(TEXTS, ".py"), build(TEXTS, ".py")

    assert once.scores(query).tobytes() == once.scores(query).tobytes()
    assert once.scores(query).tobytes() == again.scores(query).tobytes()


@pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
def test_stored_columns_give_the_same_scores(tokenizer: TokenizerName) -> None:
    """The artifact is all that an index needs."""
    codec = Record(FieldTexts)
    texts = field_texts(*sources([*TEXTS, "lone \ud800surrogate"], ".py"), tokenizer)

    restored = codec.decode(codec.encode(texts))

    query, weighing = "tokens of a text", Fields(tokenizer)
    stored, fresh = FieldsIndex(restored, weighing), FieldsIndex(texts, weighing)
    assert stored.scores(query).tobytes() == fresh.scores(query).tobytes()
    assert restored == texts


@pytest.mark.parametrize("weighing", SETTINGS, ids=repr)
def test_stored_postings_give_the_same_scores(weighing: BM25) -> None:
    """The artifact is all that an index needs."""
    codec = Record(Postings)
    postings = count_words([*TEXTS, "lone \ud800surrogate"], weighing.tokenizer)

    restored = codec.decode(codec.encode(postings))

    query = "tokens of a text"
    stored, fresh = BM25Index(restored, weighing), BM25Index(postings, weighing)
    assert stored.scores(query).tobytes() == fresh.scores(query).tobytes()
    assert restored.vocabulary == postings.vocabulary


@pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
def test_postings_of_nothing_can_be_stored(tokenizer: TokenizerName) -> None:
    """An empty vocabulary is a vocabulary."""
    codec = Record(Postings)

    restored = codec.decode(codec.encode(count_words([], tokenizer)))

    assert BM25Index(restored, BM25(tokenizer)).scores("x").tolist() == []
