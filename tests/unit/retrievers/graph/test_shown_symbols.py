"""A symbol's score goes to the chunk that shows it."""

import numpy as np

from retrievers.chunkers import File, token_ends
from retrievers.graph.scoring import Scored
from retrievers.graph.shown_symbols import chunk_of_symbols, chunk_scores
from retrievers.interface import Chunks, Documents
from retrievers.source import Symbols, find_symbols

FIRST = "def first():\n" + "    step()\n" * 6
SECOND = "def second():\n" + "    step()\n" * 60


def cut(*texts: str) -> tuple[Documents, Symbols]:
    documents = Documents.of([(f"{place}.py", text) for place, text in enumerate(texts)])
    return documents, find_symbols(documents)


def chunks_at(document: list[int], start: list[int], end: list[int]) -> Chunks:
    none = np.zeros(len(document), np.int32)
    return Chunks(
        np.array(document, np.int32),
        np.array(start, np.int32),
        np.array(end, np.int32),
        start_line=none,
        end_line=none,
        start_token=none,
        end_token=none,
    )


def test_a_symbol_is_shown_where_it_begins() -> None:
    documents, symbols = cut(FIRST, SECOND)

    found = chunk_of_symbols(symbols, File().cut(documents, token_ends(documents)))

    assert found.tolist() == [0, 1]


def test_a_symbol_that_only_begins_at_the_end_of_a_chunk_is_shown_in_the_next() -> None:
    _, symbols = cut(FIRST + SECOND)
    begins = len(FIRST)
    chunks = chunks_at([0, 0, 0], [0, begins + 14, begins + 500], [begins + 14, begins + 500, 800])

    found = chunk_of_symbols(symbols, chunks)

    assert found.tolist() == [0, 1]


def test_a_symbol_beyond_the_chunks_of_its_document_has_no_home() -> None:
    _, symbols = cut("x = 1\n", FIRST)

    found = chunk_of_symbols(symbols, chunks_at([0], [0], [6]))

    assert found.tolist()[-1] == -1
    assert chunk_of_symbols(symbols, chunks_at([], [], [])).tolist() == [-1] * len(symbols)


def test_a_chunk_has_the_score_of_its_best_symbol() -> None:
    scored = Scored(np.array([2, 0, 1]), np.array([0.9, 0.5, 0.4]), {})

    scores = chunk_scores(scored, np.array([1, 1, -1]), 3)

    assert scores.tolist() == [0, 0.5, 0]
