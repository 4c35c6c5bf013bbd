"""What CI asks of a study: floors, ceilings, and no worse than a baseline."""

from bench.gating.baseline import Allowed
from bench.gating.checks import Check, State
from bench.gating.flags import GateFlags, add_gate_flags, gate_flags
from bench.gating.limits import Limit, Side, check_groups, check_names, parse_limit
from bench.gating.outputs import write_outputs
from bench.gating.verdict import Asked, Verdict, judge

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
    "check_groups",
    "check_names",
    "gate_flags",
    "judge",
    "parse_limit",
    "write_outputs",
]
