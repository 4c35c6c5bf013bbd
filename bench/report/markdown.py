"""Markdown that is safe for untrusted text."""

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
"""Characters that could start markup."""
_CALL = re.compile(r"(?<!\w)@(?=\w)")
"""Start of a mention, which would notify people where the text is posted."""
_LONGEST = 300
_DASH = "-"
_NUMBER = re.compile(r"\**[<>]? ?[-+]?\d[\d.,]*( ?%)?( \\?~)?( to [-+]?[\d.,]+( ?%)?)?\**")


def plain(text: object, longest: int = _LONGEST) -> str:
    """Return text on one line, escaped and cut to `longest` characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    shown = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return _CALL.sub("&#64;", shown.translate(_ESCAPED))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with numeric columns aligned right and text columns aligned left."""
    columns = [[row[place] for row in rows] for place in range(len(headings))]
    rules = "".join("|--:" if _is_numeric(cells) else "|---" for cells in columns)
    lines = ["| " + " | ".join(headings) + " |", f"{rules}|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _is_numeric(cells: Sequence[str]) -> bool:
    """Return True if cells are numbers or dashes, with optional bold, units and marks."""
    return any(cell != _DASH for cell in cells) and all(
        cell == _DASH or _NUMBER.fullmatch(cell) for cell in cells
    )


def number(value: float | None, form: str = ".4f") -> str:
    """Return a formatted number, or a dash for None."""
    return "-" if value is None else format(value, form)


def percent(value: float | None) -> str:
    """Return a share in percent, or a dash for None."""
    return "-" if value is None else f"{100 * value:.1f} %"
