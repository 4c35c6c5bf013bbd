"""An objective for Optuna: a configuration, and a space of settings that Optuna varies.

Every evaluation is a study with one trial on the shared store. Common stages run once, in any
process or machine, and an interrupted search resumes where it stopped.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bench.errors import ExecutionError, SettingError
from bench.files import data_folder
from bench.launcher.checking import checked_grid, refuse_unjudgeable
from bench.launcher.grid import Grid
from bench.launcher.planning import planned
from bench.launcher.points import read_points
from bench.results import StudyResult
from bench.results.collect import collect
from bench.wiring import executor, store_in_use

if TYPE_CHECKING:
    import optuna

Range = tuple[int, int] | tuple[float, float]
Space = Mapping[str, Range | Sequence[Any]]
_ENDS = 2


def objective(base: Sequence[str], space: Space) -> Callable[["optuna.Trial"], float]:
    """Return a function that scores the configuration suggested by Optuna, to be maximised.

    `base` has overrides as on the command line. `space` maps the name of a setting to a list of
    choices, or to a range as a tuple of two integers or floats. The score is the study's
    `objective`. The overrides of the configuration are stored in the trial's user attribute
    `command`.
    """
    for name, values in space.items():
        _check_axis(name, values)

    def score(trial: "optuna.Trial") -> float:
        overrides = [
            *base,
            *(f"{name}={_value_of(trial, name, of)}" for name, of in space.items()),
        ]
        trial.set_user_attr("command", " ".join(overrides))
        points = read_points(overrides, data_folder("conf"), multirun=False)
        return _score_of(checked_grid(points, _nothing))

    return score


def _check_axis(name: str, values: Range | Sequence[Any]) -> None:
    is_range = isinstance(values, tuple)
    numbers = all(type(value) in (int, float) for value in values)
    if not values or (is_range and not (len(values) == _ENDS and numbers)):
        message = (
            f"{name}: {values!r} is not a space; give a list of values,"
            " or a range of numbers as a tuple (low, high)"
        )
        raise SettingError(message)


def _value_of(trial: "optuna.Trial", name: str, values: Range | Sequence[Any]) -> Any:
    if not isinstance(values, tuple):
        return trial.suggest_categorical(name, list(values))
    low, high = values
    if isinstance(low, int) and isinstance(high, int):
        return trial.suggest_int(name, low, high)
    return trial.suggest_float(name, low, high)


def _score_of(grid: Grid) -> float:
    study = planned(grid)
    with store_in_use(grid.settings, say=_nothing):
        carry_out = executor(grid.settings.execution, study.store, say=_nothing)
        checked = refuse_unjudgeable(study, grid)
        outcomes = {**checked, **study.carry_out(carry_out)}
        result = collect(study, outcomes, grid.notes, settings=grid.settings)
    return _value(result, grid.settings.advice.measure)


def _value(result: StudyResult, column: str) -> float:
    (trial,) = result.trials
    value = trial.summary[f"avg_{column}"]
    if value is None:
        cause = "; ".join(f"{one.stage} {one.subject}: {one.cause}" for one in trial.failures)
        raise ExecutionError(f"{trial.name}: has no {column} ({cause or 'no query was judged'})")
    return float(value)


def _nothing(_text: str) -> None:
    """Print nothing, because Optuna reports each trial."""
