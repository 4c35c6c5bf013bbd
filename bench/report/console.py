"""A terminal console that prints untrusted text without markup or control codes."""

import sys

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from bench.printable import one_line, printable, unguarded


def open_console(*, stderr: bool = False) -> Console:
    """Return a console on standard output or standard error."""
    stream = unguarded(sys.stderr if stderr else sys.stdout)
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    console.push_render_hook(_Guard())
    return console


def print_line(console: Console, line: str, style: str = "") -> None:
    """Print a single line.

    The line does not wrap. After a wrap, quoted text could begin a line with a command, and a CI
    system would obey it.
    """
    console.print(Text(one_line(line), style=style), soft_wrap=True)


class _Guard(RenderHook):
    """A filter that lets only rich's own control codes pass."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printable(renderable) for renderable in renderables]


class _Printable:
    """A renderable without the unprintable characters of its text."""

    def __init__(self, shown: ConsoleRenderable) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._shown, options):
            is_text = not segment.control
            yield Segment(printable(segment.text), segment.style) if is_text else segment
