"""Our own flags, taken out of the command line before Hydra sees it."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from bench.errors import UsageError


@dataclass(frozen=True)
class Flags:
    """What was asked besides the configuration."""

    floors: dict[str, float] = field(default_factory=dict)
    """The least value of each measure, by its column."""
    plan: bool = False
    debug: bool = False
    command: str = ""
    idle: tuple[str, ...] = ()
    """Overrides that are kept from Hydra, for they set fields that nothing here has."""


_SHORT = {"min_mrr": "mrr", "min_ndcg": "ndcg_at_10", "min_recall": "recall_at_10"}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def take_flags(arguments: Sequence[str]) -> tuple[Flags, list[str]]:
    """Return our flags and the arguments that are left for Hydra."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for name in _SHORT:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, metavar="X")
    parser.add_argument("--min", action="append", default=[], metavar="NAME=X", dest="floors")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--debug", action="store_true")
    found, rest = parser.parse_known_args(list(arguments))
    floors = {column: getattr(found, name) for name, column in _SHORT.items()}
    floors = {name: value for name, value in floors.items() if value is not None}
    floors |= dict(_floor(text) for text in found.floors)
    command = " ".join(["bench/run.py", *arguments])
    return Flags(floors, plan=found.plan, debug=found.debug, command=command), rest


def _floor(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not equals or number != number:  # noqa: PLR0124 - only NaN differs from itself
        message = f"--min {text}: must be NAME=NUMBER, such as --min recall_at_5=0.8"
        raise UsageError(message)
    return name.strip(), number


_GIVEN = Flags()


def given_flags() -> Flags:
    """Return the flags of this process: Hydra makes the launcher, so nobody can hand them over."""
    return _GIVEN


def remember(flags: Flags) -> None:
    """Keep the flags of this process."""
    global _GIVEN  # noqa: PLW0603 - see given_flags
    _GIVEN = flags


def hide_flags_from_completion() -> None:
    """Take our flags out of what the shell hands to Hydra's completion."""
    line = os.environ.get("COMP_LINE")
    if line:
        kept = (word for word in line.split(" ") if not word.startswith(("--min", "--plan")))
        os.environ["COMP_LINE"] = " ".join(kept)
