"""Command line of a study: settings in Hydra's notation and flags, in any order.

The shell completion loads the flags on every TAB, so imports must be fast.
"""

import argparse
from collections.abc import Sequence

from bench.files import data_folder
from bench.gate import add_gate_flags
from bench.launcher.catalogue import Catalogue
from bench.parsing import Parser, begins_with_dash, count, with_hyphens
from bench.settings.trust import add_trust_flag

_OF_HYDRA = (
    *("--config-name", "--config-path", "--config-dir", "-cn", "-cp", "-cd", "--package", "-p"),
    *("--info", "-i", "--hydra-help", "--resolve", "--run", "-r", "--experimental-rerun"),
    *("--shell-completion", "-sc"),
)
"""Flags of Hydra, which composes the settings but does not run the study."""


def parse_arguments(arguments: Sequence[str], program: str) -> argparse.Namespace:
    """Return the flags of a command line, with its settings as `overrides`."""
    parser = argument_parser(program)
    for word in arguments:
        _check_word(word, parser)
    found, unread = parser.parse_known_intermixed_args(list(arguments))
    if unread:
        catalogue = Catalogue(data_folder("conf"))
        parser.refuse(unread, [*catalogue.groups, *catalogue.scalars])
    return found


def _check_word(word: str, parser: Parser) -> None:
    """Refuse words that the parser would misinterpret."""
    if begins_with_dash(word):
        parser.error(
            f"{word}: begins with a dash that is not a hyphen; type {with_hyphens(word)}."
        )
    if word.partition("=")[0] in _OF_HYDRA:
        message = f"{word}: this flag of Hydra does nothing here"
        parser.error(f"{message}; use --cfg job to show the configuration.")
    if word[:2] == "-m" and len(word) > 2 and word[2] != "=":  # noqa: PLR2004 - its letter
        parser.error(f"{word}: -m takes no value; write -m {word[2:]}.")


def argument_parser(program: str) -> Parser:
    """Return the parser of the flags; all other words are settings."""
    parser = Parser(prog=program, add_help=False, allow_abbrev=False)
    parser.add_argument("overrides", nargs="*", metavar="SETTING=VALUE", help=argparse.SUPPRESS)
    parser.add_argument(
        "-m", "--multirun", action="store_true", help="run every combination of the values"
    )
    parser.add_argument(
        "--plan", action="store_true", help="show the work of a study without running it"
    )
    add_gate_flags(parser)
    parser.add_argument(
        "--min-queries",
        type=count,
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
    parser.add_argument(
        "--queries", action="store_true", help="print every query of the advised trial"
    )
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    parser.add_argument("-h", "--help", action="store_true", help="show this page")
    return parser
