"""Text of others on its way out: no control character in it reaches a terminal or a file.

Messages of servers and programs, paths, queries and source may hold characters that a terminal
obeys, or that show a path as another. Everything that is printed goes through `guard_output`.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, TextIO, cast

_UNUSUAL = re.compile(r"[^\x20-\x7e\n\t]")
_JOINERS = "\u200c\u200d"
"""They shape the letters of some scripts, and have no use after ASCII."""


def printable(text: str) -> str:
    """Return text whose control, bidirectional and other unseen characters are replaced."""
    return _UNUSUAL.sub(_seen, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return printable text on one line: CI systems obey lines of certain forms."""
    return printable(" ".join(text.split()))


def _seen(found: re.Match[str]) -> str:
    sign, before = found[0], found.string[: found.start()][-1:]
    if sign in _JOINERS:
        return "\ufffd" if before.isascii() else sign
    is_seen = sign.isprintable() or unicodedata.category(sign) == "Zs"
    return sign if is_seen else "\ufffd"


class GuardedStream:
    """A stream that writes printable text only, and thus is not a terminal to others."""

    def __init__(self, unguarded: TextIO) -> None:
        self.unguarded = unguarded

    def write(self, text: str) -> int:
        """Write what can be printed of a text."""
        self.unguarded.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write what can be printed of each line."""
        for line in lines:
            self.write(line)

    def isatty(self) -> bool:
        """Keep libraries from colours and from bars that move: their codes would be shown."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)


def guard_output() -> None:
    """Let this process print nothing that is not printable; `open_console` has its own guard."""
    # Python colours help and tracebacks by the descriptor, which is a terminal still.
    os.environ["PYTHON_COLORS"] = "0"
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def close_output() -> None:
    """Discard what is still to be printed, because the reader of a pipe has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream below a guarded one."""
    return stream.unguarded if isinstance(stream, GuardedStream) else stream


def _guarded(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, GuardedStream) else cast("TextIO", GuardedStream(stream))
