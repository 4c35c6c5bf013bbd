"""`rankgrid judge`: judgements of the few hits that decide between the trials of a study."""

import argparse
import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.fixtures.arguments import place
from bench.cli.recorded import recorded_store
from bench.cli.study_flags import add_places, minutes, study_settings
from bench.errors import UsageError
from bench.settings.trust import add_trust_flag

if TYPE_CHECKING:
    from bench.authoring.judging import AskedFiles, JudgedStudy
    from bench.results import Found

_DESCRIPTION = (
    "Ask about hits that nobody has judged and on which the leading trials disagree, the most "
    "decisive first, and show the effect of the answers. Answers go to the file of queries; no "
    "stage is run. Run the study again to use them."
)
_LONGEST_NAME = 80


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    judge = commands.add_parser(
        "judge", help="judge the few hits that decide between trials", description=_DESCRIPTION
    )
    judge.add_argument(
        "study",
        nargs="?",
        default="latest",
        help="a results.json, its folder, latest (default), or a name of rankgrid list",
    )
    judge.add_argument(
        "--queries",
        type=place,
        metavar="FILE",
        help="the file that receives the answers (default: the study's)",
    )
    judge.add_argument(
        "--to",
        type=place,
        metavar="FILE",
        help="copy the study's queries to FILE, and write the answers there",
    )
    judge.add_argument(
        "--by", metavar="NAME", help="the name of the judge (default: the user's name)"
    )
    judge.add_argument(
        "--second", action="store_true", help="judge again what somebody else has judged"
    )
    judge.add_argument(
        "--agreement", action="store_true", help="show how often the judges agree, without asking"
    )
    judge.add_argument("--web", action="store_true", help="ask in the browser")
    judge.add_argument(
        "--minutes",
        type=minutes,
        default=30,
        metavar="N",
        help="end --web after N minutes without a visitor (default: 30)",
    )
    add_places(judge)
    add_trust_flag(judge)
    judge.set_defaults(command=_judge, store="")


def _judge(found: argparse.Namespace) -> int:
    from bench.authoring.judging import asked_files
    from bench.cli.judging.terminal import agreement_lines, converse
    from bench.wiring import find_study

    stored = find_study(found.study, study_settings(found))
    folder = Path(stored.where).expanduser()
    folder = folder if folder.is_dir() else folder.parent
    files = asked_files(stored.study, folder.resolve(), queries=found.queries, to=found.to)
    if found.agreement:
        print("\n".join(agreement_lines(files)))
        return 0
    judged = _opened(found, stored, files)
    if not found.web:
        return converse(judged, files)
    from bench.cli.judging.server import serve_page

    return serve_page(judged, files, minutes=found.minutes)


def _opened(found: argparse.Namespace, stored: "Found", files: "AskedFiles") -> "JudgedStudy":
    from dataclasses import replace

    from bench.authoring.judging import JudgedStudy
    from bench.wiring import open_store

    settings = study_settings(found)
    if not found.store:
        store = recorded_store(stored.study.settings, stored.where, found.trust)
        settings = replace(settings, store=store)
    print("reading the stored rankings …", flush=True)
    return JudgedStudy.opened(
        stored.study, open_store(settings), files, by=_name(found.by), second=found.second
    )


def _name(given: str | None) -> str:
    """Return the name of the judge for the answers: the given one, or the user's."""
    try:
        name = getpass.getuser() if given is None else given
    except (OSError, KeyError) as error:
        message = "--by: this user has no name here; add --by NAME"
        raise UsageError(message) from error
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        message = f"--by={name[:80]}: is blank, too long or not printable; give a short name"
        raise UsageError(message)
    return name.strip()
