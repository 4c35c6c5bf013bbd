"""Parts of a query: the title, prose, code blocks and traceback frames of an issue."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from retrievers.reading.tracebacks import frame_of, is_head, shows_source

PartName = Literal["title", "prose", "code", "frames"]
PARTS: tuple[PartName, ...] = get_args(PartName)
WEIGHTS: Mapping[PartName, float] = MappingProxyType(
    {"title": 2.0, "prose": 1.0, "code": 1.0, "frames": 0.5}
)
"""Weight of a word by the part that it is in."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"\b(?:https?|ftp|ssh|git)://[^\s)>\]}\"'`]+|\bwww\.[^\s)>\]}\"'`]+")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_PROMPT = re.compile(r"^\s{0,3}(?:>>> |\.\.\. |In \[\d+\]: |\$ )")
_INDENTED = re.compile(r"^(?: {4}|\t)\s*\S")
_LONGEST_TITLE = 25


@dataclass(frozen=True, slots=True)
class Part:
    """Text of all pieces of one kind, and the weight of each of its distinct words."""

    name: PartName
    text: str
    weight: float


def parts_of(query: str, *, is_issue: bool) -> tuple[Part, ...]:
    """Return the parts of a query with text, without web addresses and HTML comments."""
    lines = [*_labelled(without_addresses(query).splitlines())]
    if is_issue:
        lines = _titled(lines)
    texts = {
        name: "\n".join(text for label, text in lines if label == name).strip() for name in PARTS
    }
    return tuple(Part(name, text, WEIGHTS[name]) for name, text in texts.items() if text)


def without_addresses(text: str) -> str:
    """Return a text without web addresses and without HTML comments, which readers do not see."""
    return _ADDRESS.sub(" ", _COMMENT.sub(" ", text))


def _labelled(lines: list[str]) -> Iterator[tuple[PartName, str]]:
    """Yield each line with its part, without the fences of code blocks."""
    fence, previous, after_blank = "", "", True
    for line in lines:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif frame_of(line) or is_head(line) or shows_source(line, previous):
            yield "frames", line
        elif fence or _PROMPT.match(line) or (after_blank and _INDENTED.match(line)):
            yield "code", line
        else:
            yield "prose", line
        # A line after an indented block belongs to it as long as it is also indented.
        after_blank = not line.strip() or (after_blank and bool(_INDENTED.match(line)))
        previous = line


def _titled(lines: list[tuple[PartName, str]]) -> list[tuple[PartName, str]]:
    """Return the lines of an issue; a short first line of prose becomes the title."""
    place = next((number for number, (_, text) in enumerate(lines) if text.strip()), None)
    if place is None or lines[place][0] != "prose":
        return lines
    rest = any(text.strip() for _, text in lines[place + 1 :])
    if not rest or len(lines[place][1].split()) > _LONGEST_TITLE:
        return lines
    return [*lines[:place], ("title", lines[place][1].lstrip("# ")), *lines[place + 1 :]]
