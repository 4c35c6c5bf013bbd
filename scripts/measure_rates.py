"""Print the rates that are shipped, from those that this machine measured with some stores.

    python scripts/measure_rates.py .rankgrid/store > bench.study.shipped_rates.py

Run the studies first, each with an empty store: the headline study, one with
`retriever=bm25,lexical`, and one per retriever that is to be known. Kinds of stages that no given
store has measured keep their shipped rate. If the machine did other work meanwhile, pass the
studies' folders with `--results`: each rate is multiplied by the CPU time of its kind of stage
over the time that passed.
"""

import argparse
import json
import os
import platform
from collections import Counter
from pathlib import Path

from bench.engine import ArtifactStore
from bench.study.rates import Measured, read_rates
from bench.study.shipped_rates import SHIPPED

_MODULE = '''"""Seconds per unit of a stage, for a machine that has measured nothing yet.

Printed by `scripts/measure_rates.py`; measured on {machine}. The units are those of
`bench.study.sizes`.
"""

from collections.abc import Mapping
from types import MappingProxyType

SHIPPED: Mapping[str, float] = MappingProxyType(
    {{
{rows}
    }}
)'''


def own_shares(results: list[Path]) -> dict[str, float]:
    """Return the CPU time of each kind of stage over the time that passed."""
    passed: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for folder in results:
        for stage in json.loads((folder / "stages.json").read_text("utf-8"))["stages"]:
            passed[stage["stage"]] += stage["seconds"]
            used[stage["stage"]] += stage["cpu_seconds"]
    return {kind: min(1.0, used[kind] / passed[kind]) for kind in passed if passed[kind] > 0}


def rates_of(stores: list[str], shares: dict[str, float]) -> dict[str, float]:
    """Return the shipped rates, with those that the stores have measured in their place."""
    measured: dict[str, Measured] = {}
    for store in stores:
        for name, one in read_rates(ArtifactStore(store)).own.items():
            measured[name] = measured.get(name, Measured()).plus(one)
    rates = {
        name: shares.get(name.partition(" ")[0], 1.0) * one.seconds / one.units
        for name, one in measured.items()
    }
    return {**SHIPPED, **rates}


def main() -> None:
    """Print the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="+", help="folders of stores")
    parser.add_argument("--results", type=Path, nargs="*", default=[], help="folders of studies")
    given = parser.parse_args()
    rates = sorted(rates_of(given.stores, own_shares(given.results)).items())
    rows = "\n".join(f'        "{name}": {float(f"{rate:.2g}")!r},' for name, rate in rates)
    machine = f"{os.cpu_count()} cores, {platform.machine()} {platform.system()}"
    print(_MODULE.format(machine=machine, rows=rows))


if __name__ == "__main__":
    main()
