"""The last lines of a command on the terminal: at most 10, with at most 100 characters each."""

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bench.advice import Advice, Line, score_text
from bench.printable import one_line

MOST_LINES, WIDEST = 10, 100
_LABELS = 11
"""Width of the label column in characters."""
_LONGEST = 190
"""Maximum characters of a text, about two lines. The report has the full text."""


def show_ending(lines: Sequence[Line], console: Console, *, most: int | None = MOST_LINES) -> None:
    """Print the most important lines in their order, or all lines if `most` is None."""
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
    """Return a text of at most `longest` characters, cut with an ellipsis if needed."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _kept(lines: Sequence[Line], width: int, most: int | None) -> list[Line]:
    """Return the lines that fit, after removing those with the highest ranks from the end."""
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


def only_trial(said: Advice) -> list[Line]:
    """Return the trial of a study that has no other, for pages without the table."""
    if said.trials != 1 or said.highest is None:
        return []
    score = score_text(said.settings.measure, said.highest.score)
    return [Line("Only", f"{said.highest.trial} ({score}); there is nothing to choose from")]
