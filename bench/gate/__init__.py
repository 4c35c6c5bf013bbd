"""The CI gate: minimums, maximums, and comparison with a baseline.

Names are imported on first use, because parsing the flags must not import the statistics.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.gate.arguments import add_gate_flags, add_limit_flags, limit_words
    from bench.gate.baseline import Allowed
    from bench.gate.checks import Check, State
    from bench.gate.flags import GateFlags, gate_flags, limits_of
    from bench.gate.limits import Limit, Side, check_groups, check_names, parse_limit
    from bench.gate.outputs import write_outputs
    from bench.gate.verdict import Asked, Verdict, judge

__all__ = [
    "Allowed",
    "Asked",
    "Check",
    "GateFlags",
    "Limit",
    "Side",
    "State",
    "Verdict",
    "add_gate_flags",
    "add_limit_flags",
    "check_groups",
    "check_names",
    "gate_flags",
    "judge",
    "limit_words",
    "limits_of",
    "parse_limit",
    "write_outputs",
]

_MODULES = {
    "arguments": ("add_gate_flags", "add_limit_flags", "limit_words"),
    "baseline": ("Allowed",),
    "checks": ("Check", "State"),
    "flags": ("GateFlags", "gate_flags", "limits_of"),
    "limits": ("Limit", "Side", "check_groups", "check_names", "parse_limit"),
    "outputs": ("write_outputs",),
    "verdict": ("Asked", "Verdict", "judge"),
}

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Return a name from the module that has it."""
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
