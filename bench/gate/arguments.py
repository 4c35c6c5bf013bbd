"""Command line flags of the gate. Only names are imported here, to keep --help fast."""

import argparse

from bench.parsing import Once

SHORT = {"min_mrr": "mrr", "min_ndcg": "ndcg_at_10", "min_recall": "recall_at_10"}
"""Flags with a name of their own, and the measures that they are minimums of."""


def add_limit_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of minimums and maximums to a parser."""
    for name, column in SHORT.items():
        flag, said = f"--{name.replace('_', '-')}", f"floor of {column}"
        parser.add_argument(flag, type=_number, action=Once, metavar="X", help=said)
    parser.add_argument(
        "--min",
        action="append",
        default=[],
        metavar="NAME=X",
        dest="floors",
        help="floor of any measure: recall_at_5=0.6, easy.mrr=0.5, groundedness=0.8",
    )
    parser.add_argument(
        "--max",
        action="append",
        default=[],
        metavar="NAME=X",
        dest="ceilings",
        help="ceiling of any number: latency_p95_ms=200",
    )


def limit_words(found: argparse.Namespace) -> list[str]:
    """Return the flags of minimums and maximums as arguments for another command."""
    short = {name.replace("_", "-"): getattr(found, name) for name in SHORT}
    words = [f"--{name}={value}" for name, value in short.items() if value is not None]
    words += [f"--min={text}" for text in found.floors]
    return words + [f"--max={text}" for text in found.ceilings]


def add_gate_flags(parser: argparse.ArgumentParser) -> None:
    """Add the gate's flags to a parser."""
    add_limit_flags(parser)
    parser.add_argument(
        "--baseline",
        action=Once,
        default="",
        metavar="RESULTS",
        help="fail if worse than this: tree:REVISION, a file, latest, a saved baseline, …",
    )
    parser.add_argument(
        "--max-drop",
        action=Once,
        default="",
        metavar="[NAME=]X",
        help="drop of NDCG@10, or of NAME, that passes (default: 0.02; 0.05 under 450 queries)",
    )
    parser.add_argument(
        "--waive",
        action="append",
        default=[],
        metavar="REPOSITORY",
        help="ignore a drop in this repository (may be repeated)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="also fail if there are too few queries to tell"
    )
    parser.add_argument(
        "--junit", action=Once, default="", metavar="FILE", help="write the verdict as JUnit XML"
    )
    parser.add_argument(
        "--markdown",
        action=Once,
        default="",
        metavar="FILE",
        help="write the verdict as a comment for a pull request",
    )
    parser.add_argument(
        "--gate-json",
        action=Once,
        default="",
        metavar="FILE",
        help="write the verdict and the comparison as JSON",
    )


def _number(text: str) -> float:
    """Return a number; NaN is refused."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number:  # noqa: PLR0124 - only NaN differs from itself
        shown = text or repr(text)
        raise argparse.ArgumentTypeError(f"{shown}: must be a number, such as 0.7")
    return number
