"""`rankgrid baseline`: saves a study for comparisons with later ones."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings
from bench.commands import bench_command
from bench.errors import UsageError
from bench.files import write_whole

if TYPE_CHECKING:
    from bench.results import StudyResult

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the commands."""
    parser = commands.add_parser("baseline", help="save a study as a baseline for later ones")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    save = verbs.add_parser("save", help="save a study under baselines/, to commit it")
    save.add_argument("results", nargs="?", default="latest", help="the study (default: latest)")
    save.add_argument("--name", default="main", help="the name of the baseline (default: main)")
    add_places(save)
    add_json_flag(save, "study, baseline (path)")
    save.set_defaults(command=_save)
    show = verbs.add_parser("show", help="show the numbers of a baseline and where they are from")
    show.add_argument("name", nargs="?", default="main", help="the baseline (default: main)")
    add_places(show)
    add_json_flag(
        show,
        "baseline (path), study, began, commit, suite, level, measure_version, corpus (each with"
        " repository, queries, documents), trials (each with trial, numbers)",
    )
    show.set_defaults(command=_show)


def _save(found: argparse.Namespace) -> int:
    from bench.results import BASELINES, text_of
    from bench.wiring import find_study

    if not _NAME.fullmatch(found.name):
        raise UsageError(f"--name {found.name}: letters, digits, dots, - and _ only")
    study = find_study(found.results, study_settings(found)).study
    _refuse_unfit(study)
    place = BASELINES / f"{found.name}.json"
    replaced = _replaced(place)
    write_whole(place, text_of(study))
    if found.json:
        print_json({"study": study.id, "baseline": str(place)})
        return 0
    print(f"{place}: study {study.id}{replaced}")
    print(f"Use it: {bench_command(f'… --baseline {found.name}')}")
    return 0


def _refuse_unfit(study: "StudyResult") -> None:
    """Refuse a study that no later study can be compared with."""
    failed = [trial.name for trial in study.trials if trial.failed]
    if failed:
        message = f"study {study.id}: {failed[0]} failed; a baseline must be complete"
        raise UsageError(message)
    lost = [one.query for one in study.questions if one.is_lost]
    if lost and study.missing.setting == "refuse":
        message = f"study {study.id}: the targets of {', '.join(lost[:5])} are no longer there"
        raise UsageError(f"{message}; update the queries and run it again")
    if not study.corpus:
        message = f"study {study.id}: does not record its sources; run it again"
        raise UsageError(message)


def _replaced(place: Path) -> str:
    """Return a note on the study that the new baseline replaces."""
    from bench.results import read_results

    if not place.exists():
        return ""
    try:
        return f", in place of {read_results(place).id}"
    except UsageError:
        return ", in place of a file that was not a results file"


def _show(found: argparse.Namespace) -> int:
    from bench.measures import OF_ANSWERS
    from bench.results import COLUMNS
    from bench.results.columns import known_columns
    from bench.wiring import find_study

    place = find_study(found.name, study_settings(found))
    study = place.study
    if found.json:
        print_json({"baseline": place.where, **_as_json(study)})
        return 0
    commit = f", commit {study.git_sha}" if study.git_sha else ""
    print(f"{place.where}: study {study.id} of {study.timestamp}{commit}")
    measured = f"{study.level_and_credit}, measures version {study.measure_version}"
    print(f"suite {study.suite} at {measured}")
    for one in study.corpus:
        print(f"  {one.repository}: {one.count} queries {one.queries}, source {one.documents}")
    for trial in study.trials:
        numbers = [f"{one.heading} {one.text(trial)}" for one in known_columns(COLUMNS, [trial])]
        answers = ((name, trial.mean(name)) for name in OF_ANSWERS)
        numbers += [f"{name} {value:.4f}" for name, value in answers if value is not None]
        print(f"{trial.name}: {', '.join(numbers)}")
    return 0


def _as_json(study: "StudyResult") -> dict[str, object]:
    return {
        "study": study.id,
        "began": study.timestamp,
        "commit": study.git_sha,
        "suite": study.suite,
        "level": study.level,
        "measure_version": study.measure_version,
        "corpus": [
            {"repository": one.repository, "queries": one.count, "documents": one.documents}
            for one in study.corpus
        ],
        "trials": [
            {"trial": trial.name, "numbers": dict(trial.summary)} for trial in study.trials
        ],
    }
