"""Markdown from hostile text: tables and lists that stay tables and lists."""

import re
from collections.abc import Sequence

_ESCAPED = str.maketrans(
    {
        "|": r"\|",
        "<": "&lt;",
        "&": "&amp;",
        "[": r"\[",
        "`": r"\`",
        "*": r"\*",
        "_": r"\_",
        "~": r"\~",
        "#": r"\#",
    }
)
"""What would begin markup."""
_CALL = re.compile(r"(?<!\w)@(?=\w)")
"""What would call people where the text is posted."""
_LONGEST = 300


def plain(text: object, longest: int = _LONGEST) -> str:
    """Return text on one line that markdown shows as it is."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    shown = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return _CALL.sub("&#64;", shown.translate(_ESCAPED))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; the first column is words, the others are numbers."""
    lines = ["| " + " | ".join(headings) + " |", "|---" + "|--:" * (len(headings) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def number(value: float | None, form: str = ".4f") -> str:
    """Return a number, or a dash where there is none."""
    return "-" if value is None else format(value, form)


def percent(value: float | None) -> str:
    """Return a share in percent."""
    return "-" if value is None else f"{100 * value:.1f} %"
