"""The signature and the documentation of a definition, as plain text."""

import inspect
import re
from collections.abc import Sequence

LONGEST_SIGNATURE = 300
LONGEST_DOC = 2_000
_READ = 4
"""Maximum bytes that are read per kept letter."""

_QUOTES = re.compile(r"""[A-Za-z]*("{3}|'{3}|"|')""")
_OPENING = re.compile(r"\s*(?:/\*+[!<]?|//[/!]*<?|\*+(?!/)|#+!?)[ \t]?")
_LEFT_OVER = " {=\\"
"""Characters between a declaration and its body, which are removed."""
_FENCE = re.compile(r"=(?:begin|end)\b")
_RULE = re.compile(r"[-=*/#~_+\s]*")


def signature(source: bytes, start: int, end: int) -> str:
    """Return a declaration up to its body, on one line."""
    text = source[start : min(end, start + _READ * LONGEST_SIGNATURE)].decode("utf-8", "replace")
    return " ".join(text.split()).rstrip(_LEFT_OVER)[:LONGEST_SIGNATURE]


def doc(source: bytes, ranges: Sequence[tuple[int, int]], noise: str = "") -> str:
    """Return a docstring, or the comments above a definition, without their marks.

    Matches of the regular expression `noise` are also removed.
    """
    texts: list[str] = []
    left = _READ * LONGEST_DOC
    for start, end in ranges:
        text = source[start : min(end, start + left)].decode("utf-8", "replace")
        texts.append(re.sub(noise, "", _plain(text)).strip() if noise else _plain(text))
        left -= end - start
        if left <= 0:
            break
    return "\n".join(text for text in texts if text)[:LONGEST_DOC].strip()


def _plain(text: str) -> str:
    text = text.replace("\r\n", "\n")
    quotes = _QUOTES.match(text)
    if quotes:
        return inspect.cleandoc(text[quotes.end() :].removesuffix(quotes.group(1)))
    lines = [_without_marks(line) for line in text.split("\n")]
    kept = ["" if _RULE.fullmatch(line) else line for line in lines if not _FENCE.match(line)]
    return inspect.cleandoc("\n".join(kept))


def _without_marks(line: str) -> str:
    # No regular expression for the end: it takes quadratic time on a line of spaces or stars.
    kept = line.rstrip()
    if kept.endswith("*/"):
        kept = kept[:-2].rstrip("*").rstrip()
    opening = _OPENING.match(kept)
    return kept[opening.end() :] if opening else kept
