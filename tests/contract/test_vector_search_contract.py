"""What search by the vectors of texts and of their tokens promises, with the packaged model."""

from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np
import pytest

from retrievers.dense import (
    EmbeddingModel,
    TokenVectors,
    best_of_windows,
    chunk_scores,
    cut_windows,
    load_encoder,
    members,
    window_scores,
    window_texts,
)
from retrievers.dense.settings import Bits, LongText
from retrievers.interface import Chunks, Documents, Floats, ranked

Search = Callable[[Sequence[str], Sequence[str], LongText], list[Floats]]
TEXTS = [
    "def read_settings(path): return parse(open(path))",
    "class HTTPServer: 'listens on a port and answers requests'",
    "def parse(text): 'yields the tokens of a text, one after the other'",
    "",
    "int main(void) { printf(greeting); return 0; }",
    "the quick brown fox jumps over lazy dogs",
]
MODEL = EmbeddingModel(path_header=False)


def chunked(texts: Sequence[str]) -> tuple[Documents, Chunks]:
    """Return files with these texts, each a chunk."""
    documents = Documents.of([(f"{n}.py", text) for n, text in enumerate(texts)])
    sizes = np.array([documents.size(n) for n in range(len(texts))], np.int32)
    none, lines = np.zeros(len(texts), np.int32), np.ones(len(texts), np.int32)
    return documents, Chunks(
        np.arange(len(texts), dtype=np.int32), none, sizes, lines, lines, none, none
    )


def by_vectors(texts: Sequence[str], queries: Sequence[str], long_text: LongText) -> list[Floats]:
    """Return the scores of chunks by one vector a window."""
    encoder = load_encoder(MODEL)
    documents, chunks = chunked(texts)
    windows = cut_windows(documents, encoder)
    vectors = encoder.passages(window_texts(documents, windows))
    asked, belonging = encoder.queries(queries), members(windows, chunks)
    count = len(chunks)
    return list(chunk_scores(asked, vectors, belonging, chunk_count=count, long_text=long_text))


def by_tokens(pooling: int, bits: Bits) -> Search:
    """Return a search by the vectors of tokens, stored in one way."""

    def search(texts: Sequence[str], queries: Sequence[str], long_text: LongText) -> list[Floats]:
        encoder = load_encoder(MODEL)
        documents, chunks = chunked(texts)
        windows = cut_windows(documents, encoder)
        found = encoder.passage_tokens(window_texts(documents, windows))
        stored = TokenVectors.of(range(len(found)), found, pooling=pooling, bits=bits)
        asked = [encoder.query_tokens(query) for query in queries]
        each = TokenVectors.of(range(len(asked)), asked, pooling=1, bits=bits)
        rows = window_scores(each, iter([stored]), window_count=len(windows))
        belonging, count = members(windows, chunks), len(chunks)
        return list(best_of_windows(rows, belonging, chunk_count=count, long_text=long_text))

    return search


EVERY: dict[str, Search] = {
    "dense": by_vectors,
    "late": by_tokens(1, 8),
    "late, neighbours together": by_tokens(2, 8),
    "late, 16 bits": by_tokens(2, 16),
}
every_search = pytest.mark.parametrize("search", EVERY.values(), ids=list(EVERY))
each_pooling = pytest.mark.parametrize("long_text", get_args(LongText))


@every_search
def test_an_exact_copy_is_found_first(search: Search) -> None:
    """The least that search by meaning must do."""
    queries = [text for text in TEXTS if text]

    rows = search(TEXTS, queries, "max")

    for query, row in zip(queries, rows, strict=True):
        assert ranked([row], 1).chunk.tolist() == [TEXTS.index(query)]


@every_search
@each_pooling
def test_every_chunk_has_a_finite_score_that_is_at_most_1(
    search: Search, long_text: LongText
) -> None:
    """Long chunks, empty ones and empty queries too."""
    texts = [*TEXTS, "\n".join(f"value_{n} = {n}" for n in range(400)), "\ud800"]

    rows = search(texts, ["", "where is the value set", "\ud800"], long_text)

    for row in rows:
        assert row.shape == (len(texts),)
        assert row.dtype == np.float32
        assert np.isfinite(row).all()
        assert np.abs(row).max() <= 1 + 1e-2


@every_search
def test_an_empty_corpus_has_no_scores_and_no_queries_no_rows(search: Search) -> None:
    """A repository may be empty."""
    assert [row.tolist() for row in search([], ["anything"], "max")] == [[]]
    assert search(TEXTS, [], "max") == []


@every_search
@each_pooling
def test_equal_texts_tie_wherever_they_stand(search: Search, long_text: LongText) -> None:
    """Ties go to the lower number; nothing else may decide."""
    texts = [TEXTS[0], *TEXTS, TEXTS[2], TEXTS[0]]

    (row,) = search(texts, ["read the settings"], long_text)

    assert row[0] == row[1] == row[-1]
    assert row[3] == row[-2]


@every_search
def test_a_query_alone_and_among_others_has_the_same_bits(search: Search) -> None:
    """The same numbers is meant exactly."""
    among_others = search(TEXTS, ["parse", "listen to a port", "fox"], "max")[1]

    (alone,) = search(TEXTS, ["listen to a port"], "max")

    np.testing.assert_array_equal(alone, among_others)
