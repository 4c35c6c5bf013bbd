"""`rankgrid report`: the report of one stored study, or a joint report of several."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings
from bench.errors import UsageError

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name


def add_command(commands: "Commands") -> None:
    """Add `report` to the command line."""
    report = commands.add_parser(
        "report",
        help="write the report of a study again, or one report of several studies",
        description="Several studies of the same queries become one table with one advice.",
    )
    report.add_argument(
        "results",
        nargs="+",
        help="a results.json, its folder, latest, a name of rankgrid list, mlflow:RUN, or"
        " REV:PATH in git",
    )
    report.add_argument("--to", help="the folder to write to (default: that of the results)")
    add_places(report)
    add_json_flag(report, "study, report (the path of report.html)")
    report.add_argument(
        "--target",
        action="append",
        default=[],
        type=_target,
        metavar="TIER=SHARE",
        help="the P@10 that a tier must exceed, such as easy=0.5 (default: the study's)",
    )
    report.set_defaults(command=_report)


def _target(text: str) -> tuple[str, float]:
    tier, equals, value = text.partition("=")
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not tier or not equals or not 0 <= share <= 1:
        message = f"{text}: write TIER=SHARE with a share from 0 to 1, such as easy=0.5"
        raise argparse.ArgumentTypeError(message)
    return tier, share


def _report(found: argparse.Namespace) -> int:
    from bench.report import write_report
    from bench.wiring import find_study

    if len(found.results) > 1:
        return _report_on_several(found)
    stored = find_study(found.results[0], study_settings(found))
    place = Path(stored.where).expanduser()
    if not found.to and not place.exists():
        raise UsageError(f"{found.results[0]}: add --to FOLDER; the report has no folder to go to")
    folder = place if place.is_dir() else place.parent
    to = Path(found.to).expanduser() if found.to else folder
    page = write_report(stored.study, to, dict(found.target))
    if found.json:
        print_json({"study": stored.study.id, "report": str(page)})
    else:
        print(f"Report: {page}")
    return 0


def _report_on_several(found: argparse.Namespace) -> int:
    from bench.advice import Line, advice_record, advise
    from bench.report import show_result, write_report
    from bench.results import write_results
    from bench.results.join import joined
    from bench.wiring import find_study, prior_tables

    places = study_settings(found)
    study = joined([find_study(text, places).study for text in found.results])
    tables = prior_tables(replace(places, advice=study.settings.advice))
    said = advise(study, study.settings.advice, seed=study.settings.seed, tables=tables)
    folder = Path(found.to or Path(found.output) / study.id).expanduser()
    study = write_results(replace(study, advice=advice_record(said)), folder)
    page = write_report(study, folder, dict(found.target))
    if found.json:
        print_json({"study": study.id, "report": str(page)})
    else:
        show_result(study, said, where=(Line("Report", str(page), is_whole=True),))
    return 0
