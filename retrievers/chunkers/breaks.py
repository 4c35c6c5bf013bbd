"""Where texts have their breaks: a level for each line, lower for a stronger break.

Code, configuration and plain text are read by their look: an empty line above and little
indentation make a strong break. Markdown and reStructuredText have headings, which are stronger.
Breaks are found once, whatever sizes are cut from them.
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
NO_SPACE_ABOVE = 6
"""A line right below another is as weak a break as one after an empty line, indented 6 columns
further to the right: more than one step of indentation, and less than two of most."""
NOT_A_START = 500
"""Added for a line that closes something, or is empty: it belongs to what is above."""
MOST_COLUMNS = 200

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
    """The lines of a repository, and how bad it is to begin a chunk with each."""

    level: Column

    @classmethod
    def at(cls, lines: LineStarts, levels: Integers) -> "Breaks":
        """Return these lines with their levels."""
        return cls(lines.byte, lines.token, lines.stops, levels.astype(np.int32))


@dataclass(frozen=True)
class Layout:
    """How the lines of a repository look."""

    shown: Integers
    """The position of each line's first letter in the buffer of all documents."""
    columns: Integers
    """How far each line is indented."""
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
        """Whether a line says nothing of its own: no chunk should begin with it."""
        return self.empty | self.closing

    @property
    def levels(self) -> Integers:
        """The level of each line by its look alone."""
        crowded = ~np.append(True, self.empty)[: len(self.empty)]
        weakness = NO_SPACE_ABOVE * crowded + NOT_A_START * self.belongs_above
        levels: Integers = self.columns + weakness
        return levels


def _first_letters(content: Bytes, starts: Integers) -> Integers:
    """Return where the blanks at the start of each line end, which may be further lines down."""
    first = starts.copy()
    left = np.flatnonzero(_IS_BLANK[content[first]])
    for _ in range(MOST_COLUMNS):
        if not len(left):
            return first
        first[left] += 1
        left = left[first[left] < len(content)]
        left = left[_IS_BLANK[content[first[left]]]]
    # Few lines are indented further; hostile ones by millions of blanks.
    for line in left.tolist():
        found = _NOT_BLANK.search(content.data, int(first[line]))
        first[line] = found.start() if found else len(content)
    return first


def text_breaks(documents: Documents, tokens: TokenEnds) -> Breaks:
    """Return the breaks that the texts themselves have."""
    lines = LineStarts.of(documents, tokens)
    return Breaks.at(lines, text_levels(documents, lines, Layout.of(documents)))


def text_levels(documents: Documents, lines: LineStarts, layout: Layout) -> Integers:
    """Return the level of each line, by its look and by the headings of prose."""
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
