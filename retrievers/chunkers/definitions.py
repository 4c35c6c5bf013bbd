"""What chunkers ask of a repository's symbols: the lines of each definition, and its nesting."""

from dataclasses import dataclass

import numpy as np

from retrievers.chunkers.breaks import Breaks, Layout, text_levels
from retrievers.chunkers.line_starts import LineStarts, before
from retrievers.interface import Documents, Integers, TokenEnds
from retrievers.source import Symbols

_DEEPER = 10_000
"""More than any level of a line by its look: no break inside a definition is as strong as one
outside."""


@dataclass(frozen=True)
class DefinedLines:
    """The first line of each symbol and the line after its last, counted over all documents.

    A definition starts with its decorators and the comment right above it; what only closes
    something below it, and empty lines, belong to it.
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
    """Return for each line the first of the comment lines right above it that begin with `# `.

    Comments above a definition are in its span already, but for Python's: its documentation is
    elsewhere, and yet they speak of what is below.
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
    """Return the breaks between definitions, and inside them those of the text."""
    lines, layout = LineStarts.of(documents, tokens), Layout.of(documents)
    defined = DefinedLines.of(documents, lines, symbols, layout)
    levels = text_levels(documents, lines, layout) + 1
    levels[defined.first] = layout.columns[defined.first]
    # A definition ends with a break as strong as the one that it begins with.
    ends = defined.stop < len(levels)
    stop = defined.stop[ends]
    strength = np.minimum(layout.columns[stop], layout.columns[defined.first[ends]])
    np.minimum.at(levels, stop, strength)
    levels += _DEEPER * depth_of_lines(defined, len(levels))
    return Breaks.at(lines, levels)


def depth_of_lines(defined: DefinedLines, count: int) -> Integers:
    """Return in how many definitions each line is, without those that begin with it."""
    changes = np.zeros(count + 2, np.int64)
    np.add.at(changes, defined.first + 1, 1)
    np.add.at(changes, np.maximum(defined.stop, defined.first + 1), -1)
    return np.cumsum(changes)[:count]
