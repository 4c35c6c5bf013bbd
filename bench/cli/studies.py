"""`rankgrid list` and `rankgrid clean`: lists and removes studies in the results folder."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.errors import UsageError, nearest
from bench.files import OUTPUT
from bench.printable import one_line

if TYPE_CHECKING:
    from bench.engine.leases import Lease
    from bench.results.folder import StoredStudy

_WIDTH, _NAME_WIDTH = 80, 22
_AGE = re.compile(r"([0-9]{1,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}
_SHAPE = "study, folder, began, suite, trials, failed, ship, likely, highest, bytes"


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register both commands."""
    listing = commands.add_parser("list", help="list the studies in the folder of results")
    _add_output(listing)
    add_json_flag(listing, f"studies (each with {_SHAPE}), running, bytes")
    listing.set_defaults(command=_list)
    clean = commands.add_parser(
        "clean",
        help="remove studies from the folder of results",
        description="Shows what would be removed and asks. A running study is never removed.",
    )
    clean.add_argument("names", nargs="*", metavar="NAME", help="studies to remove")
    clean.add_argument(
        "--older-than",
        type=_age,
        metavar="AGE",
        help="remove studies older than this: 12h, 30d or 8w",
    )
    clean.add_argument(
        "--keep", type=_count, metavar="N", help="keep the newest N, whatever their age"
    )
    clean.add_argument("--yes", action="store_true", help="do not ask")
    _add_output(clean)
    add_json_flag(clean, f"removed (studies with {_SHAPE}), bytes; needs --yes")
    clean.set_defaults(command=_clean)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        type=lambda text: Path(text).expanduser(),
        default=Path(OUTPUT),
        metavar="FOLDER",
        help=f"the folder of results (default: {OUTPUT})",
    )


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text)
    if not found:
        message = f"{text}: is not an age. Use a number and h, d or w, such as 30d"
        raise argparse.ArgumentTypeError(message)
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text}: is not a count. Use 0 or more")
    return int(text)


def _list(found: argparse.Namespace) -> int:
    from bench.results.folder import running_studies, stored_studies

    if found.output != Path(OUTPUT) and not found.output.is_dir():
        raise UsageError(f"--output {found.output}: no such folder; give a folder of results")
    studies, running = stored_studies(found.output), running_studies(found.output)
    total = sum(study.size for study in studies)
    if found.json:
        print_json(
            {
                "studies": [_as_json(study) for study in studies],
                "running": [lease.name for lease in running],
                "bytes": total,
            }
        )
        return 0
    for line in (*map(_running_line, running), *(row for one in studies for row in _rows(one))):
        print(line)
    print(f"{_counted(studies)} in {found.output}, {_amount(total)}")
    return 0


def _clean(found: argparse.Namespace) -> int:
    from bench.results.folder import mend_latest, remove_study

    if not found.names and found.older_than is None and found.keep is None:
        raise UsageError("clean: nothing to remove was named. Add NAME, --older-than or --keep.")
    if found.json and not found.yes:
        raise UsageError("clean --json: cannot ask. Add --yes.")
    chosen = _chosen(found)
    if not found.json:
        for line in (row for one in chosen for row in _rows(one)):
            print(line)
    if not chosen or not (found.yes or _agrees(chosen)):
        _report([], as_json=found.json)
        return 0
    removed = [study for study in chosen if remove_study(study, found.output)]
    mend_latest(found.output)
    _report(removed, as_json=found.json)
    return 0 if len(removed) == len(chosen) else 1


def _chosen(found: argparse.Namespace) -> "list[StoredStudy]":
    """Return the studies to remove, the newest first."""
    from bench.results.folder import running_studies, stored_studies

    studies = stored_studies(found.output)
    running = {lease.name for lease in running_studies(found.output)}
    own = [one for one in studies if one.is_own and one.name not in running]
    for name in found.names:
        _refuse_unless(name, own, running, {study.name for study in studies})
    if found.names:
        own = [one for one in own if one.name in found.names]
    if found.older_than is not None:
        limit = datetime.now(UTC) - found.older_than
        own = [one for one in own if one.began < limit]
    if found.keep is not None:
        newest = [one.name for one in studies if one.is_own][: found.keep]
        own = [one for one in own if one.name not in newest]
    return own


def _refuse_unless(
    name: str, own: "Sequence[StoredStudy]", running: set[str], known: set[str]
) -> None:
    """Refuse a name that is not the folder of a finished study."""
    names = {one.name for one in own}
    if name in names:
        return
    if name in running:
        raise UsageError(f"{name}: the study is running. Wait for its end.")
    if name in known:
        message = f"{name}: is not the name that its study gave it. Remove the folder yourself."
        raise UsageError(message)
    remedy = nearest(name, names) if names else "there are none"
    raise UsageError(f"{name}: no such study; {remedy}")


def _agrees(chosen: "Sequence[StoredStudy]") -> bool:
    total = _amount(sum(study.size for study in chosen))
    if not sys.stdin.isatty():
        message = (
            f"clean: {_counted(chosen)} ({total}) would be removed. Add --yes to remove them."
        )
        raise UsageError(message)
    return input(f"Remove {_counted(chosen)}, {total}? [y/N] ").strip().lower() in ("y", "yes")


def _report(removed: "Sequence[StoredStudy]", *, as_json: bool) -> None:
    total = sum(study.size for study in removed)
    if as_json:
        print_json({"removed": [_as_json(study) for study in removed], "bytes": total})
    elif removed:
        print(f"removed {_counted(removed)}, {_amount(total)}")
    else:
        print("nothing was removed")


def _as_json(study: "StoredStudy") -> dict[str, object]:
    return {
        "study": study.study,
        "folder": str(study.folder),
        "began": study.began.isoformat(),
        "suite": study.suite,
        "trials": study.trials,
        "failed": study.failed,
        "ship": study.ship,
        "likely": study.likely,
        "highest": study.highest,
        "bytes": study.size,
    }


def _rows(study: "StoredStudy") -> Iterator[str]:
    """Yield the lines of a study, at most 80 characters wide except for a long name."""
    name, trials = one_line(study.name), f"{study.trials} done"
    if study.failed:
        trials = f"{study.trials - study.failed} done, {study.failed} failed"
    if len(name) > _NAME_WIDTH:
        yield name
        name = ""
    suite, began = one_line(study.suite), f"{study.began:%Y-%m-%d %H:%MZ}"
    yield f"{name:<22} {began} {suite:<10.10} {trials:<18.18} {_amount(study.size):>9}"
    if said := _advice(study):
        yield f"  {_cut(one_line(said), _WIDTH - 2)}"


def _advice(study: "StoredStudy") -> str:
    """Return the choice of a study under the label that its own output gave it."""
    if study.trials == 1:
        return study.highest or ""
    if study.ship:
        return f"ship {study.ship}"
    if study.likely:
        return f"undecided; likely {study.likely}"
    return f"undecided; highest {study.highest}" if study.highest else ""


def _running_line(lease: "Lease") -> str:
    return f"{one_line(lease.name):<22} running as process {lease.pid} on {one_line(lease.host)}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _counted(studies: "Sequence[StoredStudy]") -> str:
    return "1 study" if len(studies) == 1 else f"{len(studies)} studies"


def _amount(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"  # noqa: PLR2004
