"""chosen.yaml: what a study advises, as a ready study that the next run can be given.

It holds the configuration in full, and the suite as it was typed, so that what is run again is the
same trial also when defaults have changed; where it runs and where results go is not part of it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from bench.corpora.own_files import YAML_SIGN
from bench.files import write_whole
from bench.launcher.grid import Grid
from bench.reporting import Advice
from bench.study import StudyResult, TrialResult

NAME = "chosen.yaml"
_OF_QUESTIONS = (
    "suite",
    "repository",
    "queries",
    "include_drafts",
    "most_matches",
    "measure_level",
    "half",
)
"""What is asked of what: kept as it was typed."""
_NOT_KEPT = (*_OF_QUESTIONS, "seed")


def write_chosen(grid: Grid, result: StudyResult, said: Advice, folder: Path) -> tuple[str, ...]:
    """Write the trial that is advised, or else is the highest; return how to run it."""
    trial = _chosen(result, said)
    if trial is None:
        return ()
    place = folder / NAME
    command = f"python bench/run.py study={place}"
    _write(place, _about(trial, result, said, command), _settings(grid, trial))
    if len(result.trials) == 1:
        return ()
    return (
        f"{'Run what is advised' if _is_advised(trial, said) else 'Run the highest'}: {command}",
    )


def _chosen(result: StudyResult, said: Advice) -> TrialResult | None:
    """Return the trial to ship, or else the highest of those that keep every limit."""
    out = {one.trial for one in said.ruled_out}
    names = [said.ship, said.tested.best if said.tested else None, said.highest]
    allowed = {
        trial.name: trial
        for trial in result.trials
        if not trial.failed and not trial.is_bound and trial.name not in out
    }
    named = [allowed[name] for name in names if name in allowed]
    return next(iter([*named, *(allowed.values() if len(allowed) == 1 else ())]), None)


def _is_advised(trial: TrialResult, said: Advice) -> bool:
    return said.ship == trial.name


def _about(trial: TrialResult, result: StudyResult, said: Advice, command: str) -> Sequence[str]:
    count = len(result.trials)
    role = "advised" if _is_advised(trial, said) else "the highest, and not shown to be the best"
    which = f"{role}, of {count} trials" if count > 1 else "the only trial"
    return (
        f"{trial.name}: {which} of study {result.id}.",
        f"Run it:  {command}",
        "What is typed beside it counts instead: chunk=256, suite=python.",
        "To give it a name, copy it to conf/study/NAME.yaml and type study=NAME.",
    )


def _settings(grid: Grid, trial: TrialResult) -> dict[str, object]:
    typed = grid.typed[trial.name]
    asked = {
        name: value for name, value in typed.items() if name.partition(".")[0] in _OF_QUESTIONS
    }
    axes = {name: value for name, value in trial.axes.items() if name not in _NOT_KEPT}
    if trial.family is not None:
        axes["weights"] = [round(weight, 6) for weight in trial.family.chosen]
    own = {
        name: value if name == "weights" else typed.get(name, value)
        for name, value in axes.items()
    }
    return {name: _plain(value) for name, value in (asked | own).items()}


def _plain(value: object) -> object:
    """Return a value as it is written: numbers as such, all else as it is typed."""
    if type(value) in (int, float):
        return value
    text = str(value)
    number = yaml.safe_load(text) if text.replace(".", "", 1).isdigit() else text
    return number if str(number) == text else text


def _write(place: Path, about: Sequence[str], settings: Mapping[str, object]) -> None:
    comments = "".join(f"# {' '.join(line.split())}\n" for line in about)
    written = yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True)
    write_whole(place, YAML_SIGN + comments + written)
