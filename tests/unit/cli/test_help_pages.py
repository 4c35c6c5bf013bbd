"""The help of every command fits the terminal; examples are shown as they are typed."""

import argparse
from collections.abc import Iterator

import pytest

from bench.cli.program import command_parser


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


@pytest.mark.parametrize("columns", [80, 140])
def test_no_line_is_longer_than_the_terminal_is_wide(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))

    pages = [parser.format_help() for parser in parsers(command_parser())]

    assert len(pages) > 30
    shown = [page.partition("for example:")[0] for page in pages]
    assert [line for page in shown for line in page.splitlines() if len(line) > columns] == []
