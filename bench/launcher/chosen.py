"""chosen.yaml: the advised trial as a study file for the next run.

It has the full configuration, and the suite as typed, so that a later run is the same trial even
if defaults have changed. Settings of execution and output are excluded.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from bench.advice import Advice, Line, choice_role, vectors_text
from bench.commands import bench_command
from bench.corpora.own_files import YAML_SIGN
from bench.files import write_whole
from bench.launcher.grid import Grid
from bench.launcher.study_files import needs_trust
from bench.results import StudyResult, TrialResult

NAME = "chosen.yaml"
_OF_QUESTIONS = (
    "suite",
    "repository",
    "queries",
    "include",
    "exclude",
    "languages",
    "include_drafts",
    "most_matches",
    "missing",
    "question_copies",
    "measure_level",
    "symbol_credit",
    "half",
    "half_of",
    "only",
    "seed",
)
"""Settings of the questions and the searched code, kept as typed."""


def write_chosen(
    grid: Grid, result: StudyResult, advice: Advice, folder: Path
) -> tuple[Line, ...]:
    """Write the advised trial, or else the highest; return the line with its command."""
    if advice.next_run is None:
        return ()
    trial = next(one for one in result.trials if one.name == advice.next_run)
    place, settings = folder / NAME, _settings(grid, trial)
    arguments = f"study={shlex.quote(str(place))}"
    arguments += f" --trust {shlex.quote(str(place))}" if needs_trust(settings) else ""
    _write(place, _comments(result, advice, f"rankgrid bench {arguments}"), settings)
    if len(result.trials) == 1:
        return ()
    return (Line("Run it", bench_command(arguments), rank=1, is_whole=True),)


def _comments(result: StudyResult, advice: Advice, command: str) -> Sequence[str]:
    count = len(result.trials)
    dense = advice.dense_part
    vectors = [f"Vectors: {vectors_text(dense.windows, dense.long_text)}."] if dense else []
    which = f"{choice_role(advice)}, of {count} trials" if count > 1 else "the only trial"
    return (
        f"{advice.next_run}: {which} of study {result.id}.",
        *vectors,
        *([_budget(advice)] if advice.budgets else []),
        f"Run it:  {command}",
        "Options on the command line override it: chunk=256, suite=python.",
        "To give it a name, copy it to conf/study/NAME.yaml and type study=NAME.",
    )


def _budget(advice: Advice) -> str:
    return f"It is the choice for {advice.settings.budget:,} tokens of context."


def _settings(grid: Grid, trial: TrialResult) -> dict[str, object]:
    typed = grid.typed[trial.name]
    questions = {
        name: value for name, value in typed.items() if name.partition(".")[0] in _OF_QUESTIONS
    }
    axes = {name: value for name, value in trial.axes.items() if name not in _OF_QUESTIONS}
    if trial.windows and trial.long_text:
        axes |= {"embedder.windows": trial.windows, "embedder.long_text": trial.long_text}
    if trial.tuning is not None:
        axes["weights"] = [round(weight, 6) for weight in trial.tuning.chosen.values()]
    configuration = {
        name: value if name == "weights" else typed.get(name, value)
        for name, value in axes.items()
    }
    return {name: _plain(value) for name, value in (questions | configuration).items()}


def _plain(value: object) -> object:
    """Return a value for YAML: numbers as numbers, other values as typed."""
    if type(value) in (int, float):
        return value
    text = str(value)
    number = yaml.safe_load(text) if text.replace(".", "", 1).isdigit() else text
    return number if str(number) == text else text


def _write(place: Path, about: Sequence[str], settings: Mapping[str, object]) -> None:
    comments = "".join(f"# {' '.join(line.split())}\n" for line in about)
    written = yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True)
    write_whole(place, YAML_SIGN + comments + written)
