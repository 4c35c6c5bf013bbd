"""Seconds per unit of work for each kind of stage, measured on this machine or shipped.

The rates of a machine are stored beside its artifacts. A shared store has a file for each machine,
because rates differ between machines.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from bench.engine import ArtifactStore
from bench.study.shipped_rates import SHIPPED
from bench.study.trial import machine

_KEPT = 0.5
"""Weight of earlier runs beside the last one, because machines and code change."""
_UNKNOWN_SECONDS = 0.1
"""Assumed seconds for a stage whose kind was never measured."""


@dataclass(frozen=True)
class Measured:
    """Total seconds and units of work."""

    seconds: float = 0.0
    units: float = 0.0

    def plus(self, other: "Measured", weight: float = 1.0) -> "Measured":
        """Return the sum, with this one multiplied by `weight`."""
        return Measured(weight * self.seconds + other.seconds, weight * self.units + other.units)


@dataclass(frozen=True)
class Rates:
    """Rates of this machine, with shipped rates for kinds that it has not measured."""

    own: Mapping[str, Measured] = field(default_factory=dict)
    shipped: Mapping[str, float] = field(default_factory=lambda: SHIPPED)

    def is_own(self, name: str) -> bool:
        """Return True if the rate was measured on this machine."""
        return name in self.own

    @cached_property
    def slowness(self) -> float:
        """Ratio of this machine's time to the shipped rates, over all kinds that it has measured.

        It estimates the other kinds, because the machine may be slower or busy.
        """
        both = [
            (one, self.shipped[name]) for name, one in self.own.items() if name in self.shipped
        ]
        expected = sum(rate * one.units for one, rate in both)
        return sum(one.seconds for one, _ in both) / expected if expected else 1.0

    def seconds(self, name: str, units: float) -> float:
        """Return the expected seconds of `units` of work at the rate `name`."""
        if self.is_own(name):
            measured = self.own[name]
            return units * measured.seconds / measured.units
        units *= self.slowness
        kind = name.partition(" ")[0]
        of_kind = [rate for known, rate in self.shipped.items() if known.partition(" ")[0] == kind]
        if name in self.shipped:
            return units * self.shipped[name]
        return units * sum(of_kind) / len(of_kind) if of_kind else _UNKNOWN_SECONDS


def read_rates(store: ArtifactStore) -> Rates:
    """Return the rates that this machine has stored."""
    content = store.read_checked(_name())
    rows = json.loads(content) if content else {}
    return Rates({name: Measured(*row) for name, row in rows.items()})


def remember_rates(store: ArtifactStore, measured: Mapping[str, Measured]) -> None:
    """Store the rates of a run, combined with earlier ones at a lower weight."""
    if not measured:
        return
    rates = dict(read_rates(store).own)
    for name, last in measured.items():
        rates[name] = rates.get(name, Measured()).plus(last, _KEPT)
    rows = {name: [round(one.seconds, 6), one.units] for name, one in rates.items()}
    store.write_checked(_name(), json.dumps(rows, sort_keys=True).encode())


def _name() -> str:
    return f"rates-{sha256(machine().encode()).hexdigest()[:16]}"
