"""The terminal for tables and colours: what is printed there is text, never markup or codes."""

import sys

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from bench.printable import one_line, printable, unguarded


def open_console(*, stderr: bool = False) -> Console:
    """Return a console on a stream of this process."""
    stream = unguarded(sys.stderr if stderr else sys.stdout)
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    console.push_render_hook(_Guard())
    return console


def print_line(console: Console, line: str, style: str = "") -> None:
    """Print what may quote others as one line: where it wrapped, a command to a CI could begin."""
    console.print(Text(one_line(line), style=style), soft_wrap=True)


class _Guard(RenderHook):
    """Lets only the codes of rich itself pass."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printable(renderable) for renderable in renderables]


class _Printable:
    """Something to show, of whose text only the printable is shown."""

    def __init__(self, shown: ConsoleRenderable) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._shown, options):
            is_text = not segment.control
            yield Segment(printable(segment.text), segment.style) if is_text else segment
