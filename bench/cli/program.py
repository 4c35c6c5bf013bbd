"""Reads the command line and calls one command; heavy modules load only in the commands."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from bench.cli.advise import add_command as add_advise
from bench.cli.baseline import add_commands as add_baseline
from bench.cli.compare import add_command as add_compare
from bench.cli.completion import add_command as add_completion
from bench.cli.context import add_commands as add_graph
from bench.cli.doctor import add_command as add_doctor
from bench.cli.examples import EXAMPLES
from bench.cli.experiment import add_commands as add_experiment
from bench.cli.fixtures import add_commands as add_fixtures
from bench.cli.fixtures.arguments import folder
from bench.cli.gate import add_command as add_gate
from bench.cli.prior import add_commands as add_prior
from bench.cli.report import add_command as add_report
from bench.cli.rescore import add_command as add_rescore
from bench.cli.run import add_command as add_run
from bench.cli.show import add_commands as add_show
from bench.errors import RankgridError, UsageError, lines_of
from bench.printable import guard_output, one_line
from bench.settings.trust import add_trust_flag
from retrievers.import_path import keep_current_folder_out


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `rankgrid COMMAND …` and exit with its code."""
    guard_output()
    if arguments is None:  # a caller with arguments has an environment of its own
        keep_current_folder_out()
        arguments = sys.argv[1:]
    if arguments[:1] == ["bench"]:  # its flags and settings stand in any order
        from bench.launcher.door import run_bench

        sys.exit(run_bench(arguments[1:], "rankgrid bench"))
    found = arguments_of(arguments)
    try:
        code = found.command(found)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing is left to be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print("rankgrid:", one_line(f"{place}{error.strerror or error}"), file=sys.stderr)
        code = 1
    except RankgridError as error:
        print("rankgrid:", "\n  ".join(lines_of(error)), file=sys.stderr)
        code = 2 if isinstance(error, UsageError) else 1
    sys.exit(code)


def arguments_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Read a command line; what belongs to no flag is wrong, or settings after a flag."""
    found, rest = command_parser().parse_known_args(arguments)
    settings = [text for text in rest if hasattr(found, "overrides") and text[:1] != "-"]
    wrong = [text for text in rest if text not in settings]
    if wrong:
        found.parser.error(f"unrecognized arguments: {' '.join(wrong)}")
    if settings:  # the parser takes a list of them from one place only
        found.overrides = [*found.overrides, *settings]
    return found


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, and shows how it is used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.set_defaults(parser=self)
        examples = EXAMPLES.get(self.prog.removeprefix("rankgrid "))
        if examples:
            self.formatter_class = argparse.RawDescriptionHelpFormatter
            self.epilog = _shown(self.epilog, examples)

    def error(self, message: str) -> NoReturn:
        """Say it with its remedy, and exit."""
        program = self.prog.partition(" ")[0]
        self.exit(2, f"{program}: {one_line(message)}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Prints the version, which takes a search through what is installed, only when asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it and exit."""
        from importlib.metadata import version

        print(f"rankgrid {version('rankgrid')}")
        parser.exit()


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of every command but `bench`, which has one of its own."""
    parser: argparse.ArgumentParser = _Parser(
        prog="rankgrid",
        description="Which retrieval configuration to ship, and the proof.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="the version of rankgrid")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("bench", help="run a grid of configurations, or one", add_help=False)
    _add_init(commands)
    add_run(commands)
    _add_track(commands)
    _add_ui(commands)
    _add_cache(commands)
    add_advise(commands)
    add_compare(commands)
    add_gate(commands)
    add_baseline(commands)
    add_prior(commands)
    add_experiment(commands)
    add_doctor(commands)
    add_rescore(commands)
    add_fixtures(commands)
    add_show(commands)
    add_report(commands)
    add_graph(commands)
    add_completion(commands)
    return parser


def _shown(epilog: str | None, examples: Sequence[str]) -> str:
    lines = [f"{epilog.strip()}\n"] if epilog else []
    return "\n".join([*lines, "for example:", *(f"  {line}" for line in examples)])


Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse has no public name for it


def _add_init(commands: "Commands[argparse.ArgumentParser]") -> None:
    init = commands.add_parser("init", help="write a suite and first queries for your own code")
    init.add_argument(
        "path",
        type=folder,
        nargs="?",
        default=Path(),
        help="the folder of the code to search (default: the current one)",
    )
    init.add_argument("--output", default="rankgrid", help="where to write (default: rankgrid)")
    init.add_argument(
        "--ci", action="store_true", help="write a GitHub workflow that gates pull requests"
    )
    init.add_argument(
        "--install",
        default="rankgrid",
        metavar="ARG",
        help="what its pip install takes (default: rankgrid)",
    )
    init.set_defaults(command=_init)


def _add_track(commands: "Commands[argparse.ArgumentParser]") -> None:
    track = commands.add_parser("track", help="send results to MLflow that could not be sent")
    track.add_argument("results", help="a results.json, its folder, or latest")
    track.add_argument("--uri", default="", help="the tracking server (default: the study's)")
    track.add_argument(
        "--store", default="", help="the store that the study used (default: the study's)"
    )
    add_trust_flag(track)
    track.set_defaults(command=_track)


def _add_ui(commands: "Commands[argparse.ArgumentParser]") -> None:
    ui = commands.add_parser("ui", help="compare studies in MLflow, on this machine only")
    ui.add_argument(
        "--port", type=int, default=5000, metavar="N", help="the port, or the next free one (5000)"
    )
    ui.add_argument("--store", default=".rankgrid/store", help="the store the studies used")
    ui.set_defaults(command=_ui)


def _add_cache(commands: "Commands[argparse.ArgumentParser]") -> None:
    cache = commands.add_parser("cache", help="show what the store holds, or empty it")
    cache.add_argument("--store", default=".rankgrid/store")
    cache.add_argument("--prune", action="store_true", help="remove everything in the store")
    cache.set_defaults(command=_cache)


def _init(found: argparse.Namespace) -> int:
    from bench.cli.init import initialise

    return initialise(found.path, found.output, ci=found.ci, install=found.install)


def _track(found: argparse.Namespace) -> int:
    from bench.cli.tracking import send

    return send(found.results, uri=found.uri, store=found.store, trusted=found.trust)


def _ui(found: argparse.Namespace) -> int:
    from bench.cli.tracking import serve_ui

    return serve_ui(found.store, port=found.port)


def _cache(found: argparse.Namespace) -> int:
    from bench.cli.cache import show_cache

    return show_cache(found.store, prune=found.prune)
