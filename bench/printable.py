"""Protection of terminals and files from control characters in untrusted text.

Messages of servers and programs, paths, queries and source may contain characters that a terminal
obeys, or that disguise a path. All output goes through `guard_output`.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, TextIO, cast

_UNUSUAL = re.compile(r"[^\x20-\x7e\n\t]")
_JOINERS = "\u200c\u200d"
"""They shape the letters of some scripts, but have no use after ASCII."""


def printable(text: str) -> str:
    """Replace control, bidirectional and other invisible characters of a text."""
    return _UNUSUAL.sub(_seen, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return printable text on one line, because CI systems obey lines of certain forms."""
    return printable(" ".join(text.split()))


def plural(count: float | None, one: str, many: str) -> str:
    """Return a count with its noun in the singular or plural."""
    return f"{count} {one if count == 1 else many}"


def _seen(found: re.Match[str]) -> str:
    sign, before = found[0], found.string[: found.start()][-1:]
    if sign in _JOINERS:
        return "\ufffd" if before.isascii() else sign
    is_seen = sign.isprintable() or unicodedata.category(sign) == "Zs"
    return sign if is_seen else "\ufffd"


class GuardedStream:
    """A stream that only writes printable text, and denies being a terminal."""

    def __init__(self, unguarded: TextIO) -> None:
        self.unguarded = unguarded

    def write(self, text: str) -> int:
        """Write the printable form of a text."""
        self.unguarded.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the printable form of each line."""
        for line in lines:
            self.write(line)

    def isatty(self) -> bool:
        """Return False, so that libraries omit colours and progress bars, which show as codes."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)


def guard_output() -> None:
    """Make the output streams of this process printable; `open_console` has its own guard."""
    # Python decides on coloured help and tracebacks by the descriptor, which is still a terminal.
    os.environ["PYTHON_COLORS"] = "0"
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def close_output() -> None:
    """Discard the remaining output, because the reader of a pipe has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream inside a guarded one."""
    return stream.unguarded if isinstance(stream, GuardedStream) else stream


def _guarded(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, GuardedStream) else cast("TextIO", GuardedStream(stream))
