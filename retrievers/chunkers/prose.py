"""The headings of Markdown and reStructuredText, and code in prose, as levels of lines."""

import re

from retrievers.interface import Integers

BELOW_HEADINGS = 10
"""The strongest level of a line that is not a heading."""
FENCED = 1000
"""Added inside fenced code of Markdown, which is cut only if necessary."""
UNDERLINING = 500
"""Added for the line below a heading, and for the heading below its overline."""

_HEADING = re.compile(rb" {0,3}(#{1,6})(?:[ \t]|\r?$)")
_FENCE = re.compile(rb"[ \t]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?$")
_NO_PARAGRAPH = re.compile(rb"[ \t]*(?:[-*+>|#]|\d+[.)][ \t]|\r?$)")
_ADORNMENT = re.compile(rb"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?$")


def markdown_levels(lines: list[bytes], levels: Integers) -> None:
    """Set the levels of Markdown headings, and raise the levels inside fenced code."""
    _mark_fences(lines, levels)
    for number, line in enumerate(lines):
        if levels[number] >= FENCED:
            continue
        heading = _HEADING.match(line)
        if heading:
            levels[number] = len(heading[1])
        elif number and _underlines(line, lines[number - 1], levels[number - 1]):
            levels[number - 1] = 1 if b"=" in line else 2
            levels[number] += UNDERLINING


def _underlines(line: bytes, above: bytes, level: int) -> bool:
    return bool(_UNDERLINE.match(line)) and level < FENCED and not _NO_PARAGRAPH.match(above)


def _mark_fences(lines: list[bytes], levels: Integers) -> None:
    """Raise the levels inside fenced code and front matter."""
    fence = b"---" if lines[0].rstrip() == b"---" else b""
    for number, line in enumerate(lines):
        if not fence:
            opening = _FENCE.match(line)
            fence = opening[1] if opening else b""
        elif number:
            levels[number] += FENCED
            bare = line.strip()
            if bare.startswith(fence) and not bare.strip(fence[:1]):
                fence = b""


def structured_levels(lines: list[bytes], levels: Integers) -> None:
    """Set the levels of reStructuredText titles. Adornments rank in the order of appearance."""
    known: dict[tuple[bytes, bool], int] = {}
    for number in range(len(lines) - 1):
        adornment = _adornment(lines[number], lines[number + 1])
        if not adornment:
            continue
        over = number > 0 and lines[number - 1].rstrip() == lines[number + 1].rstrip()
        depth = known.setdefault((adornment, over), min(len(known) + 1, BELOW_HEADINGS - 1))
        levels[number] += UNDERLINING * over
        levels[number + 1] += UNDERLINING
        levels[number - over] = depth


def _adornment(title: bytes, below: bytes) -> bytes:
    """Return the character that underlines a title, or empty bytes if there is no title."""
    found = _ADORNMENT.match(below)
    if not found or not title.strip() or _ADORNMENT.match(title):
        return b""
    wide = len(title.decode("utf-8", "replace").rstrip())
    return found[1] if len(below.rstrip()) >= wide else b""
