"""`rankgrid gate`: checks a finished study."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings

if TYPE_CHECKING:
    from bench.results import StudyResult


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    from bench.gate import add_gate_flags

    parser = commands.add_parser(
        "gate", help="check a finished study against floors, ceilings and a baseline"
    )
    parser.add_argument("results", nargs="?", default="latest", help="the study (default: latest)")
    parser.add_argument(
        "--of", choices=("all", "best"), default="all", help="trials that must pass (default: all)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="random seed of the tests (default: 0)"
    )
    add_gate_flags(parser)
    add_json_flag(parser, "study, state, exit_code, notes, checks, as in --gate-json FILE")
    add_places(parser)
    parser.set_defaults(command=_gate)


def _gate(found: argparse.Namespace) -> int:
    from bench.errors import UsageError
    from bench.gate import gate_flags, judge, write_outputs
    from bench.gate.outputs import as_plain
    from bench.wiring import find_study

    flags, settings = gate_flags(found), study_settings(found)
    if not flags.limits and not flags.baseline:
        raise UsageError("gate: no check is given; add --min, --max or --baseline")
    study = find_study(found.results, settings).study
    _check_waived(flags.waived, study)
    baseline = None
    if flags.baseline:
        baseline = find_study(flags.baseline, settings).study
    verdict = judge(study, flags.asked(of=found.of, seed=found.seed), baseline=baseline)
    annotations = write_outputs(verdict, flags)
    if found.json:
        print_json(as_plain(verdict))
        return verdict.exit_code
    for line in (*verdict.lines, *annotations):
        print(line)
    return verdict.exit_code


def _check_waived(waived: Sequence[str], study: "StudyResult") -> None:
    from bench.errors import UsageError, nearest

    names = {query.repository for trial in study.trials for query in trial.queries}
    for name in waived:
        if name not in names:
            raise UsageError(f"--waive {name}: no such repository; {nearest(name, names)}")
