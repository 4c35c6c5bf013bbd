"""Print the rates that are shipped, from those that this machine measured with some stores.

    python scripts/measure_rates.py .rankgrid/store > bench.study.shipped_rates.py

Run the studies first, each with an empty store: the headline study, one with
`retriever=bm25,lexical`, and one per retriever that is to be known. Kinds of stages that no given
store has measured keep their shipped rate. If the machine did other work meanwhile, pass the
studies' folders with `--results`: the rates are multiplied by the CPU time of their stages over
the time that passed.
"""

import argparse
import json
import os
import platform
from pathlib import Path

from bench.engine import ArtifactStore
from bench.study.rates import Measured, read_rates
from bench.study.shipped_rates import SHIPPED

_IN_OTHER_PROCESSES = ("check-out", "parse", "find-edges", "ask-engine")
"""Stages that wait for another process. Their CPU time does not show the machine's load."""
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


def own_share(results: list[Path]) -> float:
    """Return the ratio of CPU time to wall-clock time of stages; 1 on an idle machine."""
    passed, used = 0.0, 0.0
    for folder in results:
        for stage in json.loads((folder / "stages.json").read_text("utf-8"))["stages"]:
            if stage["stage"] not in _IN_OTHER_PROCESSES:
                passed += stage["seconds"]
                used += stage["cpu_seconds"]
    return min(1.0, used / passed) if passed else 1.0


def rates_of(stores: list[str], share: float) -> dict[str, float]:
    """Return the shipped rates, overridden by measured rates of the stores."""
    measured: dict[str, Measured] = {}
    for store in stores:
        for name, one in read_rates(ArtifactStore(store)).own.items():
            measured[name] = measured.get(name, Measured()).plus(one)
    rates = {name: share * one.seconds / one.units for name, one in measured.items()}
    return {**SHIPPED, **rates}


def main() -> None:
    """Print the module of shipped rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="+", help="folders of stores")
    parser.add_argument("--results", type=Path, nargs="*", default=[], help="folders of studies")
    given = parser.parse_args()
    rates = sorted(rates_of(given.stores, own_share(given.results)).items())
    rows = "\n".join(f'        "{name}": {float(f"{rate:.2g}")!r},' for name, rate in rates)
    machine = f"{os.cpu_count()} cores, {platform.machine()} {platform.system()}"
    print(_MODULE.format(machine=machine, rows=rows))


if __name__ == "__main__":
    main()
