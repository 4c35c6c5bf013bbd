"""Report tables that sort by mouse or keyboard."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.report.html.elements import Child, Markup, element, scrolled

_SHADES = 9
_TALL = 25
"""Number of rows from which a table scrolls in its own frame."""


@dataclass(frozen=True)
class Cell:
    """A cell with its content, its sort key and its style."""

    shown: Child
    order: float | str | None = None
    kind: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Heading:
    """The heading of a column, with a longer explanation."""

    name: str
    meaning: str | None = None
    text: bool = False
    """True for a column of words: words sort from A, numbers from the highest."""


def table(
    label: str,
    headings: Sequence[Heading],
    rows: Sequence[Sequence[Cell]],
    *,
    key: str | None = None,
) -> Markup:
    """Return a table; the first column of words names each row."""
    named = next(place for place, heading in enumerate(headings) if heading.text)
    cells = enumerate(headings)
    head = element("tr", [_heading(h, names=n == named) for n, h in cells])
    body = [
        element("tr", [_cell(cell, names=place == named) for place, cell in enumerate(row)])
        for row in rows
    ]
    caption = element("caption", label, class_="hidden")
    whole = element("table", caption, element("thead", head), element("tbody", body), id=key)
    framed = scrolled(label, whole, tall=len(rows) > _TALL)
    return Markup(f"{framed}{_meanings(headings)}")


def _meanings(headings: Sequence[Heading]) -> Markup:
    """Return explanations of columns for readers who cannot hover over headings."""
    told = [(one.name, one.meaning) for one in headings if one.meaning]
    if not told:
        return Markup("")
    listed = [[element("dt", name), element("dd", meaning)] for name, meaning in told]
    head = element("summary", "What the columns mean")
    return element("details", head, element("dl", listed), class_="meanings")


def _heading(heading: Heading, *, names: bool) -> Markup:
    kind = "names" if names else None if heading.text else "number"
    button = element(
        "button", heading.name, type="button", data_text=heading.text, title=heading.meaning
    )
    return element("th", button, scope="col", class_=kind)


def _cell(cell: Cell, *, names: bool) -> Markup:
    order = cell.order if cell.order is not None else None
    if names:
        return element("th", cell.shown, scope="row", data_order=order, title=cell.note)
    kind = " ".join(
        part for part in ("number" if _counts(cell) else "words", cell.kind or "") if part
    )
    return element("td", cell.shown, data_order=order, class_=kind or None, title=cell.note)


def _counts(cell: Cell) -> bool:
    return not isinstance(cell.order, str)


def number(
    value: float | None, form: str, *, kind: str | None = None, note: str | None = None
) -> Cell:
    """Return a cell for a number, or a dash if it is unknown."""
    if value is None:
        return Cell("-", None, "unknown", note or "not known")
    return Cell(said_number(value, form), round(value, 6), kind, note)


def said_number(value: float, form: str) -> str:
    """Return a formatted number; a number that rounds to 0 has no sign."""
    shown = format(value, form)
    return shown if shown.strip("+-0.%") else format(0, form).replace("+", "")


def shade(value: float | None, low: float, high: float) -> str | None:
    """Return the shade of a value from `low` to `high`, as a style class."""
    if value is None:
        return None
    share = 0.5 if high <= low else (value - low) / (high - low)
    return f"shade{round(min(max(share, 0.0), 1.0) * _SHADES)}"


def two_sided_shade(value: float | None, reach: float) -> str | None:
    """Return the shade of a difference: one colour for better, another for worse."""
    if value is None or not reach:
        return None
    share = min(abs(value) / reach, 1.0)
    return f"{'better' if value > 0 else 'worse'}{round(share * _SHADES)}" if value else None
