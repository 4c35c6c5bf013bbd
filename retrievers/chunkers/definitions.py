"""The lines of each definition and their nesting, for chunkers."""

from dataclasses import dataclass

import numpy as np

from retrievers.chunkers.breaks import Breaks, Layout, text_levels
from retrievers.chunkers.line_starts import LineStarts, before
from retrievers.interface import Documents, Integers, TokenEnds
from retrievers.source import Symbols

_DEEPER = 10_000
"""More than any level by layout. A break outside a definition is stronger than all inside it."""


@dataclass(frozen=True)
class DefinedLines:
    """The first line of each symbol and the line after its last, counted across all documents.

    A definition includes its decorators, the comment right above it, and the empty lines and
    closing brackets below it.
    """

    first: Integers
    stop: Integers

    @classmethod
    def of(
        cls, documents: Documents, lines: LineStarts, symbols: Symbols, layout: Layout
    ) -> "DefinedLines":
        """Return the lines of all symbols."""
        base = before(lines.stops)[symbols.document]
        starts = np.append(np.flatnonzero(~layout.belongs_above), len(layout.empty))
        stop = base + symbols.end_line
        return cls(
            first=_tops_of_comments(documents, lines, layout)[base + symbols.start_line - 1],
            stop=np.minimum(starts[np.searchsorted(starts, stop)], lines.stops[symbols.document]),
        )


def _tops_of_comments(documents: Documents, lines: LineStarts, layout: Layout) -> Integers:
    """Return for each line the first of the `# ` comment lines right above it, or the line itself.

    The span of a definition already includes the comments above it, except in Python, where
    documentation is inside the definition. Its comments above still describe the definition.
    """
    content = np.append(documents.content, np.zeros(2, np.uint8))
    comment = (content[layout.shown] == ord("#")) & (content[layout.shown + 1] == ord(" "))
    numbers = np.arange(len(comment))
    above = np.maximum(numbers - 1, 0)
    joined = comment[above] & (layout.columns[above] == layout.columns) & ~layout.empty
    joined[lines.byte == 0] = False
    tops: Integers = np.maximum.accumulate(np.where(joined, 0, numbers))
    return tops


def definition_breaks(documents: Documents, tokens: TokenEnds, symbols: Symbols) -> Breaks:
    """Return the breaks between definitions, and the breaks of the text inside them."""
    lines, layout = LineStarts.of(documents, tokens), Layout.of(documents)
    defined = DefinedLines.of(documents, lines, symbols, layout)
    levels = text_levels(documents, lines, layout) + 1
    levels[defined.first] = layout.columns[defined.first]
    # The end of a definition is as strong a break as its start.
    ends = defined.stop < len(levels)
    stop = defined.stop[ends]
    strength = np.minimum(layout.columns[stop], layout.columns[defined.first[ends]])
    np.minimum.at(levels, stop, strength)
    levels += _DEEPER * depth_of_lines(defined, len(levels))
    return Breaks.at(lines, levels)


def depth_of_lines(defined: DefinedLines, count: int) -> Integers:
    """Return the number of definitions around each line that begin above the line."""
    changes = np.zeros(count + 2, np.int64)
    np.add.at(changes, defined.first + 1, 1)
    np.add.at(changes, np.maximum(defined.stop, defined.first + 1), -1)
    return np.cumsum(changes)[:count]
