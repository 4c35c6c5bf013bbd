"""Our own flags, taken out of the command line before Hydra sees it."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from bench.errors import UsageError
from bench.gating import GateFlags, add_gate_flags, gate_flags
from bench.settings.trust import add_trust_flag


@dataclass(frozen=True)
class Flags:
    """What was asked besides the configuration."""

    gate: GateFlags = field(default_factory=GateFlags)
    plan: bool = False
    debug: bool = False
    min_queries: int = 0
    """Fewer are too few to be worth a run."""
    trusted: frozenset[Path] = frozenset()
    """Files that may name programs, servers and places."""
    command: str = ""
    idle: tuple[str, ...] = ()
    """Overrides that are kept from Hydra, for they set fields that nothing here has."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def take_flags(arguments: Sequence[str]) -> tuple[Flags, list[str]]:
    """Return our flags and the arguments that are left for Hydra."""
    found, rest = _parser().parse_known_args(list(arguments))
    command = " ".join(["bench/run.py", *arguments])
    flags = Flags(
        gate_flags(found),
        plan=found.plan,
        debug=found.debug,
        min_queries=found.min_queries,
        trusted=frozenset(found.trust),
        command=command,
    )
    return flags, rest


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(add_help=False, allow_abbrev=False)
    add_gate_flags(parser)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--min-queries", type=int, default=0, metavar="N")
    add_trust_flag(parser)
    return parser


_GIVEN = Flags()


def given_flags() -> Flags:
    """Return the flags of this process: Hydra makes the launcher, so nobody can hand them over."""
    return _GIVEN


def remember(flags: Flags) -> None:
    """Keep the flags of this process."""
    global _GIVEN  # noqa: PLW0603 - see given_flags
    _GIVEN = flags


def hide_flags_from_completion() -> None:
    """Take our flags and their values out of what the shell hands to Hydra's completion."""
    line = os.environ.get("COMP_LINE")
    if not line:
        return
    try:
        _, kept = _parser().parse_known_args(line.split(" "))
    except UsageError:  # a flag whose value is still to be typed
        kept = [word for word in line.split(" ") if not word.startswith("--")]
    os.environ["COMP_LINE"] = " ".join(kept)
