"""Documents of lines that are all as long as each other, so that cases can be thought in lines.

A line has as many tokens as characters and no white space: what holds for lines then holds for
characters and tokens.
"""

from collections.abc import Sequence

import numpy as np

from bench.measures import Characters, Rule, SymbolCredit
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, TokenEnds

WIDTH = 10
"""Characters, and tokens, of a line."""


def even_text(documents: int, lines: int) -> tuple[Characters, TokenEnds]:
    """Return documents of this many lines."""
    size = lines * WIDTH
    texts = Documents.of([(f"{number:05}", "x" * size) for number in range(documents)])
    ends = np.tile(np.arange(1, size + 1, dtype=np.int32), documents)
    return Characters(texts), TokenEnds(ends, np.arange(1, documents + 1, dtype=np.int64) * size)


def even_rule(
    documents: int, lines: int, overlap: float = 0.5, credit: SymbolCredit = "strict"
) -> Rule:
    """Return a rule for documents of this many lines."""
    return Rule(even_text(documents, lines)[0], overlap, credit)


def chunks_of(rows: list[tuple[int, int, int]]) -> Chunks:
    """Return chunks from (document, first line, last line)."""
    document, start, end = np.array(rows, np.int32).reshape(-1, 3).T
    bounds = ((start - 1) * WIDTH, end * WIDTH)
    return Chunks(document, *bounds, start, end, *bounds)


def judged_lines(rows: Sequence[tuple[int, ...]]) -> Judgements:
    """Return judgements from (query, level, document, first line, last line, grade[, choice])."""
    table = np.array(rows, np.int32)
    table = table.reshape(-1, table.shape[1] if rows else 6).T
    query, level, document, start, end, *rest = table
    return Judgements(query, level, document, (start - 1) * WIDTH, end * WIDTH, *rest)
