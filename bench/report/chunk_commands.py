"""Commands that show the chunks of a trial's chunker on a file."""

import shlex
from functools import cache

from bench.files import data_folder
from bench.report.study_view import StudyView
from bench.results import TrialResult

PLACE = "PATH"
"""Placeholder for the file in a command."""


def cut_flags(trial: TrialResult) -> str | None:
    """Return flags that make `rankgrid show chunks` cut like a trial, or None.

    Chunkers that need a model only run in studies.
    """
    axes = trial.axes
    if axes.get("chunker") in (None, "semantic") or axes.get("chunker.encoding") == "model":
        return None
    named = {
        "--chunker": axes["chunker"],
        "--chunk": axes.get("chunk"),
        "--overlap": axes.get("chunker.overlap"),
        "--encoding": axes.get("chunker.encoding"),
        "--header": axes.get("chunker.header"),
    }
    given = [(flag, str(value)) for flag, value in named.items() if value is not None]
    return " ".join(f"{flag} {shlex.quote(value)}" for flag, value in given)


def command_for_any_file(view: StudyView, trial: TrialResult) -> str | None:
    """Return the command with the placeholder PATH, and with REPOSITORY for a shipped suite."""
    flags = cut_flags(trial)
    if flags is None:
        return None
    suite = shipped_suite(view)
    of = f" --suite {suite} --repository REPOSITORY" if suite else ""
    return f"rankgrid show chunks {PLACE}{of} {flags}"


def shipped_suite(view: StudyView) -> str:
    """Return the study's suite if it is shipped with rankgrid, or else nothing."""
    name = view.study.suite
    return name if name in _shipped() else ""


@cache
def _shipped() -> frozenset[str]:
    files = (data_folder("conf") / "suite").glob("*.yaml")
    return frozenset(
        file.stem for file in files if "\nkind: repositories\n" in file.read_text(encoding="utf-8")
    )
