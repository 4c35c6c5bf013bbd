"""One chunk per definition, whatever its size, and the rest of the file in chunks of its own."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from retrievers.chunkers.breaks import Breaks, Layout, text_levels
from retrievers.chunkers.definitions import DefinedLines
from retrievers.chunkers.line_starts import Column, LineStarts
from retrievers.chunkers.packing import Packing, pages_with_levels
from retrievers.chunkers.rows import Row, check_sizes, gathered
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import CODE_KINDS, Symbols

HOLDERS = ("class", "struct", "enum", "trait", "module", "namespace")
"""Kinds that are taken apart into the definitions that they hold; all others stay whole."""


@dataclass(frozen=True)
class WholeDefinitions(Breaks):
    """The breaks of a repository, and the definitions in it that are chunks."""

    length: Column
    """How many lines the definition has that begins with this line; 0 where none begins."""


@dataclass(frozen=True)
class Symbol:
    """Makes a chunk of each function, method and type; what is left is packed up to `size`.

    A type that holds such definitions is not a chunk: what is around them is left. A function
    inside another belongs to it.
    """

    size: int = 512

    def __post_init__(self) -> None:
        """Refuse sizes that cannot be meant."""
        check_sizes(self.size, 0)

    def cut(self, documents: Documents, tokens: TokenEnds, symbols: Symbols) -> Chunks:
        """Return a chunk a definition, and those between them, in order."""
        return self.pack(documents, tokens, whole_definition_breaks(documents, tokens, symbols))

    def pack(self, documents: Documents, tokens: TokenEnds, whole: WholeDefinitions) -> Chunks:
        """Return the chunks, given the definitions that are chunks."""
        return gathered(self._rows(documents, tokens, whole))

    def _rows(
        self, documents: Documents, tokens: TokenEnds, whole: WholeDefinitions
    ) -> Iterator[Row]:
        begins = np.flatnonzero(whole.length)
        bounds = np.searchsorted(begins, np.append(0, whole.stops)).tolist()
        base = 0
        for page, levels in pages_with_levels(documents, tokens, whole):
            own = begins[bounds[page.document] : bounds[page.document + 1]]
            packing = Packing(page, levels, self.size, overlap=0)
            yield from _page_rows(packing, (own - base).tolist(), whole.length[own].tolist())
            base += page.end


def whole_definition_breaks(
    documents: Documents, tokens: TokenEnds, symbols: Symbols
) -> WholeDefinitions:
    """Return the definitions that are chunks; none begins inside another."""
    lines, layout = LineStarts.of(documents, tokens), Layout.of(documents)
    levels = text_levels(documents, lines, layout).astype(np.int32)
    defined = DefinedLines.of(documents, lines, symbols, layout)
    length, reached = np.zeros(len(levels), np.int32), 0
    for number in whole_definitions(symbols):
        first, stop = int(defined.first[number]), int(defined.stop[number])
        if stop > reached:  # two of them may share a line
            first = max(first, reached)
            length[first] = stop - first
            reached = stop
    return WholeDefinitions(lines.byte, lines.token, lines.stops, levels, length)


def _page_rows(packing: Packing, begins: list[int], lengths: list[int]) -> Iterator[Row]:
    """Return a row for each definition and rows for the lines between them."""
    page, line = packing.page, 0
    for begin, length in zip(begins, lengths, strict=True):
        if begin > line and page.has_text(line, begin):
            yield from packing.rows(line, begin)
            line = begin
        yield page.row_of_lines(line, begin + length)
        line = begin + length
    if line < page.end:
        yield from packing.rows(line, page.end)


def whole_definitions(symbols: Symbols) -> list[int]:
    """Return the symbols that are chunks: the outermost that are not taken apart."""
    code = [number for number, kind in enumerate(symbols.kinds) if kind in CODE_KINDS]
    document, start, end = (
        column.tolist() for column in (symbols.document, symbols.start_byte, symbols.end_byte)
    )
    around: list[int] = []
    inside: set[int] = set()
    apart: set[int] = set()
    for number in code:
        while around and (
            document[around[-1]] != document[number] or end[around[-1]] <= start[number]
        ):
            around.pop()
        if around and (around[-1] in inside or symbols.kinds[around[-1]] not in HOLDERS):
            inside.add(number)
        elif around:
            apart.add(around[-1])
        around.append(number)
    return [number for number in code if number not in inside | apart]
