"""`rankgrid report`: a study's report, made anew from its results."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name


def add_command(commands: "Commands") -> None:
    """Add `report` to the command line."""
    report = commands.add_parser("report", help="make the report of a study anew")
    report.add_argument("results", help="a results.json or the folder that holds one")
    report.add_argument("--output", help="the folder to write to (default: that of the results)")
    report.add_argument(
        "--target",
        action="append",
        default=[],
        type=_target,
        metavar="TIER=SHARE",
        help="what P@10 must exceed in a tier, such as easy=0.5 (default: those of the study)",
    )
    report.set_defaults(command=_report)


def _target(text: str) -> tuple[str, float]:
    tier, equals, value = text.partition("=")
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not tier or not equals or not 0 <= share <= 1:
        message = f"{text}: write TIER=SHARE with a share from 0 to 1, such as easy=0.5"
        raise argparse.ArgumentTypeError(message)
    return tier, share


def _report(found: argparse.Namespace) -> int:
    from bench.reporting import read_results, write_report

    place = Path(found.results).expanduser()
    results = read_results(place)
    folder = place if place.is_dir() else place.parent
    output = Path(found.output).expanduser() if found.output else folder
    print(f"Report: {write_report(results, output, dict(found.target))}")
    return 0
