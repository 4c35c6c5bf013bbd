"""Common entry point of `python bench/run.py …`, `scripts/bench …` and `rankgrid bench …`."""

import sys
from collections.abc import Sequence

from bench.errors import RankgridError, UsageError
from bench.files import data_folder
from bench.launcher.explain import FAILED, INTERRUPTED, explained
from bench.printable import close_output


def run_bench(
    arguments: Sequence[str], program: str, *, followed: str = "", lone: bool = False
) -> int:
    """Run a command line and return the exit code; errors are printed.

    `followed` names a study that the caller compares with the new one. `lone` refuses a grid.
    """
    try:
        code = _explained(arguments, program, followed=followed, lone=lone)
        sys.stdout.flush()
    except BrokenPipeError:
        close_output()
        return FAILED
    except OSError as error:  # a full disk, for example, in a place without a message of its own
        return explained(error, debug="--debug" in arguments)
    return code


def _explained(arguments: Sequence[str], program: str, *, followed: str, lone: bool) -> int:
    if {"-h", "--help"} & set(arguments):
        from bench.launcher.help_page import help_page

        print(help_page(program))  # noqa: T201 - the result of the program
        return 0
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        return _run(arguments, program, followed=followed, lone=lone)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (RankgridError, HydraException, OmegaConfBaseException) as error:
        return explained(error, debug="--debug" in arguments)


def _run(arguments: Sequence[str], program: str, *, followed: str, lone: bool) -> int:
    from bench.launcher.arguments import parse_arguments
    from bench.launcher.points import as_yaml, has_points, read_points
    from bench.launcher.study_files import with_study_file

    conf, found = data_folder("conf"), parse_arguments(arguments, program)
    overrides, is_grid = with_study_file(found.overrides, conf, frozenset(found.trust))
    multirun = found.multirun or is_grid or has_points(overrides)
    if multirun and lone:
        message = "rankgrid run takes one configuration, and the settings make a grid"
        raise UsageError(f"{message}. Use rankgrid bench, or give each setting one value.")
    if multirun and found.cfg:
        message = "--cfg shows one configuration; leave -m out, or show a grid with --plan"
        raise UsageError(message)
    points = read_points(overrides, conf, multirun=multirun, trusted=frozenset(found.trust))
    if found.cfg:
        print(as_yaml(points[0]))  # noqa: T201
        return 0
    from bench.launcher.execute import run_study
    from bench.launcher.flags import flags_of

    command = " ".join([program, *arguments])
    return run_study(points, flags_of(found, command, followed=followed))
