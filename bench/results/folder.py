"""Stored studies in the results folder.

A study is a folder with a results file. Only a folder with the name of its study was written by
that study, and only such a folder is ever removed. A user chose any other name in order to keep
the folder.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.engine.leases import Lease, held
from bench.errors import OutputError
from bench.results.document import READ

_FILE = "results.json"
LATEST = "latest"


@dataclass(frozen=True)
class StoredStudy:
    """A study in the folder of results, without its numbers."""

    name: str
    """Name of the folder."""
    folder: Path
    study: str
    began: datetime
    suite: str
    trials: int
    failed: int
    ship: str | None
    """The advised trial, if any."""
    likely: str | None
    """The most likely best trial by this study and other repositories, if these were used."""
    highest: str | None
    """The trial with the highest mean."""
    size: int
    """Bytes on disk."""

    @property
    def is_own(self) -> bool:
        """Return True if the folder has the name of the study that wrote it."""
        return self.name == self.study


def stored_studies(output: Path) -> list[StoredStudy]:
    """Return the studies in a folder of results, the newest first."""
    if not output.is_dir():
        return []
    with os.scandir(output) as entries:  # a symbolic link could lead outside the folder
        folders = [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    found = [study for folder in folders if (study := _stored(folder)) is not None]
    return sorted(found, key=lambda one: (one.began, one.name), reverse=True)


def running_studies(output: Path) -> list[Lease]:
    """Return the running studies that will write their results to `output`."""
    return held(output)


def remove_study(study: StoredStudy, output: Path) -> bool:
    """Return True after removing the folder of a study, False if it is running or was replaced."""
    running = {lease.name for lease in held(output)}
    folder = output / study.name
    if study.name in running or folder.is_symlink() or not study.is_own:
        return False
    try:
        shutil.rmtree(folder)  # removes symbolic links, never their targets
    except OSError as error:
        message = f"{folder}: cannot be removed ({error.strerror}). Change its permissions."
        raise OutputError(message) from error
    return True


def mend_latest(output: Path) -> None:
    """Point the `latest` link at the newest remaining study if its target is gone."""
    link = output / LATEST
    if not link.is_symlink() or link.exists():
        return
    link.unlink()
    left = [study for study in stored_studies(output) if study.is_own]
    if left:
        link.symlink_to(left[0].name, target_is_directory=True)


def _stored(folder: Path) -> StoredStudy | None:
    """Return the study in a folder, or None without a readable results file."""
    file = folder / _FILE
    if file.is_symlink() or not file.is_file():
        return None
    try:
        found = json.loads(file.read_bytes())
        if not isinstance(found, dict) or found.get("schema") not in READ:
            return None
        return _read(folder, found, file.stat().st_mtime)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _read(folder: Path, found: Mapping[str, object], written: float) -> StoredStudy:
    """Return the listed parts of a results file; the others are not checked."""
    reports, advice = found.get("reports"), found.get("recommendation")
    trials = reports if isinstance(reports, list) else []
    said = advice if isinstance(advice, dict) else {}
    prior = said.get("prior")
    return StoredStudy(
        name=folder.name,
        folder=folder,
        study=str(found.get("study")),
        began=_time(str(found.get("timestamp"))) or datetime.fromtimestamp(written, UTC),
        suite=str(found.get("suite") or ""),
        trials=len(trials),
        failed=sum(trial.get("status") == "failed" for trial in trials),
        ship=_name(said.get("ship")),
        likely=_name(prior.get("trial")) if isinstance(prior, dict) else None,
        highest=_name(said.get("highest")),
        size=sum(_sizes(folder)),
    )


def _name(found: object) -> str | None:
    return found if isinstance(found, str) and found else None


def _time(text: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return None


def _sizes(folder: Path) -> Iterator[int]:
    """Yield the bytes of each file; symbolic links count with their own size."""
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # removed in the meantime
                yield os.lstat(Path(root, name)).st_size
