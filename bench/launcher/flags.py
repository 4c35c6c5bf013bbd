"""What is wanted of a study besides its settings."""

import argparse
import time
from dataclasses import dataclass, field

from bench.gate import GateFlags, gate_flags
from bench.results import TREE


@dataclass(frozen=True)
class Flags:
    """The flags of a command line."""

    gate: GateFlags = field(default_factory=GateFlags)
    plan: bool = False
    debug: bool = False
    verbose: bool = False
    """Whether everything is printed that the report says in words."""
    min_queries: int = 0
    """A suite with fewer queries is refused."""
    command: str = ""
    """The command line, for the results."""
    queries: bool = False
    """Whether every query of the advised trial is printed."""
    followed: str = ""
    """A study whose targets are followed where the code has changed, without a gate."""
    started: float = field(default_factory=time.monotonic)
    """When the command began: `budget_minutes` counts from here."""

    @property
    def earlier(self) -> str:
        """The study that this one is compared with, by the gate or after it."""
        return self.gate.baseline or self.followed

    @property
    def measures_a_tree(self) -> bool:
        """Whether that study has to be measured first."""
        return self.earlier.startswith(TREE)


def flags_of(found: argparse.Namespace, command: str, *, followed: str = "") -> Flags:
    """Return the flags among parsed arguments; those of the gate are checked."""
    flags = gate_flags(found)
    return Flags(
        flags,
        plan=found.plan,
        debug=found.debug,
        verbose=found.verbose,
        min_queries=found.min_queries,
        command=command,
        queries=found.queries,
        followed=followed,
    )
