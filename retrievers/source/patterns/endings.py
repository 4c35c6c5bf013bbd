"""The ends of definitions, by the five values of `blocks`."""

import re

from retrievers.source.patterns.beginnings import Begun
from retrievers.source.patterns.text import Text
from retrievers.source.rules import PatternRules

_DEEPEST = 100
_CLOSED = re.compile(rb"end[ \t]*([\w\x80-\xff.]*)")


def _close_by_indentation(rules: PatternRules, text: Text, begun: list[Begun]) -> None:
    """End definitions before the next line that is not deeper, or at this line if it is an end."""
    at = {one.line: one for one in begun}
    goes_on = tuple(word.encode() for word in rules.continues)
    opened: list[tuple[int, Begun]] = []
    last = 0
    for number, line in enumerate(text.lines):
        if line.indent < 0:
            continue
        first = text.cased(text.plain[line.start : line.start + 9])
        ends = first.startswith((b"end", b"@end", b"}"))
        continues = first.startswith((b")", b"]", b"{", *goes_on))
        while opened and _closes(first, continues, line.indent, *opened[-1]):
            indent, one = opened.pop()
            one.last = number if ends and indent == line.indent else last
        # A definition that ends in its first line does not use the next `end`.
        if number in at and text.cased(text.plain[line.end - 4 : line.end]) != b" end":
            opened.append((line.indent, at[number]))
        last = number
    for _, one in opened:
        one.last = last


def _closes(first: bytes, continues: bool, at: int, indent: int, one: Begun) -> bool:
    """Return whether a line with this beginning and indentation is outside a definition."""
    if one.keyword[:1] == b"@":
        return first.startswith(b"@end")
    return at <= indent and not continues


def _close_before_the_next(_rules: PatternRules, text: Text, begun: list[Begun]) -> None:
    follow = [*(one.line for one in begun[1:]), len(text.lines)]
    for one, following in zip(begun, follow, strict=False):
        one.last = _last_text(text, one.line, following)


def _last_text(text: Text, first: int, end: int) -> int:
    lines = (number for number in range(end - 1, first, -1) if text.lines[number].indent >= 0)
    return next(lines, first)


def _close_by_name(rules: PatternRules, text: Text, begun: list[Begun]) -> None:
    """End definitions at a line with `end`, alone or with their keyword or their name."""
    at = {one.line: one for one in begun}
    opened: list[Begun] = []
    for number, line in enumerate(text.lines):
        if number in at:
            lacks_body = rules.bodiless and text.at(line.end - 1) == rules.bodiless.encode()
            if not lacks_body and len(opened) < _DEEPEST:
                opened.append(at[number])
            continue
        closing = _CLOSED.match(text.cased(text.plain[line.start : line.start + 99]))
        if closing:
            _end(text, opened, closing.group(1), number)
    for one in opened:
        one.last = _last_text(text, one.line, len(text.lines))


def _end(text: Text, opened: list[Begun], what: bytes, line: int) -> None:
    for place in range(len(opened) - 1, -1, -1):
        one = opened[place]
        if what in (b"", one.keyword, text.cased(one.name)):
            for closed in opened[place:]:
                closed.last = line
            del opened[place:]
            return


def close_wholes(rules: PatternRules, text: Text, begun: list[Begun]) -> None:
    """Extend definitions such as `package` to the next one of them."""
    words = {word.encode() for word in rules.whole}
    wholes = [one for one in begun if one.keyword in words and one.last == one.line]
    follow = [*(one.line for one in wholes[1:]), len(text.lines)]
    for one, following in zip(wholes, follow, strict=False):
        one.last = _last_text(text, one.line, following)
        one.is_whole = True


CLOSERS = {
    "braces": _close_by_indentation,
    "indentation": _close_by_indentation,
    "name": _close_by_name,
    "next": _close_before_the_next,
    "parens": _close_by_indentation,
}
