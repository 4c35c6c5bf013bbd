"""`rankgrid compare`: comparison of two stored studies."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.study_flags import add_places, study_settings
from bench.files import write_whole

if TYPE_CHECKING:
    from bench.compare import CompareReport, Pairing
    from bench.results import StudyResult

_NOTES = """\
A and B are each a results.json, its folder, latest, the name of a saved
baseline, mlflow:RUN, or REV:PATH of a results file in git
(main:baselines/main.json). B is judged, A is the study that it is judged
against. Trials are paired by equal configuration; --trial-a and --trial-b name
others. The only trial of A, or --trial-a alone, is compared with every trial
of B; they share the error rate.
"""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "compare",
        help="compare two studies, query by query, with confidence intervals",
        epilog=_NOTES,
    )
    parser.add_argument("a", help="the study before")
    parser.add_argument("b", help="the study after")
    parser.add_argument("--trial", default="", metavar="NAME", help="the trial of both studies")
    parser.add_argument("--trial-a", default="", metavar="NAME", help="the trial of a")
    parser.add_argument("--trial-b", default="", metavar="NAME", help="the trial of b")
    parser.add_argument(
        "--strict-chunker-version",
        action="store_true",
        help="refuse to compare trials that cut documents differently",
    )
    parser.add_argument(
        "--flips", type=int, default=3, help="queries shown of each kind of change (default: 3)"
    )
    parser.add_argument(
        "--all", action="store_true", help="also show the measures that did not change"
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument(
        "--json",
        action="store_true",
        help="print JSON: run_a, run_b, trial_a, trial_b, deltas, intervals, causes, per_query, …",
    )
    forms.add_argument("--markdown", action="store_true", help="print markdown")
    parser.add_argument(
        "--to", default="", metavar="FILE", help="write to a file instead of printing"
    )
    add_places(parser)
    parser.set_defaults(command=_compare)


def _compare(found: argparse.Namespace) -> int:
    from bench.compare import compare
    from bench.wiring import find_study

    settings = study_settings(found)
    places = [find_study(text, settings) for text in (found.a, found.b)]
    a, b = (place.study for place in places)
    names = (
        found.trial_a or found.trial or places[0].trial,
        found.trial_b or found.trial or places[1].trial,
    )
    pairing = _pairing(a, b, names)
    trials, strict = len(pairing.pairs), found.strict_chunker_version
    reports = [compare(a, b, pair, strict=strict, trials=trials) for pair in pairing.pairs]
    _give(_form(found, reports, pairing), found.to)
    return 0


def _pairing(a: "StudyResult", b: "StudyResult", names: tuple[str, str]) -> "Pairing":
    from bench.compare import against_one, named_pair, paired
    from bench.errors import UsageError

    if (names[0] or len(a.trials) == 1) and not names[1] and len(b.trials) > 1:
        return against_one(a, b, names[0])
    if any(names):
        return named_pair(a, b, of_a=names[0], of_b=names[1])
    pairing = paired(a, b)
    if not pairing.pairs:
        message = (
            "no trial of a has the configuration or the name of one of b; name a pair with"
            f" --trial-a ({', '.join(pairing.only_a[:3])}) and --trial-b"
            f" ({', '.join(pairing.only_b[:3])})"
        )
        raise UsageError(message)
    return pairing


def _form(found: argparse.Namespace, reports: list["CompareReport"], pairing: "Pairing") -> str:
    from bench.compare import as_json, as_markdown, as_text

    if found.json:
        return json.dumps(as_json(_the_only(reports)), indent=1) + "\n"
    if found.markdown:
        return "\n".join(as_markdown(report, every=found.all) for report in reports)
    pages = [as_text(report, flips=found.flips, every=found.all) for report in reports]
    pages += [f"only in a: {name}" for name in pairing.only_a]
    pages += [f"only in b: {name}" for name in pairing.only_b]
    return "\n\n".join(pages) + "\n"


def _the_only(reports: list["CompareReport"]) -> "CompareReport":
    from bench.errors import UsageError

    if len(reports) > 1:
        names = ", ".join(report.pair.b.name for report in reports[:3])
        message = f"--json prints one pair, and there are {len(reports)}; add --trial ({names})"
        raise UsageError(message)
    return reports[0]


def _give(text: str, file: str) -> None:
    if file:
        write_whole(Path(file).expanduser(), text)
        print(f"written: {file}")
    else:
        print(text, end="")
