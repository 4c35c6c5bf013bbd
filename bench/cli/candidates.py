"""Completions of the last word of a command line, for shells."""

import argparse
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.files import data_folder
from bench.launcher.catalogue import Catalogue

_STUDY = "study"


def candidates(line: str) -> list[str]:
    """Return possible completions of the last word of a command line.

    The result is empty for files and free values, because the shell completes them itself.
    """
    *before, word = _words(line)
    program, rest = Path(before[0]).name if before else "", before[1:]
    if program.startswith("python"):
        program, rest = "bench", rest[1:]  # the next word is bench/run.py
    if program == "bench" or rest[:1] == ["bench"]:
        found = _of_study(rest, word)
    else:
        found = _of_command(rest, word)
    return sorted({one for one in found if one.startswith(word)})


def _words(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError:  # an unclosed quote
        words = line.split()
    return [*words, ""] if not words or line[-1:].isspace() else words


def _of_study(before: Sequence[str], word: str) -> Iterable[str]:
    """Return the flags, settings and choices of `rankgrid bench`."""
    from bench.launcher.arguments import argument_parser

    parser = argument_parser("bench")
    if word.startswith("-"):
        return _flags(parser)
    return () if _takes_value(parser, before) else _settings(before, word)


def _of_command(before: Sequence[str], word: str) -> Iterable[str]:
    """Return the commands, flags and choices of a command of rankgrid."""
    from bench.cli.program import command_parser

    parser = command_parser()
    for text in before:
        parser = _commands(parser).get(text, parser)
    if word.startswith("-"):
        return _flags(parser)
    if _takes_value(parser, before):
        return ()
    names = {str(one) for action in _actions(parser) for one in _positional_choices(action)}
    if any(action.dest == "overrides" for action in _actions(parser)):
        return [*names, *_settings(before, word)]
    return names


def _settings(before: Sequence[str], word: str) -> Iterator[str]:
    """Yield settings, or values for a setting that is being typed."""
    known = Catalogue(data_folder("conf"))
    name, equals, value = word.partition("=")
    group, dot, _ = name.partition(".")
    if equals:
        chosen = value.rpartition(",")  # -m takes several values; complete the last one
        start = f"{name}={chosen[0]}{chosen[1]}"
        choices = known.studies if name == _STUDY else known.groups.get(name, ())
        yield from (f"{start}{choice}" for choice in choices)
    elif dot:
        fields = _fields(known, before, group)
        parents = {field.rpartition(".")[0] for field in fields}
        depth = name.count(".") - 1
        for field in fields:
            if field.count(".") == depth:
                yield f"{group}.{field}{'.' if field in parents else '='}"
    else:
        yield from (f"{one}=" for one in [*known.groups, *known.scalars, _STUDY])


def _fields(known: Catalogue, before: Sequence[str], group: str) -> Iterable[str]:
    """Return the fields of the chosen option of a group: typed earlier, or the default."""
    typed = [text.partition("=")[2] for text in before if text.startswith(f"{group}=")]
    if group not in known.groups:
        return known.fields(group)
    chosen = (typed[-1] if typed else known.defaults[group]).split(",")
    named = [choice for choice in chosen if choice in known.groups[group]]
    return sorted({field for choice in named for field in known.fields_of(group, choice)})


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001 - argparse has no public list of them


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {
        str(name): own
        for action in _actions(parser)
        if isinstance(action.choices, dict)
        for name, own in action.choices.items()
    }


def _positional_choices(action: argparse.Action) -> Iterable[object]:
    return () if action.option_strings else (action.choices or ())


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    return [flag for action in _actions(parser) for flag in action.option_strings]


def _takes_value(parser: argparse.ArgumentParser, before: Sequence[str]) -> bool:
    """Return True if the next word is the value of a flag."""
    last = before[-1] if before else ""
    return any(last in one.option_strings and one.nargs != 0 for one in _actions(parser))


if __name__ == "__main__":
    print("\n".join(candidates(sys.argv[1])))
