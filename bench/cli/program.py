"""Command line of rankgrid. Heavy modules are imported only by the commands that use them."""

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NoReturn, cast

from bench.cli.advise import add_command as add_advise
from bench.cli.baseline import add_commands as add_baseline
from bench.cli.cache import add_command as add_cache
from bench.cli.compare import add_command as add_compare
from bench.cli.completion import add_command as add_completion
from bench.cli.context import add_commands as add_graph
from bench.cli.doctor import add_command as add_doctor
from bench.cli.examples import EXAMPLES
from bench.cli.experiment import add_commands as add_experiment
from bench.cli.fixtures import add_commands as add_fixtures
from bench.cli.fixtures.arguments import folder
from bench.cli.gate import add_command as add_gate
from bench.cli.json_flag import add_json_flag
from bench.cli.judging import add_command as add_judge
from bench.cli.prior import add_commands as add_prior
from bench.cli.report import add_command as add_report
from bench.cli.rescore import add_command as add_rescore
from bench.cli.run import add_command as add_run
from bench.cli.show import add_commands as add_show
from bench.cli.studies import add_commands as add_studies
from bench.cli.trying import add_command as add_try
from bench.errors import RankgridError, UsageError, lines_of
from bench.launcher.explain import FAILED, INTERRUPTED, explained
from bench.parsing import Parser, begins_with_dash, with_hyphens
from bench.printable import close_output, guard_output
from bench.settings.trust import add_trust_flag
from retrievers.import_path import keep_current_folder_out

if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name
else:
    SubParsers = argparse._SubParsersAction  # noqa: SLF001


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `rankgrid COMMAND …` and exit with its code."""
    guard_output()
    if arguments is None:  # only a real command line may change the import path
        keep_current_folder_out()
        arguments = sys.argv[1:]
    if arguments[:1] == ["bench"]:  # its flags and settings are allowed in any order
        from bench.launcher.door import run_bench

        sys.exit(run_bench(arguments[1:], "rankgrid bench"))
    try:
        found = arguments_of(arguments)
        code = found.command(found)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        close_output()
        code = FAILED
    except OSError as error:
        code = explained(error, debug=False)
    except RankgridError as error:
        print("rankgrid:", "\n  ".join(lines_of(error)), file=sys.stderr)
        code = 2 if isinstance(error, UsageError) else 1
    sys.exit(code)


def arguments_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line; unknown words are settings after a flag, or errors."""
    parser = cast("Parser", command_parser())
    _check_words(arguments, parser)
    found: argparse.Namespace
    found, rest = parser.parse_known_args(arguments)
    settings = [text for text in rest if hasattr(found, "overrides") and text[:1] != "-"]
    wrong = [text for text in rest if text not in settings]
    if wrong:
        has_settings = hasattr(found, "overrides")
        found.parser.refuse(wrong, elsewhere=_study_command(wrong[0]) if has_settings else "")
    if settings:  # the parser takes a list of them from one place only
        found.overrides = [*found.overrides, *settings]
    return found


def _study_command(word: str) -> str:
    """Return the `bench` command if it has this flag, to suggest it in an error."""
    from bench.launcher.arguments import argument_parser

    return "rankgrid bench" if argument_parser("").has_flag(word) else ""


def _check_words(arguments: Sequence[str], parser: Parser) -> None:
    """Refuse words that argparse would report as a missing command."""
    for word in filter(begins_with_dash, arguments):
        parser.error(
            f"{word}: begins with a dash that is not a hyphen; type {with_hyphens(word)}."
        )
    first = arguments[0] if arguments else ""
    if "=" in first or first in ("-m", "--multirun"):
        parser.error(f"{first}: no such command; a study is run by `rankgrid bench {first}`.")
    if first.startswith("-") and first not in ("-h", "--help", "--version"):
        parser.refuse([first])
    if f"--{first}" in ("--help", "--version"):
        parser.error(f"{first}: no such command; write rankgrid --{first}.")


