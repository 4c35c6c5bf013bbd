"""`rankgrid experiment`: a log of hypotheses, measurements before and after, and decisions.

Entries are only appended to EXPERIMENTS.md. Both measurements are stored in a folder beside it.
"""

import argparse
import json
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings
from bench.commands import command
from bench.errors import UsageError
from bench.files import write_whole
from bench.printable import one_line

if TYPE_CHECKING:
    from bench.compare import CompareReport
    from bench.results import StudyResult, TrialResult

LOG, FOLDER = Path("EXPERIMENTS.md"), Path("experiments")
_TITLE = "# Experiments\n\nEvery change that was tried, so that nothing is tried twice.\n"
_HEADING = re.compile(r"^## Experiment (\d+)(?: concluded)?: (.+)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}")
_LISTED = 20


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the commands."""
    parser = commands.add_parser("experiment", help="keep a log of experiments in EXPERIMENTS.md")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    start = verbs.add_parser("start", help="write down a hypothesis, and save the baseline")
    start.add_argument("name", help="a short title")
    start.add_argument("--hypothesis", required=True, help="what you expect, and why")
    start.add_argument("--what", default="", help="what will be changed")
    start.add_argument("--baseline", required=True, metavar="RESULTS", help="the study before")
    start.set_defaults(command=_start)
    end = verbs.add_parser("conclude", help="compare with the baseline, and record the decision")
    end.add_argument("name", help="the title of the experiment")
    end.add_argument("--results", required=True, help="the study after")
    end.add_argument("--conclusion", required=True, help="whether it worked, and why")
    decision = end.add_mutually_exclusive_group(required=True)
    decision.add_argument("--keep", action="store_const", const="keep", dest="decision")
    decision.add_argument("--revert", action="store_const", const="revert", dest="decision")
    add_json_flag(
        end,
        "experiment (its number), name, decision, conclusion, comparison (as rankgrid compare"
        " --json prints it)",
    )
    end.set_defaults(command=_conclude)
    for verb in (start, end):
        verb.add_argument(
            "--trial", default="", metavar="NAME", help="the trial, if the study has several"
        )
        add_places(verb)


def _start(found: argparse.Namespace) -> int:
    from bench.wiring import find_study

    name = _checked_name(found.name)
    if name in _known():
        raise UsageError(f"experiment {name}: already exists; choose another name")
    place = find_study(found.baseline, study_settings(found))
    study = place.study
    trial = _measured(study, found.trial or place.trial, f"--baseline {found.baseline}")
    _keep(study, name, "before", trial.name)
    lines = [
        f"## Experiment {_next_number()}: {name}",
        "",
        f"**Date:** {datetime.now(UTC):%Y-%m-%d}",
        f"**Hypothesis:** {one_line(found.hypothesis)}",
        f"**What:** {one_line(found.what) or 'not said'}",
        f"**Before:** {_named(study, trial)}",
    ]
    _append(lines)
    print(f"{LOG}: {lines[0].removeprefix('## ')}; measured before: {_named(study, trial)}")
    rest = f"{shlex.quote(name)} --results latest --conclusion … --keep"
    print(f"Then: {command(f'experiment conclude {rest}')}")
    return 0


def _conclude(found: argparse.Namespace) -> int:
    from bench.compare import as_json
    from bench.wiring import find_study

    name = _checked_name(found.name)
    number = _open_number(name)
    before, before_trial = _kept(name)
    place = find_study(found.results, study_settings(found))
    trial = _measured(place.study, found.trial or place.trial, f"--results {found.results}")
    report = _compared(before, before_trial, place.study, trial, name)
    _keep(place.study, name, "after", trial.name)
    lines = [
        f"## Experiment {number} concluded: {name}",
        "",
        f"**Date:** {datetime.now(UTC):%Y-%m-%d}",
        f"**Before:** {_named(report.a, report.pair.a)}",
        f"**After:** {_named(report.b, report.pair.b)}",
        *_result(report),
        "",
        f"**Conclusion:** {one_line(found.conclusion)}",
        f"**Decision:** {found.decision}",
    ]
    _append(lines)
    if found.json:
        print_json(
            {
                "experiment": number,
                "name": name,
                "decision": found.decision,
                "conclusion": found.conclusion,
                "comparison": as_json(report),
            }
        )
        return 0
    print("\n".join(lines))
    return 0


def _result(report: "CompareReport") -> list[str]:
    from bench.compare.tiers import fell, fell_to_zero, rose, rose_from_zero, tier_lines, tiers

    lines = [f"**Differs:** {'; '.join(map(str, report.causes)) or 'nothing that is known'}"]
    lines += ["**Result:**", *tier_lines(tiers(report)), ""]
    for said, names in (
        ("Fell to 0", fell_to_zero(report)),
        ("Rose from 0", rose_from_zero(report)),
        ("Fell", fell(report)),
        ("Rose", rose(report)),
    ):
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        lines.append(f"**{said}:** {', '.join(names[:_LISTED]) or 'none'}{more}")
    return lines


def _compared(
    before: "StudyResult", of_a: str, after: "StudyResult", trial: "TrialResult", name: str
) -> "CompareReport":
    """Return the comparison of before and after, or refuse different sources or queries."""
    from bench.compare import compare, named_pair

    (pair,) = named_pair(before, after, of_a=of_a, of_b=trial.name).pairs
    if (before.id, pair.a) == (after.id, pair.b):
        message = (
            f"experiment {name}: {after.id} is the baseline itself; run the changed code and"
            " give its results"
        )
        raise UsageError(message)
    report = compare(before, after, pair)
    breaks = [str(cause) for cause in report.causes if cause.breaks]
    if breaks:
        message = (
            f"experiment {name}: before and after cannot be compared ({'; '.join(breaks)});"
            " measure both on the same sources and queries"
        )
        raise UsageError(message)
    return report


def _measured(study: "StudyResult", name: str, asked: str) -> "TrialResult":
    """Return the named or only trial, or refuse it if it has no result."""
    from bench.compare import named_pair

    trial = named_pair(study, study, of_a=name, of_b=name).pairs[0].a
    if trial.failed or not trial.queries:
        raise UsageError(f"{asked}: {trial.name} has no result; an experiment needs a measurement")
    return trial


def _keep(study: "StudyResult", name: str, when: str, trial: str) -> None:
    from bench.results.document import as_json

    place = _place(name, when)
    kept = {"trial": trial, "results": as_json(study)}
    write_whole(place, json.dumps(kept, ensure_ascii=False) + "\n")


def _kept(name: str) -> tuple["StudyResult", str]:
    """Return the study before the experiment, and the name of its trial."""
    from bench.results.document import from_json

    place = _place(name, "before")
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
        return from_json(kept["results"], str(place)), str(kept["trial"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = (
            f"experiment {name}: {place} is missing or damaged; without the baseline"
            " there is nothing to conclude: start a new experiment"
        )
        raise UsageError(message) from error


def _place(name: str, when: str) -> Path:
    # "a b" and "a-b" are two experiments, so a space is not written as a dash.
    return FOLDER / quote(name) / f"{when}.json"


def _text() -> str:
    return LOG.read_text(encoding="utf-8") if LOG.exists() else ""


def _known() -> dict[str, int]:
    """Return the number of each experiment by name."""
    return {name: int(number) for number, name in _HEADING.findall(_text())}


def _next_number() -> int:
    return max(_known().values(), default=0) + 1


def _open_number(name: str) -> int:
    """Return the number of an experiment that has started and not concluded."""
    from bench.errors import nearest

    known = _known()
    if name not in known:
        said = nearest(name, known) if known else "none was started"
        raise UsageError(f"experiment {name}: not in {LOG}; {said}")
    if f"## Experiment {known[name]} concluded: {name}\n" in _text():
        raise UsageError(f"experiment {name}: is already concluded; start another")
    return known[name]


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"experiment {name!r}: a title has letters, digits, spaces, dots, - and _"
        )
    return name.strip()


def _append(lines: list[str]) -> None:
    """Append a section to the log in one write."""
    from bench.corpora.own_files import MARKDOWN_SIGN

    start = "" if LOG.exists() else MARKDOWN_SIGN + _TITLE
    with LOG.open("a", encoding="utf-8") as log:
        log.write(start + "\n" + "\n".join(lines) + "\n")


def _named(study: "StudyResult", trial: "TrialResult") -> str:
    commit = f", commit {study.git_sha[:10]}" if study.git_sha else ""
    return f"study {study.id}, {trial.name}{commit}"
