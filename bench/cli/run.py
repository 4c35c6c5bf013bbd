"""`rankgrid run`: one configuration, query by query, compared with the baseline.

A file rankgrid.yaml in the current folder sets the defaults of the settings.
"""

import argparse
import io
import shlex
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

from bench.cli.json_flag import add_json_flag, print_json
from bench.commands import command
from bench.errors import UsageError
from bench.gate import add_limit_flags, limit_words
from bench.parsing import count
from bench.printable import plural
from bench.settings.trust import add_trust_flag

DEFAULTS = Path("rankgrid.yaml")
"""Default settings of the current folder, checked like any file that is not trusted."""
_FEW = 10
_DECISIVE = (1, 3, 4)
"""Exit codes of a finished study: an error, a failed gate, and a gate without a result."""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    run = commands.add_parser(
        "run", help="measure one configuration, query by query, and compare it with the baseline"
    )
    add_limit_flags(run)
    run.add_argument("overrides", nargs="*", help="settings as for rankgrid bench: retriever=bm25")
    run.add_argument(
        "--at", type=int, default=5, metavar="N", help="the number of hits that count (default: 5)"
    )
    run.add_argument(
        "--baseline",
        default="",
        metavar="RESULTS",
        help="tree:REVISION, a file, latest or a saved baseline (default: main, if it exists)",
    )
    run.add_argument(
        "--tolerance",
        type=float,
        default=0.02,
        metavar="X",
        help="the drop that passes (default: 0.02)",
    )
    run.add_argument(
        "--good",
        type=float,
        default=1.0,
        metavar="X",
        help="the lowest MRR that is marked ✓ (default: 1)",
    )
    run.add_argument(
        "--fair",
        type=float,
        default=0.5,
        metavar="X",
        help="the lowest MRR that is marked ⚠ (default: 0.5)",
    )
    run.add_argument(
        "--min-queries",
        type=count,
        default=1,
        metavar="N",
        help="exit 2 if the suite has fewer queries (default: 1)",
    )
    run.add_argument(
        "-v", "--verbose", action="store_true", help="show all queries that missed or failed"
    )
    add_trust_flag(run)
    add_json_flag(
        run,
        "results (path), trial, means, queries (each with repository, id, mark, numbers, error),"
        " comparison (null without a baseline), gate (of floors and ceilings), exit_code",
    )
    run.set_defaults(command=_run)


def _run(found: argparse.Namespace) -> int:
    from bench.cli.run_page import WORST, Marks, against, as_plain, ended, page
    from bench.gate import Asked, judge, limits_of
    from bench.gate.outputs import as_plain as as_plain_gate
    from bench.results import BASELINES, TREE, read_results
    from bench.settings import StudySettings
    from bench.wiring import find_study

    _check(found)
    limits = limits_of(found)
    name = found.baseline or ("main" if (BASELINES / "main.json").exists() else "")
    is_tree = name.startswith(TREE)
    before = find_study(name, StudySettings()).study if name and not is_tree else None
    place, code = _carried_out(found, name)
    study = read_results(place)
    if is_tree:
        name = str(place.with_name("baseline.json"))
        before = read_results(name)
    (trial,) = study.trials
    marks = Marks(found.at, found.good, found.fair)
    comparison = against(before, study, marks, found.tolerance) if before else None
    verdict = judge(study, Asked(limits))
    code = code or (comparison.exit_code if comparison else 0)
    if found.json:
        whole = {**as_plain(trial, marks, comparison), "gate": as_plain_gate(verdict)["checks"]}
        print_json({"results": str(place.resolve()), **whole, "exit_code": code})
    else:
        lines = page(trial, marks, comparison, most=None if found.verbose else WORST)
        _print_page(lines, place, name if comparison else "")
        print("\n".join([*verdict.lines, ended(code)]))
    _warn_of_few(len(trial.queries))
    return code


def _warn_of_few(count: int) -> None:
    if count < _FEW:
        counted = plural(count, "query", "queries")
        told = f"{counted}: fewer than {_FEW} decide little; write more"
        print(f"warning: {told} ({command('fixtures new')})", file=sys.stderr)


def _print_page(lines: Iterable[str], place: Path, baseline: str) -> None:
    for line in lines:
        print(line)
    print(f"\nSaved results to: {place}")
    if baseline:
        studies = shlex.join([baseline, str(place.parent)])
        print(f"Changes are of means; how sure they are: {command(f'compare {studies}')}")


def _check(found: argparse.Namespace) -> None:
    if not 1 <= found.at <= 1000:  # noqa: PLR2004 - as limit
        raise UsageError(f"--at {found.at}: must be from 1 to 1000")
    if not 0 <= found.fair <= found.good <= 1:
        raise UsageError(
            f"--fair {found.fair} --good {found.good}: must be from 0 to 1, --fair below --good"
        )
    if not 0 <= found.tolerance < 1:
        raise UsageError(f"--tolerance {found.tolerance}: must be from 0 to below 1")
    for text in found.overrides:
        if text.startswith("measures="):
            raise UsageError(
                f"{text}: rankgrid run measures what --at says. Use --at N, or rankgrid bench."
            )


def _carried_out(found: argparse.Namespace, baseline: str) -> tuple[Path, int]:
    """Run the study like `rankgrid bench`, without its table; return its results file and code."""
    from bench.launcher.door import run_bench

    given = [text.partition("=")[2] for text in found.overrides if text.startswith("output=")]
    latest = Path(given[-1] if given else "outputs").expanduser() / "latest"
    before = latest.resolve()
    measures = f"measures=[recall_at_{found.at},precision_at_{found.at}]"
    asked = [
        *_with_defaults(found.overrides),
        *limit_words(found),
        measures,
        "--min-queries",
        str(found.min_queries),
    ]
    asked += [f"--trust={file}" for file in found.trust]
    with redirect_stdout(io.StringIO()):
        code = run_bench(asked, "rankgrid bench", followed=baseline, lone=True)
    if code not in (0, *_DECISIVE) or latest.resolve() == before:
        raise SystemExit(code or 1)
    # The folder of the study, because `latest` may change while the file is read.
    return latest.with_name(latest.resolve().name) / "results.json", code


def _with_defaults(overrides: Sequence[str]) -> list[str]:
    """Return the settings with those of rankgrid.yaml, unless a study file is given."""
    typed = any(text.startswith("study=") for text in overrides)
    if typed or not DEFAULTS.is_file():
        return list(overrides)
    print(f"settings that are not typed: {DEFAULTS}", file=sys.stderr)
    return [*overrides, f"study={DEFAULTS}"]
