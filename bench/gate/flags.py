"""The gate's flags for `bench/run.py` and `rankgrid gate`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.compare.deltas import lower_is_better
from bench.errors import UsageError
from bench.gate.arguments import SHORT
from bench.gate.baseline import Allowed
from bench.gate.checks import PRIMARY
from bench.gate.limits import COSTS, Limit, Side, check_names, parse_limit
from bench.gate.verdict import Asked
from bench.measures import OF_ANSWERS
from bench.results import TREE


@dataclass(frozen=True)
class GateFlags:
    """Parsed flags of the gate."""

    limits: tuple[Limit, ...] = ()
    baseline: str = ""
    drop: float | None = None
    measure: str = PRIMARY
    waived: tuple[str, ...] = ()
    strict: bool = False
    junit: str = ""
    markdown: str = ""
    json: str = ""

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures that the study must compute for the gate."""
        named = [*(limit.name for limit in self.limits), self.measure]
        return tuple(dict.fromkeys(name for name in named if name not in (*COSTS, *OF_ANSWERS)))

    def asked(self, *, of: str, seed: int) -> Asked:
        """Return the requirements of the gate on a study."""
        against = self.baseline if self.baseline.startswith(TREE) else ""
        allowed = Allowed(self.measure, self.drop, self.waived, seed, against)
        return Asked(self.limits, allowed, of, self.strict)


def gate_flags(found: argparse.Namespace) -> GateFlags:
    """Return the parsed flags, validated as far as possible without a study."""
    limits = limits_of(found)
    measure, drop = _drop(found.max_drop)
    _check_together(found)
    for file in (found.junit, found.markdown, found.gate_json):
        _check_place(file)
    return GateFlags(
        limits=limits,
        baseline=found.baseline,
        drop=drop,
        measure=measure,
        waived=tuple(found.waive),
        strict=found.strict,
        junit=found.junit,
        markdown=found.markdown,
        json=found.gate_json,
    )


def limits_of(found: argparse.Namespace) -> tuple[Limit, ...]:
    """Return the minimums and maximums of a command line, with valid names and bounds."""
    short = {column: getattr(found, name) for name, column in SHORT.items()}
    limits = [Limit(column, value) for column, value in short.items() if value is not None]
    limits += [parse_limit(text, Side.FLOOR) for text in found.floors]
    limits += [parse_limit(text, Side.CEILING) for text in found.ceilings]
    check_names(limits)
    _refuse_twins(limits)
    return tuple(limits)


def _refuse_twins(limits: Sequence[Limit]) -> None:
    """Refuse two bounds on the same side of a number, since one of them would have no effect."""
    seen: dict[tuple[str, str, Side], Limit] = {}
    for limit in limits:
        first = seen.setdefault((limit.group, limit.name, limit.side), limit)
        if first is not limit:
            raise UsageError(f"{limit}: there is {first} as well; give one of them")


def _drop(text: str) -> tuple[str, float | None]:
    """Return the measure of --max-drop and its value, None for the default."""
    if not text:
        return PRIMARY, None
    wrong = f"--max-drop {text}: must be a number between 0 and 1, or MEASURE=NUMBER"
    try:
        limit = parse_limit(text if "=" in text else f"{PRIMARY}={text}", Side.FLOOR)
    except UsageError as error:
        raise UsageError(wrong) from error
    if limit.group or not 0 < limit.bound < 1:
        raise UsageError(wrong)
    check_names([limit])
    if lower_is_better(limit.name):
        raise UsageError(
            f"--max-drop {text}: lower is better for {limit.name}; choose another measure"
        )
    return limit.name, limit.bound


def _check_together(found: argparse.Namespace) -> None:
    for name in ("max_drop", "waive", "strict"):
        if getattr(found, name) and not found.baseline:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag}: needs a baseline; add --baseline RESULTS")


def _check_place(file: str) -> None:
    place = Path(file).expanduser().absolute()
    if file and not place.parent.is_dir():
        raise UsageError(f"{file}: cannot be written, its folder does not exist; make it first")
    if file and place.is_dir():
        raise UsageError(f"{file}: is a folder; give the file to write")
