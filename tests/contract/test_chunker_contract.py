"""What every chunker promises, checked on every chunker."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import (
    File,
    Lines,
    Recursive,
    Sentence,
    Symbol,
    SymbolChunker,
    Syntax,
    TextChunker,
    Tokens,
    token_ends,
)
from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols
from tests.contract.chunker_checks import Cuttable, check

SIZES = [(512, 0), (16, 0), (16, 15), (64, 16)]
CHUNKERS: list[TextChunker | SymbolChunker] = [
    *(kind(*sizes) for kind in (Lines, Tokens, Recursive, Sentence, Syntax) for sizes in SIZES),
    Symbol(512),
    Symbol(16),
    File(),
]
SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"
every_chunker = pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)


def symbols_at(documents: Documents, places: list[tuple[int, int, int, str]]) -> Symbols:
    """Return symbols between these bytes, whatever stands there."""
    rows = sorted({(number, start, -end, kind) for number, start, end, kind in places})
    number, start, end = (np.array([row[n] for row in rows], np.int32) for n in range(3))
    empty = np.zeros(len(rows), np.int32)
    names = tuple(f"d{n}" for n in range(len(rows)))

    def lines(of: np.ndarray) -> np.ndarray:
        found = [
            np.searchsorted(documents.line_starts(int(n)), byte, "right")
            for n, byte in zip(number, of, strict=True)
        ]
        return np.array(found, np.int32)

    return Symbols(
        names=names,
        kinds=tuple(row[3] for row in rows),
        signatures=names,
        docs=names,
        visibility=("public",) * len(rows),
        document=number,
        start_line=lines(start),
        end_line=lines(-end - 1),
        start_byte=start,
        end_byte=-end,
        parent=empty - 1,
        occurrence=empty,
        declared_byte=start,
        named_byte=start,
        signature_end=start,
        doc_start=start,
        doc_end=start,
        path_parts=empty,
        own_parts=empty + 1,
    )


Suffix = st.sampled_from([".py", ".md", ".rst", ".txt", ".json", ""])
Text = (
    st.text("ab(){};/ \n\r\t\x00é😀\ud800", max_size=300)
    | st.text("a.#=-`~ \n\r\t", max_size=300)
    | st.text(max_size=300)
)
Place = st.tuples(
    st.integers(0, 3),
    st.integers(0, 299),
    st.integers(1, 200),
    st.sampled_from(["class", "function", "method", "module", "constant"]),
)


@st.composite
def corpora(draw: st.DrawFn) -> Cuttable:
    """Return documents with symbols at arbitrary places."""
    texts = draw(st.lists(st.tuples(Suffix, Text), max_size=4))
    named = [(f"{number}{suffix}", text) for number, (suffix, text) in enumerate(texts)]
    documents = Documents.of(named)
    sizes = [documents.size(number) for number in range(len(documents))]
    places = [
        (number, start, min(start + length, sizes[number]), kind)
        for number, start, length, kind in draw(st.lists(Place, max_size=8))
        if number < len(sizes) and start < sizes[number]
    ]
    return Cuttable(documents, token_ends(documents), symbols_at(documents, places))


@pytest.fixture(scope="module")
def samples() -> Cuttable:
    """Real files of every language with their real symbols."""
    files = [path for path in sorted(SAMPLES.rglob("*")) if path.is_file()]
    documents = Documents.of(
        [(str(path.relative_to(SAMPLES)), path.read_bytes().decode()) for path in files]
    )
    return Cuttable(documents, token_ends(documents), find_symbols(documents))


@every_chunker
@given(corpus=corpora())
@settings(deadline=None)
def test_generated_texts_are_cut_as_promised(
    chunker: TextChunker | SymbolChunker, corpus: Cuttable
) -> None:
    """Whatever the texts, and wherever the symbols."""
    chunks = corpus.cut(chunker)

    check(corpus, chunks, chunker)


@every_chunker
def test_real_files_are_cut_as_promised(
    chunker: TextChunker | SymbolChunker, samples: Cuttable
) -> None:
    """Eleven languages, YAML and Markdown."""
    chunks = samples.cut(chunker)

    check(samples, chunks, chunker)


@every_chunker
@given(corpus=corpora())
@settings(deadline=None, max_examples=30)
def test_cutting_twice_gives_the_same_chunks(
    chunker: TextChunker | SymbolChunker, corpus: Cuttable
) -> None:
    """Chunks depend on the documents and the settings only."""
    once, again = corpus.cut(chunker), corpus.cut(chunker)

    assert all(np.array_equal(getattr(once, name), getattr(again, name)) for name in vars(once))


@every_chunker
def test_an_empty_corpus_has_no_chunks(chunker: TextChunker | SymbolChunker) -> None:
    """A repository may be empty."""
    documents = Documents.of([])
    corpus = Cuttable(documents, token_ends(documents), symbols_at(documents, []))

    chunks = corpus.cut(chunker)

    assert len(chunks) == 0
    columns = [column for column in vars(chunks).values() if isinstance(column, np.ndarray)]
    assert {column.dtype for column in columns} == {np.dtype(np.int32)}
