"""`rankgrid prior`: results on other repositories, to which users can add their own studies."""

import argparse
import re
from typing import TYPE_CHECKING

from bench.cli.study_flags import add_places, study_settings
from bench.errors import UsageError, nearest
from bench.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.prior_table import PriorTable

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the commands."""
    parser = commands.add_parser(
        "prior", help="show or extend the results on other repositories (docs/prior.md)"
    )
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    _add_show(verbs)
    add = verbs.add_parser("add", help="add a finished study of yours")
    add.add_argument("results", help="the study (see rankgrid compare -h)")
    add.add_argument("--name", default="", help="the name of the table (default: the study's id)")
    add.add_argument("--by", default="you", help="the author of its queries (default: you)")
    add_places(add)
    add.set_defaults(command=_add)
    listed = verbs.add_parser("list", help="list the shipped and the added tables")
    add_places(listed)
    listed.set_defaults(command=_list)
    remove = verbs.add_parser("remove", help="remove a table that was added")
    remove.add_argument("name", help="as `rankgrid prior list` shows it")
    add_places(remove)
    remove.set_defaults(command=_remove)


def _add_show(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    show = verbs.add_parser(
        "show", help="show the scores of each configuration on other repositories"
    )
    show.add_argument(
        "--measure",
        default="coverage_at_4000_tokens",
        help="the measure (default: coverage_at_4000_tokens)",
    )
    show.add_argument("--kind", default="", help="the kind of question (default: all)")
    show.add_argument("--level", default="span", help="file, symbol or span (default: span)")
    add_places(show)
    show.set_defaults(command=_show)


def _tables(found: argparse.Namespace) -> "tuple[PriorTable, ...]":
    from bench.wiring import prior_tables

    return prior_tables(study_settings(found))


def _folder(found: argparse.Namespace) -> "Path":
    from bench.wiring import prior_folder

    return prior_folder(study_settings(found))


def _add(found: argparse.Namespace) -> int:
    from bench.results.prior_table import table_of, text_of_table
    from bench.wiring import find_study

    study = find_study(found.results, study_settings(found)).study
    name = found.name or study.id
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--name {name}: has characters that are not allowed. Use letters, digits, ., - and _."
        )
    date = study.timestamp.partition("T")[0]
    table = table_of([study], name=name, version=date, by=found.by)
    place = _folder(found) / f"{name}.json"
    write_whole(place, text_of_table(table))
    print(f"{place}: {_about(table)}")
    print("Later studies about other repositories take it into account.")
    return 0


def _list(found: argparse.Namespace) -> int:
    for table in _tables(found):
        print(f"{table.name} ({table.version}, {table.level} level): {_about(table)}")
        print(f"  queries by {table.by}")
    return 0


def _about(table: "PriorTable") -> str:
    return (
        f"{len(table.configurations)} configurations, {table.queries} queries about"
        f" {', '.join(one.repository for one in table.repositories)}"
    )


def _remove(found: argparse.Namespace) -> int:
    folder = _folder(found)
    places = {place.stem: place for place in folder.glob("*.json")}
    if found.name not in places:
        raise UsageError(f"{found.name}: was not added to {folder}; {nearest(found.name, places)}")
    places[found.name].unlink()
    print(f"{places[found.name]}: removed")
    return 0


def _show(found: argparse.Namespace) -> int:
    from bench.advice import measure_label
    from bench.results.prior_table import MEASURES, summaries

    if found.measure not in MEASURES:
        remedy = nearest(found.measure, MEASURES)
        raise UsageError(f"--measure {found.measure}: not in the tables; {remedy}")
    tables = [table for table in _tables(found) if table.level == found.level]
    kinds = sorted({kind for table in tables for one in table.repositories for kind in one.kinds})
    if not tables:
        raise UsageError(
            f"--level {found.level}: no table has this level; see `rankgrid prior list`"
        )
    if found.kind and found.kind not in kinds:
        raise UsageError(f"--kind {found.kind}: not in the tables; {nearest(found.kind, kinds)}")
    print(f"{measure_label(found.measure)} at {found.level} level, {found.kind or 'all kinds'}")
    print(_LINE.format("lead", "spread", "mean", "repositories", "queries", "configuration"))
    for one in summaries(tables, found.measure, found.kind):
        spread = "-" if one.spread is None else f"{one.spread:.3f}"
        numbers = (f"{one.lead:+.3f}", spread, f"{one.mean:.3f}", one.repositories, one.queries)
        print(_LINE.format(*numbers, one.name))
    print(_MEANING)
    print(f"Kinds of questions: {', '.join(kinds)}.")
    return 0


_LINE = "{:>7} {:>7} {:>7} {:>13} {:>8}  {}"
_MEANING = """lead: over the mean of all configurations on the same queries
spread: the standard deviation of the lead between repositories, chance of few queries included"""
