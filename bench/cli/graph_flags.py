"""Flags of the commands that query a graph. This module imports nothing heavy."""

import argparse

from bench.cli.fixtures.arguments import folder


def add_graph_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the folder and the settings of the retriever."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=folder,
        default=".",
        help="the folder of the code (default: the current folder)",
    )
    parser.add_argument(
        "--retriever",
        default="graph",
        metavar="NAME|FILE",
        help="a retriever of conf/retriever, such as hybrid_graph, or a YAML file such as"
        " chosen.yaml (default: graph)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of that retriever, such as walk.alpha=0.15 (may be repeated)",
    )
    parser.add_argument(
        "--embedder",
        default="",
        metavar="NAME",
        help="the model of conf/embedder, where the retriever has vectors (default: minilm)",
    )
    parser.add_argument(
        "--store",
        default=".rankgrid/store",
        help="the store of finished work (default: .rankgrid/store)",
    )


def add_facts_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for observations and sessions."""
    parser.add_argument(
        "--observations",
        default="",
        metavar="FILE",
        help='file of symbols that were seen running, a line each: {"symbol": NAME, "seen": DATE}'
        " (the same as --set observations=FILE)",
    )
    parser.add_argument(
        "--session",
        default="",
        metavar="FILE",
        help="the file that remembers what was shown (default: none)",
    )
    parser.add_argument(
        "--used",
        default="",
        metavar="FILE",
        help="result of the session's last pack, such as a diff (-: stdin): what it names was"
        " useful and ranks higher for tasks with the same words, the rest was not",
    )
    for flag in ("useful", "useless"):
        parser.add_argument(
            f"--{flag}",
            action="append",
            default=[],
            metavar="SYMBOL",
            help=f"a symbol of an earlier pack of the session that was {flag}",
        )
