"""`rankgrid advise`: a new recommendation from a finished study, without running anything."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings
from bench.errors import UsageError

if TYPE_CHECKING:
    from bench.results import StudyResult
    from bench.settings.study import AdviceSettings


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `advise` to the command line."""
    parser = commands.add_parser(
        "advise",
        help="choose again from a finished study, with other limits",
        description="Choose again from a finished study, with other limits or another measure."
        " Options that are not given keep the values of the study. Nothing is run or changed.",
    )
    parser.add_argument("results", help="the study (see rankgrid compare -h)")
    parser.add_argument(
        "--budget-tokens", type=int, metavar="N", help="tokens of context that a reader can afford"
    )
    parser.add_argument("--objective", metavar="MEASURE", help="the measure to compare by")
    parser.add_argument("--margin", type=float, help="a difference that is too small to matter")
    parser.add_argument(
        "--prior", choices=("on", "off"), help="off: ignore results on other repositories"
    )
    parser.add_argument(
        "--max-latency", type=float, metavar="MS", help="limit of the 95th percentile of latency"
    )
    parser.add_argument(
        "--max-index-seconds", type=float, metavar="S", help="limit of the time to index"
    )
    parser.add_argument(
        "--max-memory", type=float, metavar="MB", help="limit of the memory of a stage"
    )
    parser.add_argument(
        "--max-shown-tokens", type=float, metavar="N", help="limit of the tokens in ten hits"
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print everything that the report says"
    )
    add_json_flag(parser, "the `recommendation` of results.json: ship, highest, sentences, …")
    add_places(parser)
    parser.set_defaults(command=_advise)


def _advise(found: argparse.Namespace) -> int:
    from bench.advice import advice_record, advise
    from bench.report import show_advice
    from bench.results.codec import encode
    from bench.wiring import find_study, prior_tables

    places = study_settings(found)
    study = find_study(found.results, places).study
    wanted = _wanted(study.settings.advice, found)
    _refuse_unmeasured(study, wanted.measure, found.results)
    tables = prior_tables(replace(places, advice=wanted))
    said = advise(study, wanted, seed=study.settings.seed, tables=tables)
    if found.json:
        print_json(encode(advice_record(said)))
    else:
        show_advice(study, said, is_verbose=found.verbose)
    return 0


def _refuse_unmeasured(study: "StudyResult", measure: str, typed: str) -> None:
    """Refuse a measure that no trial has, and list similar measures of the study."""
    columns = {name.removeprefix("avg_") for trial in study.trials for name in trial.summary}
    if measure not in columns:
        kind = measure.partition("_at_")[0]
        alike = sorted(name for name in columns if name.partition("_at_")[0] == kind)
        has = f"it has {', '.join(alike)}" if alike else "see its results.json for what it has"
        raise UsageError(
            f"{measure}: the study did not measure it; {has}."
            f" Run `rankgrid rescore {typed} --measure {measure}` first."
        )


def _wanted(settings: "AdviceSettings", found: argparse.Namespace) -> "AdviceSettings":
    """Return the study's settings with overrides; a new token budget resets the objective."""
    given = {
        "budget_tokens": found.budget_tokens,
        "objective": found.objective,
        "margin": found.margin,
        "prior": found.prior,
        "max_latency_p95_ms": found.max_latency,
        "max_index_seconds": found.max_index_seconds,
        "max_memory_mb": found.max_memory,
        "max_shown_tokens": found.max_shown_tokens,
    }
    changed = {name: value for name, value in given.items() if value is not None}
    if found.budget_tokens is not None and found.objective is None:
        changed["objective"] = None
    return replace(settings, **changed)
