"""Lookup of stored studies by file, folder, `latest`, MLflow run or git revision."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.corpora.gitcall import output_in
from bench.errors import GitError, GitOwnershipError, UsageError
from bench.results.document import parse_results, read_results
from bench.results.study_result import StudyResult

BASELINES = Path("baselines")
TREE = "tree:"
"""Prefix for the searched folder at a revision, which has to be measured first."""
_RUN = "mlflow:"
_GIT_SECONDS = 30

FetchRun = Callable[[str], tuple[bytes, str]]
"""Function that returns the results file of a run, and the trial's name if the run is a trial."""


@dataclass(frozen=True)
class Found:
    """A stored study with its location."""

    study: StudyResult
    where: str
    trial: str = ""
    """The trial that the text named, if any."""


def find_study(text: str, *, output: Path, fetch_run: FetchRun) -> Found:
    """Return the study that `text` names.

    The text is a path, `latest` or a study in the results folder, a name under baselines/,
    mlflow:RUN, or REV:PATH of a results file in git.
    """
    if text.startswith(TREE):
        message = f"{text}: has to be measured first, which rankgrid run and bench --baseline do"
        raise UsageError(f"{message}. Use the baseline.json in the folder of their results.")
    if text.startswith(_RUN):
        content, trial = fetch_run(text.removeprefix(_RUN))
        return Found(parse_results(content, text), text, trial)
    if text == "latest":
        return Found(read_results(output / "latest"), str(output / "latest"))
    if Path(text).expanduser().exists():
        return Found(read_results(Path(text).expanduser()), text)
    if "/" not in text and (output / text / "results.json").exists():
        return Found(read_results(output / text), str(output / text))
    saved = BASELINES / f"{text}.json"
    if "/" not in text and saved.exists():
        return Found(read_results(saved), str(saved))
    revision, colon, path = text.partition(":")
    if colon and revision and path:
        return Found(_at_revision(revision, path), text)
    message = (
        f"{text}: no such results; give a results.json, its folder, latest, a name of rankgrid"
        " list, the name of a saved baseline, mlflow:RUN, or REV:PATH of a results file in git"
    )
    raise UsageError(message)


def _at_revision(revision: str, path: str) -> StudyResult:
    """Return a committed results file."""
    name = f"{revision}:{path}"
    if revision.startswith("-"):
        raise UsageError(f"{name}: {revision} is not a revision of git")
    try:
        content = output_in(Path(), "cat-file", "blob", name, seconds=_GIT_SECONDS)
    except GitOwnershipError as error:
        raise UsageError(f"{name}: {error.message}") from error
    except GitError as error:
        message = f"{name}: not in this git repository ({error.message})"
        remedy = "give a revision that was fetched, and a path from the repository's root"
        raise UsageError(f"{message}; {remedy}") from error
    return parse_results(content, name)
