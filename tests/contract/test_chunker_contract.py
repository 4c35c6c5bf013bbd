"""What every chunker promises, checked on every chunker."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import File, Lines, Recursive, Tokens, token_ends
from retrievers.interface import Chunker, Documents

SIZES = [(512, 0), (16, 0), (16, 15), (64, 16)]
CHUNKERS: list[Chunker] = [
    *(kind(*sizes) for kind in (Lines, Tokens, Recursive) for sizes in SIZES),
    File(),
]
every_chunker = pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)

Suffix = st.sampled_from([".py", ".md", ".rst", ".txt", ".json", ""])
Text = (
    st.text("ab(){};/ \n\r\t\x00é😀\ud800", max_size=300)
    | st.text("a.#=-`~ \n\r\t", max_size=300)
    | st.text(max_size=300)
)
Corpus = st.lists(st.tuples(Suffix, Text), max_size=4).map(
    lambda texts: Documents.of(
        [(f"{number}{suffix}", text) for number, (suffix, text) in enumerate(texts)]
    )
)


@every_chunker
@given(documents=Corpus)
@settings(deadline=None)
def test_every_line_of_every_document_is_in_a_chunk(
    chunker: Chunker, documents: Documents
) -> None:
    """What is in no chunk can never be found."""
    chunks = chunker.cut(documents, token_ends(documents))

    for document in range(len(documents)):
        own = chunks.document == document
        covered = {
            line
            for start, end in zip(chunks.start_line[own], chunks.end_line[own], strict=True)
            for line in range(start, end + 1)
        }
        lines = len(documents.line_starts(document)) if documents.size(document) else 0
        assert covered == set(range(1, lines + 1))


@every_chunker
@given(documents=Corpus)
@settings(deadline=None)
def test_offsets_and_lines_agree_with_the_text(chunker: Chunker, documents: Documents) -> None:
    """A chunk's bytes, lines and text are one and the same place."""
    chunks = chunker.cut(documents, token_ends(documents))

    for place in range(len(chunks)):
        content = documents.text(int(chunks.document[place])).encode("utf-8", "surrogatepass")
        start, end = int(chunks.start_byte[place]), int(chunks.end_byte[place])
        text = content[start:end].decode("utf-8", "surrogatepass")
        assert text
        assert chunks.text(place, documents) == text
        assert chunks.start_line[place] == content[:start].count(b"\n") + 1
        assert chunks.end_line[place] == content[: end - 1].count(b"\n") + 1


@every_chunker
@given(documents=Corpus)
@settings(deadline=None)
def test_chunks_stand_in_the_order_of_the_documents(
    chunker: Chunker, documents: Documents
) -> None:
    """Chunk numbers break ties, so that their order must be stated."""
    chunks = chunker.cut(documents, token_ends(documents))

    keys = chunks.document.astype(np.int64) * 2**32 + chunks.start_byte
    assert np.all(np.diff(keys) > 0)


@every_chunker
@given(documents=Corpus)
@settings(deadline=None)
def test_a_chunk_has_the_tokens_that_start_in_it_and_no_more_than_its_size(
    chunker: Chunker, documents: Documents
) -> None:
    """Token ranges and byte ranges agree."""
    tokens = token_ends(documents)

    chunks = chunker.cut(documents, tokens)

    for place in range(len(chunks)):
        ends = tokens.of(int(chunks.document[place])).tolist()
        starts = [0, *ends[:-1]]
        inside = [
            number
            for number, start in enumerate(starts)
            if chunks.start_byte[place] <= start < chunks.end_byte[place]
        ]
        assert inside == list(range(chunks.start_token[place], chunks.end_token[place]))
        assert len(inside) <= getattr(chunker, "size", len(ends))


@every_chunker
@given(documents=Corpus)
@settings(deadline=None)
def test_cutting_twice_gives_the_same_chunks(chunker: Chunker, documents: Documents) -> None:
    """Chunks depend on the documents and the settings only."""
    tokens = token_ends(documents)

    once, again = chunker.cut(documents, tokens), chunker.cut(documents, tokens)

    assert all(np.array_equal(getattr(once, name), getattr(again, name)) for name in vars(once))


@every_chunker
def test_an_empty_corpus_has_no_chunks(chunker: Chunker) -> None:
    """A repository may be empty."""
    documents = Documents.of([])

    chunks = chunker.cut(documents, token_ends(documents))

    assert len(chunks) == 0
    assert all(column.dtype == np.int32 for column in vars(chunks).values())
