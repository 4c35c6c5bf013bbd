"""Definitions by patterns, for languages without a grammar.

A definition begins a line with modifiers, a keyword and a name. It ends with its braces, its
indentation or an end line. Comments and strings are blanked first. The time is linear in the size
of any file: no pattern has nested repetitions, lines are read up to a limit, and brackets are
matched once for the whole file.
"""

from bisect import bisect_left

from retrievers.source.parsing import Definition, Found
from retrievers.source.patterns.beginnings import Beginnings, Begun
from retrievers.source.patterns.endings import CLOSERS, close_wholes
from retrievers.source.patterns.text import SPACE, Text
from retrievers.source.rules import PatternRules


def find_by_patterns(rules: PatternRules, source: bytes, most: int) -> Found:
    """Return the definitions of a source, at most `most` of them."""
    text = Text(rules, source)
    begun = list(Beginnings(rules, text).all(most))
    CLOSERS[rules.blocks](rules, text, begun)
    close_wholes(rules, text, begun)
    return Found([_definition(rules, text, one) for one in begun], [])


def _definition(rules: PatternRules, text: Text, one: Begun) -> Definition:
    end, body = _extent(rules, text, one)
    start, docs = _above(rules, text, one)
    name = one.name.strip(b".:").decode("utf-8", "replace")
    declared = text.lines[one.line].start
    signature = (declared, max(one.after, min(body, end)))
    return Definition(one.kind, name, "", start, end, signature, one.modifiers, "", docs)


def _extent(rules: PatternRules, text: Text, one: Begun) -> tuple[int, int]:
    """Return the end of a definition, and the start of its body."""
    first, end = text.lines[one.line], text.lines[one.last].end
    if rules.blocks == "parens":
        return text.pairs.get(first.start, end - 1) + 1, first.end
    if rules.blocks == "braces" and one.keyword[:1] != b"@" and not one.is_whole:
        place = text.past(SPACE, one.after, first.end)
        if text.at(place) in (b"(", b"[", rules.parameters.encode()):
            place = text.past_brackets(place)
        brace = bisect_left(text.braces, place)
        if brace < len(text.braces) and text.braces[brace] <= end:
            opening = text.braces[brace]
            return text.pairs.get(opening, end - 1) + 1, opening
    return end, first.end


def _above(rules: PatternRules, text: Text, one: Begun) -> tuple[int, list[tuple[int, int]]]:
    """Return the start of the comments and attributes directly above, and the comments."""
    start, docs = text.lines[one.line].start, list[tuple[int, int]]()
    marks = tuple(mark.encode() for mark in rules.attributes)
    for number in range(one.line - 1, -1, -1):
        line = text.lines[number]
        said = text.source[line.start : line.end].lstrip()
        is_comment = line.indent < 0 and bool(said.strip())
        if not is_comment and not said.startswith(marks or (b"\n",)):
            break
        start = line.end - len(said)
        if is_comment:
            docs.append((start, start + len(said.rstrip())))
    return start, docs[::-1]
