"""One chunk per definition, whatever its size, and the rest of the file in chunks of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from retrievers.chunkers.breaks import Breaks, Layout, text_levels
from retrievers.chunkers.definitions import DefinedLines
from retrievers.chunkers.line_starts import LineStarts, before
from retrievers.chunkers.packing import Packing, pages_with_levels
from retrievers.chunkers.rows import Row, check_sizes, gathered
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import CODE_KINDS, Symbols

HOLDERS = ("class", "struct", "enum", "trait", "module", "namespace")
"""Kinds that are taken apart into the definitions that they hold; all others stay whole."""


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
        return gathered(self._rows(documents, tokens, symbols))

    def _rows(self, documents: Documents, tokens: TokenEnds, symbols: Symbols) -> Iterator[Row]:
        lines, layout = LineStarts.of(documents, tokens), Layout.of(documents)
        breaks = Breaks.at(lines, text_levels(documents, lines, layout))
        defined = DefinedLines.of(documents, lines, symbols, layout)
        whole = np.array(whole_definitions(symbols), np.int64)
        telling = ~layout.empty
        bounds = np.searchsorted(symbols.document[whole], np.arange(len(documents) + 1))
        bases = before(lines.stops)
        for page, own_levels in pages_with_levels(documents, tokens, breaks):
            own = whole[bounds[page.document] : bounds[page.document + 1]]
            base = int(bases[page.document])
            yield from _page_rows(
                Packing(page, own_levels, self.size, overlap=0),
                list(zip(*(at[own] - base for at in (defined.first, defined.stop)), strict=True)),
                int(np.argmax(telling[base : base + page.end])),
            )


def _page_rows(
    packing: Packing, definitions: Sequence[tuple[int, int]], first_telling: int
) -> Iterator[Row]:
    """Return a row for each definition and rows for the lines between them."""
    page, line = packing.page, 0
    for first, stop in definitions:
        if first > max(line, first_telling):
            yield from packing.rows(line, int(first))
            line = int(first)
        if stop > line:
            yield page.row(page.line_start(line), page.line_start(int(stop)))
            line = int(stop)
    if line < page.end:
        yield from packing.rows(line, page.end)


def whole_definitions(symbols: Symbols) -> list[int]:
    """Return the symbols that are chunks: the outermost that are not taken apart."""
    code = [number for number, kind in enumerate(symbols.kinds) if kind in CODE_KINDS]
    around: list[int] = []
    inside: set[int] = set()
    holding: set[int] = set()
    for number in code:
        while around and not _holds(symbols, around[-1], number):
            around.pop()
        if around:
            holding.add(around[-1])
            if around[-1] in inside or symbols.kinds[around[-1]] not in HOLDERS:
                inside.add(number)
        around.append(number)
    apart = {number for number in holding if symbols.kinds[number] in HOLDERS}
    return [number for number in code if number not in inside | apart]


def _holds(symbols: Symbols, outer: int, inner: int) -> bool:
    return bool(
        symbols.document[outer] == symbols.document[inner]
        and symbols.end_byte[outer] > symbols.start_byte[inner]
    )
