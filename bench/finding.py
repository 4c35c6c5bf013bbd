"""Finds a stored study by what people call it: a file, a folder, `latest`, a run, a revision."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.corpora.gitcall import output_in
from bench.errors import GitError, GitOwnershipError, UsageError
from bench.reporting import read_results
from bench.reporting.results_file import checked_results
from bench.settings import StudySettings
from bench.tracking import fetch_results
from bench.wiring import home, tracking_settings

BASELINES = Path("baselines")
_RUN = "mlflow:"
_GIT_SECONDS = 30


@dataclass(frozen=True)
class Found:
    """A stored study and where it was found."""

    results: Mapping[str, Any]
    where: str
    trial: str = ""
    """The trial that was named with it, if any."""


def find_study(text: str, settings: StudySettings) -> Found:
    """Return the study that `text` names.

    A path, `latest` in the folder of results, a name under baselines/, mlflow:RUN, or REV:PATH of
    a results file in git.
    """
    output = Path(settings.output).expanduser()
    if text.startswith(_RUN):
        run = text.removeprefix(_RUN)
        results, trial = fetch_results(
            run, settings=tracking_settings(settings), home=home(settings)
        )
        return Found(checked_results(results, text), text, trial)
    if text == "latest":
        return Found(read_results(output / "latest"), str(output / "latest"))
    if Path(text).expanduser().exists():
        return Found(read_results(Path(text).expanduser()), text)
    saved = BASELINES / f"{text}.json"
    if "/" not in text and saved.exists():
        return Found(read_results(saved), str(saved))
    revision, colon, path = text.partition(":")
    if colon and revision and path:
        return Found(_at_revision(revision, path), text)
    message = (
        f"{text}: no such results; give a results.json, its folder, latest, the name of a saved"
        " baseline, mlflow:RUN, or REV:PATH of a results file in git"
    )
    raise UsageError(message)


def _at_revision(revision: str, path: str) -> dict[str, Any]:
    """Return a results file as it was committed."""
    name = f"{revision}:{path}"
    if revision.startswith("-"):
        raise UsageError(f"{name}: {revision} is not a revision of git")
    try:
        content = json.loads(output_in(Path(), "cat-file", "blob", name, seconds=_GIT_SECONDS))
    except GitOwnershipError as error:
        raise UsageError(f"{name}: {error.message}") from error
    except GitError as error:
        message = f"{name}: not in this git repository ({error.message})"
        remedy = "give a revision that was fetched, and a path from the repository's root"
        raise UsageError(f"{message}; {remedy}") from error
    except ValueError as error:
        raise UsageError(f"{name}: cannot be read as results ({error})") from error
    return checked_results(content, name)
