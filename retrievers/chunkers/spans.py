"""Chunks that an external engine has given as lines. They may overlap."""

from typing import Any

import numpy as np

from retrievers.chunkers.line_starts import LineStarts
from retrievers.chunkers.page import Page
from retrievers.chunkers.rows import Row, gathered
from retrievers.interface import Chunks, Documents, TokenEnds


def chunks_of_lines(
    documents: Documents, tokens: TokenEnds, places: np.ndarray[Any, np.dtype[np.int32]]
) -> Chunks:
    """Return a chunk for each row of `places`: document, first line, last line (from 1)."""
    wanted = set(places[:, 0].tolist())
    pages = LineStarts.of(documents, tokens).pages(documents, tokens)
    known = {page.document: page for page in pages if page.document in wanted}
    return gathered(_row(known.get(number), number, start, end) for number, start, end in places)


def _row(page: Page | None, document: int, start: int, end: int) -> Row:
    if page is None:  # an empty document has one line without text
        return Row(document, 0, 0, 1, 1, 0, 0)
    return page.row(page.line_start(start - 1), page.line_start(end))
