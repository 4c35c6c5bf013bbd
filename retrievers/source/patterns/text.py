"""A source with blanked comments and strings, and with matched brackets."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from retrievers.source.rules import PatternRules

LONGEST_LINE = 400
"""Number of bytes of a line that are searched for the beginning of a definition."""
_TAB = 8
_BRACKETS = re.compile(rb"[()\[\]{}]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
_NEW_LINE = ord("\n")
_BLANK = bytes(byte if byte == _NEW_LINE else ord(" ") for byte in range(256))
SPACE = re.compile(rb"[ \t]*")


@dataclass(slots=True)
class Line:
    """A line of a source."""

    start: int
    end: int
    """Start and end of the text without white space; of the whole line if it has no text."""
    indent: int
    """The columns before the text; -1 without text."""


class Text:
    """A source with blanked comments and strings, and with matched brackets."""

    def __init__(self, rules: PatternRules, source: bytes) -> None:
        self.source = source
        self.any_case = rules.any_case
        self.plain = _quiet(rules).sub(lambda found: found.group().translate(_BLANK), source)
        self.pairs: dict[int, int] = {}
        self.braces: list[int] = []
        self._match_brackets()
        self.lines = list(self._read_lines())

    def _match_brackets(self) -> None:
        opened: dict[bytes, list[int]] = {closing: [] for closing in _CLOSING.values()}
        for found in _BRACKETS.finditer(self.plain):
            sign, place = found.group(), found.start()
            if sign == b"{":
                self.braces.append(place)
            if sign in _CLOSING:
                opened[_CLOSING[sign]].append(place)
            elif opened[sign]:
                self.pairs[opened[sign].pop()] = place

    def _read_lines(self) -> Iterator[Line]:
        start = 0
        for line in self.plain.split(b"\n"):
            kept = line.lstrip()
            space = line[: len(line) - len(kept)]
            # A blanked comment before a definition does not count as indentation.
            margin = self.source[start : start + min(len(space), LONGEST_LINE)]
            margin = margin[: len(margin) - len(margin.lstrip())]
            indent = len(margin.expandtabs(_TAB)) if kept else -1
            begin = start + len(space) if kept else start
            yield Line(begin, begin + len(kept.rstrip()) if kept else start + len(line), indent)
            start += len(line) + 1

    def with_braces(self) -> Iterator[tuple[Line, int]]:
        """Yield each line with the innermost opening brace around it, or -1."""
        opened, following = [(-1, len(self.plain) + 1)], 0
        for line in self.lines:
            while following < len(self.braces) and self.braces[following] < line.start:
                brace = self.braces[following]
                while opened[-1][1] < brace:
                    opened.pop()
                opened.append((brace, self.pairs.get(brace, len(self.plain))))
                following += 1
            while opened[-1][1] < line.start:
                opened.pop()
            yield line, opened[-1][0]

    def brace_after(self, place: int) -> int:
        """Return the position of the next opening brace, or the end of the source."""
        following = bisect_left(self.braces, place)
        return self.braces[following] if following < len(self.braces) else len(self.plain)

    def cased(self, word: bytes) -> bytes:
        """Return a word in the form for comparisons, in lower case if case does not matter."""
        return word.lower() if self.any_case else word

    def at(self, place: int) -> bytes:
        """Return the byte at a place, or empty bytes after the end."""
        return self.plain[place : place + 1]

    def past(self, pattern: re.Pattern[bytes], place: int, end: int) -> int:
        """Return the end of a match at this place, or the same place."""
        found = pattern.match(self.plain, place, max(place, end))
        return found.end() if found else place

    def past_brackets(self, place: int) -> int:
        """Return the position after the brackets that open at this place, or the same place."""
        return self.pairs.get(place, place - 1) + 1


@cache
def _quiet(rules: PatternRules) -> re.Pattern[bytes]:
    """Return the pattern of comments and strings. Without an end, they extend to the end of the
    line or file, so that a search never reads the same text twice."""
    between = [
        f"{re.escape(opening)}(?s:.*?)(?:{re.escape(closing)}|\\Z)"
        for opening, closing in rules.between
    ]
    # `$#` and `\\#` do not begin a comment.
    lines = [f"(?<![\\w$\\\\&{{]){re.escape(mark)}[^\\n]*" for mark in rules.comments]
    texts = [rf"{sign}(?:[^{sign}\\\n]|\\.)*+{sign}?" for sign in rules.quotes]
    return re.compile("|".join([*between, *lines, *texts]).encode())
