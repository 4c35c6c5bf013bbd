"""The last lines of a command on a terminal: at most ten, each at most 100 characters wide."""

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bench.advice import Line
from bench.printable import one_line

MOST_LINES, WIDEST = 10, 100
_LABELS = 11
"""Letters that labels take, so that the texts begin below each other."""
_LONGEST = 190
"""Letters of a text: two lines. The rest of a cause or a note is in the report."""


def show_ending(lines: Sequence[Line], console: Console, *, most: int | None = MOST_LINES) -> None:
    """Print the lines that there is room for, in their order; without a limit all of them."""
    width = min(WIDEST, console.width)
    for line in _kept(lines, width, most):
        style = "bold red" if line.label == "Failed" else "bold"
        first, *others = _wrapped(line, width)
        label = len(_label(line))
        console.print(
            Text(first[:label], style=style), Text(first[label:]), sep="", soft_wrap=True
        )
        for other in others:
            console.print(Text(other), soft_wrap=True)


def shortened(text: str, longest: int) -> str:
    """Return a text, or its beginning with a sign that it goes on."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _kept(lines: Sequence[Line], width: int, most: int | None) -> list[Line]:
    """Return the lines without those of the highest ranks, the last of them first."""
    kept = list(lines)
    while most is not None and sum(len(_wrapped(line, width)) for line in kept) > most:
        place = max(range(len(kept)), key=lambda at: (kept[at].rank, at))
        if not kept[place].rank:
            break
        del kept[place]
    return kept


def _label(line: Line) -> str:
    return f"{line.label}:" if line.label else ""


def _wrapped(line: Line, width: int) -> list[str]:
    label = _label(line)
    begun, text = f"{label:{_LABELS}}", one_line(line.text)
    if line.is_whole:
        first, *others = map(one_line, line.text.split("\n"))
        begun = begun if len(begun + first) <= width else f"{label} "
        return [begun + first, *others]
    wrapped = textwrap.wrap(
        shortened(text, _LONGEST).replace(" %", "\u00a0%"),
        width,
        initial_indent=begun,
        subsequent_indent=" " * _LABELS,
        break_on_hyphens=False,
    )
    return [part.replace("\u00a0", " ") for part in wrapped]
