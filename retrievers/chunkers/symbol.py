"""The chunker with one chunk per definition of any size, and chunks for the rest of the file."""

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
"""Kinds that are split into their inner definitions. All other kinds stay whole."""


@dataclass(frozen=True)
class WholeDefinitions(Breaks):
    """The breaks of a repository, and the definitions that become chunks."""

    length: Column
    """The number of lines of the definition that begins with each line; 0 if none begins."""


@dataclass(frozen=True)
class Symbol:
    """Makes a chunk of each function, method and type. The rest is packed up to `size` tokens.

    A type with inner definitions is not a chunk: its other lines belong to the rest. A function
    inside another function belongs to the outer one.
    """

    size: int = 512

    def __post_init__(self) -> None:
        """Raise an error for a size out of range."""
        check_sizes(self.size, 0)

    def cut(self, documents: Documents, tokens: TokenEnds, symbols: Symbols) -> Chunks:
        """Return the chunks of the definitions and of the lines between them, in order."""
        return self.pack(documents, tokens, whole_definition_breaks(documents, tokens, symbols))

    def pack(self, documents: Documents, tokens: TokenEnds, whole: WholeDefinitions) -> Chunks:
        """Return the chunks, given the definitions that become chunks."""
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
    """Return the breaks and the definitions that become chunks, which do not overlap."""
    lines, layout = LineStarts.of(documents, tokens), Layout.of(documents)
    levels = text_levels(documents, lines, layout).astype(np.int32)
    defined = DefinedLines.of(documents, lines, symbols, layout)
    length, reached = np.zeros(len(levels), np.int32), 0
    for number in whole_definitions(symbols):
        first, stop = int(defined.first[number]), int(defined.stop[number])
        if stop > reached:  # two definitions may share a line
            first = max(first, reached)
            length[first] = stop - first
            reached = stop
    return WholeDefinitions(lines.byte, lines.token, lines.stops, levels, length)


def _page_rows(packing: Packing, begins: list[int], lengths: list[int]) -> Iterator[Row]:
    """Yield a row for each definition, and rows for the lines between them."""
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
    """Return the symbols that become chunks: the outermost ones that are not split."""
    code = [number for number, kind in enumerate(symbols.kinds) if kind in CODE_KINDS]
    document, start, end = (
        column.tolist() for column in (symbols.document, symbols.start_byte, symbols.end_byte)
    )
    # `around` is the stack of definitions around the current one, outermost first.
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
