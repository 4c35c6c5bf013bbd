"""Finds the citations of an answer, which are `[#n]` in running text.

`[n]`, numbers in prose, and text in a code block or a code span are not citations.
"""

import re
from collections.abc import Iterator

_CITATION = re.compile(r"\[#([1-9][0-9]{0,8})\]")
_FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*(`{3,}|~{3,})")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_TICKS = re.compile(r"`+")


def citations(text: str) -> tuple[int, ...]:
    """Return the distinct numbers that a text cites, in order."""
    prose = _without_spans("\n".join(_outside_blocks(text)))
    found = (int(number) for number in _CITATION.findall(prose))
    return tuple(dict.fromkeys(found))


def _outside_blocks(text: str) -> Iterator[str]:
    """Yield the lines outside of code blocks. A fence without an end covers the rest."""
    fence, blank, listed = "", True, False
    for line in text.splitlines():
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line[opening.end() :].strip():
                fence = ""
            continue
        if opening and not ("`" in opening[1] and "`" in line[opening.end() :]):
            fence = opening[1]
            yield ""  # a code span ends at a block
            continue
        indented = _INDENTED.match(line) is not None
        if indented and blank and not listed:
            continue
        if line.strip() and not indented:
            listed = bool(_ITEM.match(line))
        blank = not line.strip()
        yield line


def _without_spans(text: str) -> str:
    """Return a text without its code spans, which have equally many backticks at both ends."""
    kept, place = [], 0
    while opening := _TICKS.search(text, place):
        paragraph = text.find("\n\n", opening.end())
        end = paragraph if paragraph >= 0 else len(text)
        closing = next(
            (one for one in _TICKS.finditer(text, opening.end(), end) if one[0] == opening[0]),
            None,
        )
        kept.append(text[place : opening.start() if closing else opening.end()])
        place = closing.end() if closing else opening.end()
    return "".join([*kept, text[place:]])
