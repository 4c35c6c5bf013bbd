"""`rankgrid rescore`: the measures of today over the rankings of a finished study."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.cli.places import add_places, study_settings
from bench.cli.recorded import recorded_store
from bench.settings.trust import add_trust_flag

_NO_ADVICE = "Rescored from stored rankings, without new advice."


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "rescore",
        help="compute new or changed measures over stored rankings, running nothing",
        description="Latency, costs, queries and answers stay; advice is not given anew.",
    )
    parser.add_argument("results", help="the study (see rankgrid compare -h)")
    parser.add_argument(
        "--measure", action="append", default=[], metavar="NAME", help="besides the standard ones"
    )
    parser.add_argument("--to", default="", metavar="FOLDER", help="where the new results go")
    add_places(parser)
    add_trust_flag(parser)
    parser.set_defaults(command=_rescore, store="")


def _rescore(found: argparse.Namespace) -> int:
    from bench.finding import find_study
    from bench.measures import parse_measure
    from bench.reporting import write_results

    for name in found.measure:
        parse_measure(name)
    settings = study_settings(found)
    study = find_study(found.results, settings)
    old = study.results
    if not found.store:
        settings = replace(settings, store=recorded_store(old, study.where, found.trust))
    columns = tuple(dict.fromkeys([*_measured(old), *found.measure]))
    new = _renewed(old, settings.store, columns)
    folder = Path(found.to or Path(found.output) / str(new["study"])).expanduser()
    place = write_results(new, folder)
    print(*_changes(old, new), sep="\n")
    print(f"Results: {place}")
    return 0


def _measured(old: Mapping[str, Any]) -> list[str]:
    """Return the measures that the study had, as far as there still are such."""
    from bench.errors import SettingError
    from bench.measures import parse_measure

    found = []
    for name in {key: None for report in old["reports"] for key in report["summary"]}:
        try:
            found.append(parse_measure(name.removeprefix("avg_")).column)
        except SettingError:
            continue  # a cost, a count, or a measure that is gone
    return found


def _renewed(old: Mapping[str, Any], store: str, columns: tuple[str, ...]) -> dict[str, Any]:
    from bench.advice import no_advice_document
    from bench.measures.version import MEASURE_VERSION
    from bench.reporting.results_file import rounded_json
    from bench.settings import StudySettings
    from bench.study.rescoring import Rescoring
    from bench.wiring import open_store

    rescoring = Rescoring(open_store(StudySettings(store=store)), str(old["level"]), columns)
    said = (
        f"rescored from {old['study']} (measures version {old.get('measure_version')}) on"
        f" {datetime.now(UTC):%Y-%m-%d}; latency and costs are as they were measured then"
    )
    return rounded_json(
        {
            **old,
            "study": f"{old['study']}-rescored",
            "measure_version": MEASURE_VERSION,
            "notes": [*old["notes"], said],
            "reports": [rescoring.report(report) for report in old["reports"]],
            "recommendation": no_advice_document(_NO_ADVICE),
        }
    )


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Say which means changed, and which are new."""
    lines = []
    for before, after in zip(old["reports"], new["reports"], strict=True):
        name = after["config"]["name"]
        pairs = {
            key: (before["summary"].get(key), value)
            for key, value in after["summary"].items()
            if key.startswith("avg_")
        }
        apart = {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
        lines += [f"{name}: {key.removeprefix('avg_')} {_said(*of)}" for key, of in apart.items()]
        lines += [f"{name}: every mean is as it was"] if not apart else []
    return lines


def _said(before: float | None, after: float | None) -> str:
    return f"{after} (new)" if before is None else f"{before} → {after}"
