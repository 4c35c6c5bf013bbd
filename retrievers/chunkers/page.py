"""The lines of a document while it is cut, and the places where a chunk can end."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from retrievers.chunkers.rows import Row
from retrievers.chunkers.tokens import starts_character

_ENDS_SENTENCE = np.isin(np.arange(256), np.frombuffer(b".!?;", np.uint8))


class Place(NamedTuple):
    """A place between two tokens; lines are counted from 0."""

    line: int
    byte: int
    token: int


@dataclass(frozen=True)
class Page:
    """The starts of a document's lines, followed by the end of the document."""

    document: int
    content: np.ndarray[Any, np.dtype[np.uint8]]
    token_ends: np.ndarray[Any, np.dtype[np.int32]]
    line_bytes: list[int]
    line_tokens: list[int]

    @property
    def end(self) -> int:
        """The number of lines, which is the index of the end."""
        return len(self.line_tokens) - 1

    def line_start(self, line: int) -> Place:
        """Return the start of a line, or the end of the document for `end`."""
        return Place(line, self.line_bytes[line], self.line_tokens[line])

    def begins_line(self, place: Place) -> bool:
        """Return whether `place` is the start of a line or the end of the document."""
        return place.byte == self.line_bytes[place.line]

    def last_line_within(self, token: int, *, after: int) -> int:
        """Return the last line that starts at or before `token`, but at least `after`."""
        return bisect_right(self.line_tokens, token, lo=after + 1) - 1

    def has_text(self, first: int, stop: int) -> bool:
        """Return whether the lines from `first` to before `stop` have more than white space."""
        lines = self.content[self.line_bytes[first] : self.line_bytes[stop]]
        return bool(lines.tobytes().strip())

    def row(self, start: Place, end: Place) -> Row:
        """Return the chunk between two places."""
        last = end.line + (not self.begins_line(end))
        return Row(
            self.document, start.byte, end.byte, start.line + 1, last, start.token, end.token
        )

    def row_of_lines(self, first: int, stop: int) -> Row:
        """Return the chunk of the lines from `first` to before `stop`."""
        byte, token = self.line_bytes, self.line_tokens
        return Row(
            self.document, byte[first], byte[stop], first + 1, stop, token[first], token[stop]
        )

    def resumed(self, start: Place, end: Place, *, size: int, overlap: int) -> Place:
        """Return the start of the chunk after the chunk from `start` to `end`.

        It is the first line that is at most `overlap` tokens before `end` and leaves room for a
        new line.
        """
        if not overlap or not self.begins_line(end):
            return end
        # Without room for a new line, the next chunk would end at the same line again, forever.
        new = self.line_tokens[end.line + 1] - end.token
        repeated = min(overlap, size - new)
        if repeated <= 0:
            return end
        line = bisect_left(self.line_tokens, end.token - repeated, lo=start.line + 1)
        return self.line_start(min(line, end.line))

    def inside(self, start: Place, size: int) -> Place:
        """Return the last place between characters that is at most `size` tokens after `start`."""
        token = start.token + size
        while not starts_character(self.content.data, int(self.token_ends[token - 1])):
            token -= 1
        return self._in_line(start.line, token)

    def inside_at_words(self, start: Place, size: int) -> Place:
        """Return the end of the last sentence within `size` tokens, else the end of the last word.

        Only the second half of the tokens is searched. If it has neither, the result is the last
        place between characters.
        """
        first, stop = start.token + size // 2, start.token + size
        begins = self.token_ends[first - 1 : stop]
        places = np.flatnonzero(self.content[begins] == ord(" "))
        ended = places[_ENDS_SENTENCE[self.content[begins[places] - 1]]]
        for found in (ended, places):
            if len(found):
                return self._in_line(start.line, first + int(found[-1]))
        return self.inside(start, size)

    def _in_line(self, line: int, token: int) -> Place:
        return Place(line, int(self.token_ends[token - 1]), token)
