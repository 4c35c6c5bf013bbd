"""The command line of a study: settings as Hydra writes them, and flags, in any order.

The shell asks for the flags on every TAB, so nothing heavy is imported here.
"""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from bench.errors import UsageError
from bench.gate import add_gate_flags
from bench.settings.trust import add_trust_flag


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def parse_arguments(arguments: Sequence[str], program: str) -> argparse.Namespace:
    """Return the flags of a command line, and its settings as `overrides`."""
    return argument_parser(program).parse_intermixed_args(list(arguments))


def argument_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the flags; it takes every other word for a setting."""
    parser = _Parser(prog=program, add_help=False, allow_abbrev=False)
    parser.add_argument("overrides", nargs="*", metavar="SETTING=VALUE", help=argparse.SUPPRESS)
    parser.add_argument(
        "-m", "--multirun", action="store_true", help="run every combination of the values"
    )
    parser.add_argument(
        "--plan", action="store_true", help="show the work of a study without doing it"
    )
    add_gate_flags(parser)
    parser.add_argument(
        "--min-queries",
        type=int,
        default=0,
        metavar="N",
        help="exit 2 if the suite has fewer queries (default: 0)",
    )
    add_trust_flag(parser)
    parser.add_argument(
        "--cfg", "-c", choices=["job"], metavar="job", help="print the configuration and stop"
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print everything that the report says"
    )
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    parser.add_argument("-h", "--help", action="store_true", help="show this page")
    return parser
