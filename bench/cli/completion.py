"""`rankgrid completion SHELL`: prints a script for completion on TAB.

The scripts run `bench.cli.candidates` with the interpreter that printed them. TAB therefore never
executes code from the current folder, even if it contains a `bench/run.py`.
"""

import argparse
import shlex
import sys
from pathlib import Path

SHELLS = ("bash", "zsh", "fish")
_SCRIPTS = Path(__file__).with_name("completion_scripts")


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "completion", help="print a script that completes commands and settings on TAB"
    )
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(command=_print_script)


def _print_script(found: argparse.Namespace) -> int:
    script = (_SCRIPTS / f"rankgrid.{found.shell}").read_text(encoding="utf-8")
    print(script.replace("PYTHON", shlex.quote(sys.executable)), end="")
    return 0
