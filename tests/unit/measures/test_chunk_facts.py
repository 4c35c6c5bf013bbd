"""What chunks are made of a repository, by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bench.measures import ChunkFacts, chunk_numbers
from retrievers.chunkers import File, Lines, Syntax
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import find_symbols

ONE = "def one():\n    return 1\n"
"""Lines of 11 and 13 letters, and as many tokens."""


def cut(chunker: Lines | File | Syntax, *texts: str) -> tuple[Chunks, ChunkFacts]:
    """Return the chunks of files in which every byte is a token, and their facts."""
    documents = Documents.of([(f"{number}.py", text) for number, text in enumerate(texts)])
    sizes = [documents.size(number) for number in range(len(documents))]
    ends = [np.arange(1, size + 1, dtype=np.int32) for size in sizes]
    tokens = TokenEnds(np.concatenate([np.zeros(0, np.int32), *ends]), np.cumsum(sizes, dtype=int))
    symbols = find_symbols(documents)
    if isinstance(chunker, Syntax):
        chunks = chunker.cut(documents, tokens, symbols)
    else:
        chunks = chunker.cut(documents, tokens)
    return chunks, ChunkFacts.of(chunks, documents, tokens, symbols)


def test_a_definition_that_no_chunk_has_whole_is_cut() -> None:
    """The second function loses its body: 11 + 13 + 6 + 11 tokens fit."""
    _, facts = cut(Lines(41), ONE + "a = 1\n" + ONE)

    assert (facts.definitions, facts.cut_definitions) == (2, 1)


def test_overlap_can_save_a_definition() -> None:
    """The chunk that repeats its first line has it whole."""
    _, facts = cut(Lines(41, 12), ONE + "a = 1\n" + ONE)

    assert (facts.definitions, facts.cut_definitions) == (2, 0)


def test_cutting_between_definitions_cuts_none() -> None:
    """Where each fits."""
    _, facts = cut(Syntax(40), ONE + "a = 1\n" + ONE, ONE)

    assert (facts.definitions, facts.cut_definitions) == (3, 0)


def test_a_chunk_within_another_cuts_no_definition() -> None:
    """External engines may return the whole file and a part of it."""
    documents = Documents.of([("a.py", "answer = 4 * 10\n" + ONE)])
    tokens = TokenEnds(np.arange(1, 41, dtype=np.int32), np.array([40]))
    whole, part = (File().cut(documents, tokens), Lines(16).cut(documents, tokens))
    columns: dict[str, Any] = {
        name: np.concatenate([column, getattr(part, name)[:1]])
        for name, column in vars(whole).items()
    }
    nested = Chunks(**columns)

    facts = ChunkFacts.of(nested, documents, tokens, find_symbols(documents))

    assert (facts.definitions, facts.cut_definitions) == (1, 0)


def test_chunks_with_the_same_text_are_duplicates() -> None:
    """Two of three files are the same; an empty one has no chunk."""
    _, facts = cut(File(), ONE, "", ONE, "a = 1\n")

    assert facts.duplicates == 1
    assert facts.tokens.tolist() == [24, 24, 6]


def test_lines_in_no_chunk_are_not_covered() -> None:
    """Chunkers cover all, so a chunk is taken away here."""
    documents = Documents.of([("a.py", "a\nb\nc\n"), ("b.py", "d\ne")])
    tokens = TokenEnds(np.array([2, 4, 6, 2, 3], np.int32), np.array([3, 5]))
    chunks = File().cut(documents, tokens)
    first = Chunks(**{name: column[:1] for name, column in vars(chunks).items()})

    facts = ChunkFacts.of(first, documents, tokens, find_symbols(documents))

    assert (facts.lines, facts.covered_lines) == (5, 3)


def test_numbers_are_over_all_repositories() -> None:
    """Ten chunks of 10 tokens and ten of 20: what the files have, 250, plus 50 repeated."""
    ten = ChunkFacts(np.full(10, 10, np.int32), 90, 40, 30, 4, 1, 2)
    twenty = replace(ten, tokens=np.full(10, 20, np.int32), document_tokens=160, definitions=0)

    found = chunk_numbers([ten, twenty])

    assert found == {
        "chunks": 20,
        "tokens_mean": 15.0,
        "tokens_p50": 15.0,
        "tokens_p95": 20.0,
        "tokens_max": 20,
        "cut_definition_share": pytest.approx(2 / 4),
        "covered_line_share": pytest.approx(60 / 80),
        "duplicate_share": pytest.approx(4 / 20),
        "repeated_token_share": pytest.approx(50 / 300),
    }


def test_no_chunks_have_no_shares() -> None:
    """Nothing was measured, which is not zero."""
    _, facts = cut(File())

    found = chunk_numbers([facts])

    assert found["chunks"] == 0
    assert {found[name] for name in found if name != "chunks"} == {None}
