"""`rankgrid rescore`: current measures computed from the rankings of a finished study."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.recorded import recorded_store
from bench.cli.study_flags import add_places, study_settings
from bench.settings.trust import add_trust_flag

if TYPE_CHECKING:
    from bench.results import StudyResult


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "rescore",
        help="compute other measures from stored rankings, without running anything",
        description="Compute other measures from stored rankings, without running anything."
        " Latency, costs, queries, answers and the advice stay as they are.",
    )
    parser.add_argument("results", help="the study (see rankgrid compare -h)")
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="a measure besides the standard ones (may be repeated)",
    )
    parser.add_argument(
        "--to", default="", metavar="FOLDER", help="the folder for the new results"
    )
    add_places(parser)
    add_json_flag(
        parser, "study, results (path), changes (each with trial, measure, before, after)"
    )
    add_trust_flag(parser)
    parser.set_defaults(command=_rescore, store="")


def _rescore(found: argparse.Namespace) -> int:
    from bench.measures import parse_measure
    from bench.results import write_results
    from bench.results.rescore import rescored
    from bench.wiring import find_study, open_store

    for name in found.measure:
        parse_measure(name)
    settings = study_settings(found)
    stored = find_study(found.results, settings)
    old = stored.study
    if not found.store:
        store = recorded_store(old.settings, stored.where, found.trust)
        settings = replace(settings, store=store)
    columns = tuple(dict.fromkeys([*_measured(old), *found.measure]))
    new = rescored(old, open_store(settings), columns)
    folder = Path(found.to or Path(found.output) / new.id).expanduser()
    write_results(new, folder)
    place = folder / "results.json"
    if found.json:
        print_json({"study": new.id, "results": str(place), "changes": list(_changes(old, new))})
        return 0
    print(*_lines(old, new), sep="\n")
    print(f"Results: {place}")
    return 0


def _measured(old: "StudyResult") -> list[str]:
    """Return the study's measures that this version still knows."""
    from bench.errors import SettingError
    from bench.measures import parse_measure

    found = []
    for name in {key: None for trial in old.trials for key in trial.summary}:
        try:
            found.append(parse_measure(name.removeprefix("avg_")).column)
        except SettingError:
            continue  # a cost, a count, or a measure that no longer exists
    return found


def _changes(old: "StudyResult", new: "StudyResult") -> Iterator[dict[str, object]]:
    """Yield each changed mean; `before` is None for a new one."""
    for before, after in zip(old.trials, new.trials, strict=True):
        for name, value in after.summary.items():
            earlier = before.summary.get(name)
            if name.startswith("avg_") and earlier != value:
                measure = name.removeprefix("avg_")
                named = {"trial": after.name, "measure": measure}
                yield {**named, "before": earlier, "after": value}


def _lines(old: "StudyResult", new: "StudyResult") -> Iterator[str]:
    """Yield a line for each change, or a line for a trial without changes."""
    changes = list(_changes(old, new))
    for trial in new.trials:
        own = [one for one in changes if one["trial"] == trial.name]
        for one in own:
            yield f"{trial.name}: {one['measure']} {_change(one['before'], one['after'])}"
        if not own:
            yield f"{trial.name}: every mean is as it was"


def _change(before: object, after: object) -> str:
    return f"{after} (new)" if before is None else f"{before} → {after}"
