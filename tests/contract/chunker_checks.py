"""What every chunker promises, as checks of the chunks that it made."""

from typing import NamedTuple

import numpy as np

from retrievers.chunkers import Symbol, SymbolChunker, Syntax, TextChunker
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols


class Cuttable(NamedTuple):
    """What chunkers are given."""

    documents: Documents
    tokens: TokenEnds
    symbols: Symbols

    def cut(self, chunker: TextChunker | SymbolChunker) -> Chunks:
        """Return the chunks."""
        if isinstance(chunker, Syntax | Symbol):
            return chunker.cut(self.documents, self.tokens, self.symbols)
        return chunker.cut(self.documents, self.tokens)


def check(corpus: Cuttable, chunks: Chunks, chunker: TextChunker | SymbolChunker) -> None:
    """Check all that is promised."""
    check_lines(corpus, chunks)
    check_offsets(corpus, chunks)
    check_order(chunks)
    check_tokens(corpus, chunks, chunker)


def check_lines(corpus: Cuttable, chunks: Chunks) -> None:
    """Every line of every document is in a chunk: what is in none can never be found."""
    for document in range(len(corpus.documents)):
        own = chunks.document == document
        covered = {
            line
            for start, end in zip(chunks.start_line[own], chunks.end_line[own], strict=True)
            for line in range(start, end + 1)
        }
        size = corpus.documents.size(document)
        lines = len(corpus.documents.line_starts(document)) if size else 0
        assert covered == set(range(1, lines + 1))


def check_offsets(corpus: Cuttable, chunks: Chunks) -> None:
    """A chunk's bytes, lines and text are one and the same place."""
    contents = [
        corpus.documents.text(number).encode("utf-8", "surrogatepass")
        for number in range(len(corpus.documents))
    ]
    for place in range(len(chunks)):
        content = contents[int(chunks.document[place])]
        start, end = int(chunks.start_byte[place]), int(chunks.end_byte[place])
        text = content[start:end].decode("utf-8", "surrogatepass")
        assert text
        assert chunks.text(place, corpus.documents) == text
        assert chunks.start_line[place] == content[:start].count(b"\n") + 1
        assert chunks.end_line[place] == content[: end - 1].count(b"\n") + 1


def check_order(chunks: Chunks) -> None:
    """Chunks stand in the order of the documents: their numbers break ties."""
    keys = chunks.document.astype(np.int64) * 2**32 + chunks.start_byte
    assert np.all(np.diff(keys) > 0)


def check_tokens(corpus: Cuttable, chunks: Chunks, chunker: TextChunker | SymbolChunker) -> None:
    """A chunk has the tokens that start in it, and no more than its size.

    Only `symbol` makes larger ones, each a whole definition, and `file`.
    """
    for place in range(len(chunks)):
        document = int(chunks.document[place])
        starts = np.append(0, corpus.tokens.of(document))[:-1]
        inside = np.flatnonzero(
            (starts >= chunks.start_byte[place]) & (starts < chunks.end_byte[place])
        )
        stop = chunks.end_token[place]
        assert inside.tolist() == list(range(chunks.start_token[place], stop))
        if len(inside) > getattr(chunker, "size", len(starts)):
            assert isinstance(chunker, Symbol)
            assert np.any(
                (corpus.symbols.document == document)
                & (corpus.symbols.start_line >= chunks.start_line[place])
                & (corpus.symbols.end_line <= chunks.end_line[place])
            )
