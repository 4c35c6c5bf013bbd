"""The command that shows how a trial's chunker cuts a file, ready to be typed."""

import shlex
from functools import cache

from bench.files import data_folder
from bench.report.study_view import StudyView
from bench.results import TrialResult

PLACE = "PATH"
"""Stands for the file in a command for any."""


def cut_flags(trial: TrialResult) -> str | None:
    """Return the flags with which `rankgrid show chunks` cuts like a trial, if there are any.

    Chunks that a model decides about are cut in studies only.
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
    """Return the command with PATH, and REPOSITORY where the study's suite is one of ours."""
    flags = cut_flags(trial)
    if flags is None:
        return None
    suite = shipped_suite(view)
    of = f" --suite {suite} --repository REPOSITORY" if suite else ""
    return f"rankgrid show chunks {PLACE}{of} {flags}"


def shipped_suite(view: StudyView) -> str:
    """Return the study's suite if its sources can be found by that name alone, else nothing."""
    name = view.study.suite
    return name if name in _shipped() else ""


@cache
def _shipped() -> frozenset[str]:
    files = (data_folder("conf") / "suite").glob("*.yaml")
    return frozenset(
        file.stem for file in files if "\nkind: repositories\n" in file.read_text(encoding="utf-8")
    )
