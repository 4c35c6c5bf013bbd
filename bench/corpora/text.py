"""Decoding of files to text, and detection of files that are not text."""

import codecs
import re

_DECLARED = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_COMMENT_OR_BLANK = re.compile(rb"^[ \t\f]*(#.*)?\r?$")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PROBE_BYTES = 8192
# Decoders that take quadratic time on hostile input or interpret escapes in plain text.
_REFUSED = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7"})


def holds_nul(content: bytes) -> bool:
    """Return True for a NUL byte in the first 8 KiB, except in UTF-16 text."""
    return not content.startswith(_UTF16_MARKS) and b"\0" in content[:_PROBE_BYTES]


def decode(content: bytes, *, is_python: bool = False) -> str | None:
    """Return the text of a file with its line endings, or None if it cannot be decoded."""
    if content.startswith(codecs.BOM_UTF8):
        return _decoded(content, "utf-8-sig")
    if content.startswith(_UTF16_MARKS):
        text = _decoded(content, "utf-16")
        return None if text is None or "\0" in text else text
    declared = _declared_encoding(content) if is_python else ""
    encodings = (declared, "utf-8", "cp1252") if declared else ("utf-8", "cp1252")
    texts = (_decoded(content, encoding) for encoding in encodings)
    return next((text for text in texts if text is not None), None)


def _declared_encoding(content: bytes) -> str:
    """Return the encoding from a PEP 263 declaration in the first two lines, or ""."""
    for line in content[:_PROBE_BYTES].split(b"\n", 2)[:2]:
        found = _DECLARED.match(line)
        if found:
            return _allowed(found.group(1).decode("ascii"))
        if not _COMMENT_OR_BLANK.match(line):
            break
    return ""


def _allowed(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return ""
    return "" if name.replace("_", "-") in _REFUSED else name


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeError, LookupError):
        return None
