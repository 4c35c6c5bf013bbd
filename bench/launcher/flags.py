"""Options of a study that are not settings."""

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
    """Whether to print all texts of the report."""
    min_queries: int = 0
    """Smallest accepted number of queries."""
    command: str = ""
    """The command line, for the results."""
    queries: bool = False
    """Whether to print every query of the advised trial."""
    followed: str = ""
    """Study whose targets are followed through changes of the code, without a gate."""
    started: float = field(default_factory=time.monotonic)
    """Start of the command, from which `budget_minutes` counts."""

    @property
    def earlier(self) -> str:
        """The study that this one is compared with, by the gate or the caller."""
        return self.gate.baseline or self.followed

    @property
    def measures_a_tree(self) -> bool:
        """Whether the earlier study has to be measured first."""
        return self.earlier.startswith(TREE)


def flags_of(found: argparse.Namespace, command: str, *, followed: str = "") -> Flags:
    """Return the flags among parsed arguments, with valid flags of the gate."""
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
