"""The breaks of texts: each line has a level, which is lower for a stronger break.

In code, configuration and plain text, an empty line above and little indentation make a strong
break. The headings of Markdown and reStructuredText are stronger. Breaks do not depend on the
size of chunks, so they are computed once for all sizes.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from retrievers.chunkers.line_starts import Column, LineStarts, whole_line_starts
from retrievers.chunkers.prose import BELOW_HEADINGS, markdown_levels, structured_levels
from retrievers.interface import Documents, Integers, TokenEnds

TAB = 4
"""Columns of a tab."""
NO_SPACE_ABOVE = 6
"""Columns added to a line without an empty line above: more than one step of indentation, and in
most styles less than two."""
NOT_A_START = 500
"""Added for a line that is empty or closes a block, since it belongs to the lines above."""
MOST_COLUMNS = 200
"""Limit of the indentation, in columns."""

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

_READERS = {
    ".md": markdown_levels,
    ".markdown": markdown_levels,
    ".mdx": markdown_levels,
    ".qmd": markdown_levels,
    ".rmd": markdown_levels,
    ".rst": structured_levels,
    ".rest": structured_levels,
}
_IS_BLANK = np.isin(np.arange(256), [ord(" "), ord("\t")])
_NOT_BLANK = re.compile(rb"[^ \t]")
_BREAKS = np.full(2, ord("\n"), np.uint8)
_CLOSERS = np.frombuffer(b")]}", np.uint8)


@dataclass(frozen=True)
class Breaks(LineStarts):
    """The lines of a repository with their levels. A lower level is a better start of a chunk."""

    level: Column

    @classmethod
    def at(cls, lines: LineStarts, levels: Integers) -> "Breaks":
        """Return these lines with their levels."""
        return cls(lines.byte, lines.token, lines.stops, levels.astype(np.int32))


@dataclass(frozen=True)
class Layout:
    """The layout of the lines of a repository."""

    shown: Integers
    """The position of the first visible character of each line, in the buffer of all documents."""
    columns: Integers
    """The indentation of each line, at most `MOST_COLUMNS`."""
    empty: np.ndarray[Any, np.dtype[np.bool_]]
    closing: np.ndarray[Any, np.dtype[np.bool_]]
    """Whether a line begins with a closing bracket or an end tag."""

    @classmethod
    def of(cls, documents: Documents) -> "Layout":
        """Return the layout of all lines."""
        content, starts = documents.content, whole_line_starts(documents)
        first = _first_letters(content, starts)
        padded = np.append(content, _BREAKS)
        letters, following = padded[first], padded[first + 1]
        tabs = np.searchsorted(np.flatnonzero(content == ord("\t")), [starts, first])
        # Each tab of the indentation is one byte but TAB columns.
        columns = first - starts + (TAB - 1) * (tabs[1] - tabs[0])
        ends = np.append(starts[1:], len(content))
        end_tag = (letters == ord("<")) & (following == ord("/"))
        return cls(
            shown=first,
            columns=np.minimum(columns, MOST_COLUMNS),
            empty=(first >= ends[: len(starts)]) | (letters == ord("\n")) | (letters == ord("\r")),
            closing=np.isin(letters, _CLOSERS) | end_tag,
        )

    @property
    def belongs_above(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether a line is empty or closes a block: a chunk should not begin with it."""
        return self.empty | self.closing

    @property
    def levels(self) -> Integers:
        """The level of each line by its layout alone."""
        crowded = ~np.append(True, self.empty)[: len(self.empty)]
        weakness = NO_SPACE_ABOVE * crowded + NOT_A_START * self.belongs_above
        levels: Integers = self.columns + weakness
        return levels


def _first_letters(content: Bytes, starts: Integers) -> Integers:
    """Return the position after the leading blanks of each line, which may be in a later line."""
    first = starts.copy()
    left = np.flatnonzero(_IS_BLANK[content[first]])
    for _ in range(MOST_COLUMNS):
        if not len(left):
            return first
        first[left] += 1
        left = left[first[left] < len(content)]
        left = left[_IS_BLANK[content[first[left]]]]
    # Few lines are indented further, but a hostile line may have millions of blanks.
    for line in left.tolist():
        found = _NOT_BLANK.search(content.data, int(first[line]))
        first[line] = found.start() if found else len(content)
    return first


def text_breaks(documents: Documents, tokens: TokenEnds) -> Breaks:
    """Return the breaks of the texts, without definitions."""
    lines = LineStarts.of(documents, tokens)
    return Breaks.at(lines, text_levels(documents, lines, Layout.of(documents)))


def text_levels(documents: Documents, lines: LineStarts, layout: Layout) -> Integers:
    """Return the level of each line by its layout and by the headings of prose."""
    levels = layout.levels
    for document, path in enumerate(documents.paths):
        read = _READERS.get(PurePosixPath(path).suffix.lower())
        stop = int(lines.stops[document])
        first = int(lines.stops[document - 1]) if document else 0
        if read and stop > first:
            levels[first:stop] += BELOW_HEADINGS
            content = documents.text(document).encode("utf-8", "surrogatepass")
            read(content.split(b"\n")[: stop - first], levels[first:stop])
    return levels
