"""Where texts of all kinds have their breaks: a level for each line, lower for a stronger break.

Code, configuration and plain text are read by their look: an empty line above and little
indentation make a strong break. Markdown and reStructuredText have headings, which are stronger.
"""

import re
from pathlib import PurePosixPath
from typing import Any

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Levels = np.ndarray[Any, np.dtype[np.int64]]

TAB = 4
NO_SPACE_ABOVE = 6
"""A line right below another is as weak a break as one after an empty line that stands 6 columns
further to the right: more than one step of indentation, and less than two of most."""
NOT_A_START = 500
"""Added for a line that closes something, or is empty: it belongs to what is above."""
FENCED = 1000
"""Added inside the code of a Markdown text, which is cut only if it must be."""
MOST_COLUMNS = 200
BELOW_HEADINGS = 10

MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".mdown", ".qmd", ".rmd"})
STRUCTURED = frozenset({".rst", ".rest"})

_HEADING = re.compile(rb" {0,3}(#{1,6})(?:[ \t]|\r?$)")
_FENCE = re.compile(rb"[ \t]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?$")
_NO_PARAGRAPH = re.compile(rb"[ \t]*(?:[-*+>|#]|\d+[.)][ \t]|\r?$)")
_ADORNMENT = re.compile(rb"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?$")
_BREAKS = np.full(2, ord("\n"), np.uint8)
_CLOSERS = np.frombuffer(b")]}", np.uint8)


def line_levels(path: str, content: Bytes, line_starts: Levels) -> Levels:
    """Return the level of each line of a file."""
    levels = layout_levels(content, line_starts)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix not in MARKDOWN | STRUCTURED:
        return levels
    levels += BELOW_HEADINGS
    lines = content.tobytes().split(b"\n")[: len(line_starts)]
    if suffix in MARKDOWN:
        _mark_fences(lines, levels)
        _mark_headings(lines, levels)
    else:
        _mark_titles(lines, levels)
    return levels


def layout_levels(content: Bytes, line_starts: Levels) -> Levels:
    """Return the levels that indentation, empty lines and closing brackets make."""
    shown = np.flatnonzero((content != ord(" ")) & (content != ord("\t")))
    first = np.append(shown, len(content))[np.searchsorted(shown, line_starts)]
    ends = np.append(line_starts[1:], len(content))
    letters, following = (np.append(content, _BREAKS)[first + n] for n in (0, 1))
    empty = (first >= ends) | (letters == ord("\n")) | (letters == ord("\r"))
    tabs = np.cumsum(np.append(0, content == ord("\t")))
    columns = first - line_starts + (TAB - 1) * (tabs[first] - tabs[line_starts])
    levels: Levels = np.minimum(columns, MOST_COLUMNS)
    levels[1:] += NO_SPACE_ABOVE * ~empty[:-1]
    closing = np.isin(letters, _CLOSERS) | ((letters == ord("<")) & (following == ord("/")))
    levels[empty | closing] += NOT_A_START
    return levels


def _mark_fences(lines: list[bytes], levels: Levels) -> None:
    """Make the inside of fenced code, and of front matter, weak."""
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


def _mark_headings(lines: list[bytes], levels: Levels) -> None:
    for number, line in enumerate(lines):
        if levels[number] >= FENCED:
            continue
        heading = _HEADING.match(line)
        if heading:
            levels[number] = len(heading[1])
            continue
        underline = _UNDERLINE.match(line) if number else None
        above = lines[number - 1]
        if underline and levels[number - 1] < FENCED and not _NO_PARAGRAPH.match(above):
            levels[number - 1] = 1 if underline[1].startswith(b"=") else 2
            levels[number] += NOT_A_START


def _mark_titles(lines: list[bytes], levels: Levels) -> None:
    """Rank the titles of reStructuredText: each kind of adornment by its first appearance."""
    kinds: dict[tuple[bytes, bool], int] = {}
    for number in range(len(lines) - 1):
        title, below = lines[number], _ADORNMENT.match(lines[number + 1])
        if not below or not title.strip() or _ADORNMENT.match(title):
            continue
        if len(lines[number + 1].rstrip()) < len(title.decode("utf-8", "replace").rstrip()):
            continue
        over = number > 0 and lines[number - 1].rstrip() == lines[number + 1].rstrip()
        depth = kinds.setdefault((below[1], over), min(len(kinds) + 1, BELOW_HEADINGS - 1))
        levels[number] += NOT_A_START * over
        levels[number + 1] += NOT_A_START
        levels[number - over] = depth
