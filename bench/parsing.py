"""Errors in command lines in the form of errors in settings: input, problem, remedy.

The parsers of commands and of studies use this class. Imports must be fast.
"""

import argparse
import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from bench.errors import UsageError, nearest

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
"""Signs that word processors substitute for hyphens."""
_CHOICE = re.compile(r"invalid choice: (?P<value>.*) \(choose from .*\)", re.DOTALL)
_TYPE = re.compile(r"invalid (?P<type>\w+) value: (?P<value>.*)", re.DOTALL)
_TYPES = {"int": "a whole number", "float": "a number", "positive": "a whole number from 1 up"}
_GIVEN = re.compile(r"ignored explicit argument (?P<value>.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser that raises a one-line error instead of printing its usage."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(exit_on_error=False, **settings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a command line; invalid arguments raise a UsageError."""
        try:
            return super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            self.error(self._said(error))

    def has_flag(self, word: str) -> bool:
        """Return whether a word is a flag of this parser, with or without a value."""
        return word.partition("=")[0] in self._option_string_actions

    def error(self, message: str) -> NoReturn:
        """Raise an error that refers to --help."""
        link = " See" if message.endswith(("?", ".")) else "; see"
        raise UsageError(f"{message}{link} {self.prog} --help")

    def refuse(
        self, unread: Sequence[str], settings: Iterable[str] = (), elsewhere: str = ""
    ) -> NoReturn:
        """Refuse unknown words; `settings` are names that may be typed as NAME=VALUE.

        `elsewhere` is the command that has the first word as a flag, or "".
        """
        typed = unread[0]
        flag, _, value = typed.partition("=")
        name = flag.lstrip("-").replace("-", "_")
        if not typed.startswith("-"):
            self.error(f"{typed}: is one argument too many")
        if name in settings:
            value = value or (unread[1] if len(unread) > 1 else "VALUE")
            self.error(f"{typed}: {name} is a setting, not a flag; write {name}={value}.")
        if elsewhere:
            self.error(f"{typed}: no such flag here; {elsewhere} has it.")
        flags = [one for one in self._option_string_actions if one.startswith("--")]
        self.error(f"{typed}: no such flag; {nearest(flag, flags)}")

    def _said(self, error: argparse.ArgumentError) -> str:
        """Return the error in an argument in our form."""
        message, name = error.message, error.argument_name or ""
        flag = name.rpartition("/")[2]
        typed = f"{flag} " if flag.startswith("-") else ""
        if found := _CHOICE.fullmatch(message):
            return self._choice(str(ast.literal_eval(found["value"])), name, typed)
        if found := _TYPE.fullmatch(message):
            wanted = _TYPES.get(found["type"], found["type"])
            return f"{typed}{ast.literal_eval(found['value'])}: must be {wanted}"
        if found := _GIVEN.fullmatch(message):
            return (
                f"{flag}={ast.literal_eval(found['value'])}: {flag} takes no value; write {flag}."
            )
        if message.startswith("expected "):
            metavar = self._argument(name).metavar or "VALUE"
            return f"{flag}: needs a value; write {flag} {metavar}."
        return f"{typed}{message}"

    def _choice(self, value: str, name: str, typed: str) -> str:
        argument = self._argument(name)
        choices = [str(one) for one in argument.choices or ()]
        if isinstance(argument, argparse._SubParsersAction):  # noqa: SLF001 - it has no public name
            remedy = nearest(value, choices)
            words = [*self.prog.split()[1:], value or "''"]
            return f"{' '.join(words)}: no such {str(argument.metavar).lower()}; {remedy}"
        return f"{typed}{value}: not one of its values; {nearest(value, choices)}"

    def _argument(self, name: str) -> argparse.Action:
        """Return the argument that an error names: by its flags, else by its metavar or name."""
        names = {name, *name.split("/")}
        return next(
            one
            for one in self._actions
            if names & {*one.option_strings, str(one.metavar), one.dest}
        )


class Once(argparse.Action):
    """Keeps the value of a flag, and refuses a second one, which would be ignored."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Keep the first value."""
        given: set[str] = getattr(namespace, "given_once", set())
        if not str(values).strip():
            raise argparse.ArgumentError(self, "is blank; give a value.")
        if self.dest in given:
            raise argparse.ArgumentError(self, f"{values}: is given twice; give it once.")
        namespace.given_once = given | {self.dest}
        setattr(namespace, self.dest, values)


def count(text: str) -> int:
    """Parse a whole number from 0, as the type of an argument."""
    if not text.strip().isdecimal():
        raise argparse.ArgumentTypeError(f"{text}: must be a whole number from 0 up")
    return int(text)


def with_hyphens(word: str) -> str:
    """Return a word with its leading dashes replaced by hyphens."""
    rest = word.lstrip(f"-{_DASHES}")
    count = len(word) - len(rest)
    # Word processors replace two hyphens before a long name by one dash.
    return "-" * (max(count, 2) if len(rest) > 1 else count) + rest


def begins_with_dash(word: str) -> bool:
    """Return whether a word begins with a dash that is not a hyphen."""
    return word[:2].strip("-")[:1] in tuple(_DASHES) and bool(word.strip("-"))
