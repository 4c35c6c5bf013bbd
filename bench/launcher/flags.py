"""What is wanted of a study besides its settings."""

import argparse
from dataclasses import dataclass, field

from bench.gate import GateFlags, gate_flags


@dataclass(frozen=True)
class Flags:
    """The flags of a command line."""

    gate: GateFlags = field(default_factory=GateFlags)
    plan: bool = False
    debug: bool = False
    min_queries: int = 0
    """A suite with fewer queries is refused."""
    command: str = ""
    """The command line, for the results."""


def flags_of(found: argparse.Namespace, command: str) -> Flags:
    """Return the flags among parsed arguments; those of the gate are checked."""
    return Flags(gate_flags(found), found.plan, found.debug, found.min_queries, command)