class _Parser(Parser):
    """A parser whose help ends with examples."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", "parsers", _Commands)
        self.set_defaults(parser=self)
        examples = EXAMPLES.get(self.prog.removeprefix("rankgrid "))
        if examples:
            # Examples must keep their line breaks, so the description is wrapped here instead.
            self.formatter_class = argparse.RawDescriptionHelpFormatter
            self.description = textwrap.fill(self.description or "", get_terminal_size()[0] - 2)
            self.epilog = _shown(self.epilog, examples)


class _Commands(SubParsers):
    """Subcommands whose description defaults to their line in the list."""

    def add_parser(self, name: str, **settings: Any) -> argparse.ArgumentParser:
        """Add a command."""
        line = settings.get("help") or ""
        settings.setdefault("description", f"{line[:1].upper()}{line[1:]}.")
        return super().add_parser(name, **settings)


class _Version(argparse.Action):
    """Flag that prints the version. The lookup in the installed packages runs only on request."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print the version and exit."""
        from importlib.metadata import version

        print(f"rankgrid {version('rankgrid')}")
        parser.exit()


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of every command except `bench`, which has its own."""
    parser: argparse.ArgumentParser = _Parser(
        prog="rankgrid",
        description="Find out which retrieval configuration to ship, with the evidence.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version of rankgrid")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("bench", help="run a grid of configurations, or one", add_help=False)
    add_try(commands)
    _add_init(commands)
    add_run(commands)
    _add_track(commands)
    _add_ui(commands)
    add_cache(commands)
    add_advise(commands)
    add_compare(commands)
    add_gate(commands)
    add_baseline(commands)
    add_prior(commands)
    add_experiment(commands)
    add_doctor(commands)
    add_rescore(commands)
    add_fixtures(commands)
    add_judge(commands)
    add_show(commands)
    add_report(commands)
    add_studies(commands)
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
        help="the folder of the code to search (default: the current folder itself)",
    )
    init.add_argument(
        "--output",
        default="rankgrid",
        metavar="FOLDER",
        help="the folder to write, in the current folder (default: rankgrid)",
    )
    init.add_argument(
        "--ci", action="store_true", help="write a GitHub workflow that gates pull requests"
    )
    init.add_argument(
        "--install",
        default="rankgrid",
        metavar="ARG",
        help="the package that the workflow installs with pip (default: rankgrid)",
    )
    init.set_defaults(command=_init)


def _add_track(commands: "Commands[argparse.ArgumentParser]") -> None:
    track = commands.add_parser("track", help="send the results of a study to MLflow")
    track.add_argument(
        "results", help="a results.json, its folder, latest, or a name of rankgrid list"
    )
    track.add_argument("--uri", default="", help="the tracking server (default: the study's)")
    track.add_argument(
        "--store", default="", help="the store that the study used (default: the study's)"
    )
    add_trust_flag(track)
    add_json_flag(track, "results (folder), addresses (of the study, and of its trials compared)")
    track.set_defaults(command=_track)


def _add_ui(commands: "Commands[argparse.ArgumentParser]") -> None:
    ui = commands.add_parser("ui", help="compare studies in MLflow, on this machine only")
    ui.add_argument(
        "--port",
        type=int,
        default=5000,
        metavar="N",
        help="the port, or else the next free one (default: 5000)",
    )
    ui.add_argument(
        "--store",
        default=".rankgrid/store",
        help="the store of the studies (default: .rankgrid/store)",
    )
    ui.set_defaults(command=_ui)


def _init(found: argparse.Namespace) -> int:
    from bench.cli.init import initialise

    return initialise(found.path, found.output, ci=found.ci, install=found.install)


def _track(found: argparse.Namespace) -> int:
    from bench.cli.tracking import send

    return send(
        found.results, uri=found.uri, store=found.store, trusted=found.trust, as_json=found.json
    )


def _ui(found: argparse.Namespace) -> int:
    from bench.cli.tracking import serve_ui

    return serve_ui(found.store, port=found.port)
