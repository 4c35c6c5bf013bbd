"""`rankgrid try`: advice for a repository without labels, in one command."""

import argparse

from bench.cli.study_flags import minutes
from bench.settings.trust import add_trust_flag

_DESCRIPTION = (
    "Make queries of a repository, run a small grid on them, and end with the usual table, advice "
    "and report. No label, model server or key is needed. Queries, results and stored work go to "
    ".rankgrid and outputs of the current folder, which git ignores. docs/generated.md says how "
    "far to trust them."
)


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    trying = commands.add_parser(
        "try", help="get advice for a repository without labels", description=_DESCRIPTION
    )
    trying.add_argument(
        "path", nargs="?", default=".", help="a folder, or a git URL (default: the current folder)"
    )
    trying.add_argument(
        "overrides", nargs="*", help="settings as for rankgrid bench: chunk=256,512"
    )
    trying.add_argument(
        "--minutes",
        type=minutes,
        default=5,
        metavar="N",
        help="stop or skip configurations that would not finish in N minutes in all (default: 5)",
    )
    trying.add_argument("--plan", action="store_true", help="show what would run, and stop")
    trying.add_argument("-v", "--verbose", action="store_true", help="show every line of advice")
    add_trust_flag(trying)
    trying.set_defaults(command=_try)


def _try(found: argparse.Namespace) -> int:
    from bench.launcher.door import run_bench
    from bench.launcher.overrides import as_setting

    path, overrides = found.path, found.overrides
    if "=" in path and "://" not in path:  # a setting in place of the omitted path
        path, overrides = ".", [path, *overrides]
    typed = {text.partition("=")[0] for text in overrides}
    usual = ["study=try", "suite=auto", f"budget_minutes={found.minutes:g}"]
    arguments = [text for text in usual if text.partition("=")[0] not in typed]
    arguments += [as_setting("repository", path), *overrides]
    flags = ["--plan"] * found.plan + ["--verbose"] * found.verbose
    flags += [f"--trust={file}" for file in found.trust]
    return run_bench([*flags, "-m", *arguments], "rankgrid bench")
