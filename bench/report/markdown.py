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
_DASH = "-"
_NUMBER = re.compile(r"\**[<>]? ?[-+]?\d[\d.,]*( ?%)?( \\?~)?( to [-+]?[\d.,]+( ?%)?)?\**")


def plain(text: object, longest: int = _LONGEST) -> str:
    """Return text on one line that markdown shows as it is."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    shown = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return _CALL.sub("&#64;", shown.translate(_ESCAPED))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table: numbers to the right, and columns with any text to the left."""
    columns = [[row[place] for row in rows] for place in range(len(headings))]
    rules = "".join("|--:" if _is_numeric(cells) else "|---" for cells in columns)
    lines = ["| " + " | ".join(headings) + " |", f"{rules}|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether cells are numbers or dashes, perhaps bold and with a unit or a mark."""
    return any(cell != _DASH for cell in cells) and all(
        cell == _DASH or _NUMBER.fullmatch(cell) for cell in cells
    )


def number(value: float | None, form: str = ".4f") -> str:
    """Return a number, or a dash where there is none."""
    return "-" if value is None else format(value, form)


def percent(value: float | None) -> str:
    """Return a share in percent."""
    return "-" if value is None else f"{100 * value:.1f} %"
