"""Conversion of the points of a grid to distinct trials of one study, with notes on merges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.errors import SettingError, UsageError
from bench.launcher.overrides import quoted
from bench.launcher.points import Point
from bench.launcher.trial_names import NamedTrial, named_trials, notes_on_names
from bench.launcher.units import with_units
from bench.results import LeftOut
from bench.settings import (
    StudySettings,
    TrialSettings,
    parse_study,
    parse_trial,
    refuse_absent_models,
)
from bench.settings.study import OF_THE_STUDY, refuses_impossible
from bench.settings.suite import SuiteSettings, parse_suite
from bench.settings.weighing import as_typed, is_grid

_REASONS = 2
"""Number of reasons in a note on skipped points."""


@dataclass(frozen=True)
class Grid:
    """Named trials, the study's settings, and notes for the user."""

    trials: tuple[tuple[str, TrialSettings], ...]
    settings: StudySettings
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    """Trials that the search did not draw."""
    typed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Typed settings with their values, by trial."""
    defaults: tuple[str, ...] = ()
    """Lines on defaults that follow from the study."""


def read_grid(points: Sequence[Point]) -> Grid:
    """Validate every point before anything runs, and merge equal ones."""
    _refuse_several_studies(points)
    suite = parse_suite(points[0].config)
    points, defaults = with_units(points, suite)
    points, settings, skipped = _possible(points, suite)
    refuse_absent_models(settings)
    study = parse_study(points[0].config)
    trials = named_trials(points, settings)
    _refuse_idle_grid(points, settings)
    _refuse_mute(study, trials)
    notes = (
        *skipped,
        *_said_of_ignored(settings),
        *notes_on_names(trials),
        *_said_of_choosing(settings, study.advice.measure_of_weights),
    )
    return Grid(
        tuple((one.name, one.settings) for one in trials),
        study,
        notes,
        typed={one.name: _typed(one) for one in trials},
        defaults=defaults,
    )


def _possible(
    points: Sequence[Point], suite: SuiteSettings
) -> tuple[Sequence[Point], list[TrialSettings], list[str]]:
    """Return the valid points, their settings, and a note on the others.

    Points with incompatible values are skipped. A value that is valid in no point is an error, and
    so is an invalid point that the user listed.
    """
    found: list[tuple[Point, TrialSettings]] = []
    faults: list[tuple[Point, SettingError]] = []
    for point in points:
        try:
            found.append((point, _parsed(point, suite)))
        except SettingError as error:
            faults.append((point, error))
    strict = refuses_impossible(points[0].config)
    used = {item for point, _ in found for item in point.typed.items()}
    for point, fault in faults:
        if point.listed:
            raise SettingError(f"{point.listed}: {fault.message}") from fault
        if strict or not used.issuperset(point.typed.items()):
            raise fault
    return [one for one, _ in found], [one for _, one in found], _said_of_skipped(faults, points)


def _parsed(point: Point, suite: SuiteSettings) -> TrialSettings:
    typed = [name for name in point.typed if point.has(name)]
    return parse_trial(point.config, choices=point.choices, typed=typed, suite=suite)


def _said_of_skipped(
    faults: Sequence[tuple[Point, SettingError]], points: Sequence[Point]
) -> list[str]:
    if not faults:
        return []
    reasons = dict.fromkeys(error.message for _, error in faults)
    shown, more = list(reasons)[:_REASONS], len(reasons) - _REASONS
    rest = f"; and {more} more" if more > 0 else ""
    are = (
        "is impossible and was skipped" if len(faults) == 1 else "are impossible and were skipped"
    )
    count = f"{len(faults)} of {len(points)} points {are} (grid.strict=true refuses them)"
    return [f"{count}: {'; '.join(shown)}{rest}"]


def _refuse_several_studies(points: Sequence[Point]) -> None:
    first = points[0].config
    # The first point is not compared with itself, because NaN would differ; its own check
    # reports it by name.
    rest = [one.config for one in points[1:]]
    if any(one[name] != first[name] for one in rest for name in OF_THE_STUDY):
        message = "settings of the study as a whole take one value; sweep only settings of trials"
        raise UsageError(message)


def _typed(trial: NamedTrial) -> dict[str, str]:
    """Return the typed settings with an effect, by name."""
    return {name: _final(name, trial.points[0]) for name in trial.typed}


def _final(name: str, point: Point) -> str:
    """Return a value without interpolations, which a file of settings must not have."""
    if "${" not in point.typed[name]:
        return point.typed[name]
    value = point.value(name)
    is_text = isinstance(value, str)
    return quoted(value) if is_text else str(value)


def _refuse_idle_grid(points: Sequence[Point], trials: Sequence[TrialSettings]) -> None:
    """Refuse a grid of weights if no trial has several channels."""
    asked = next((one.config["weights"] for one in points if is_grid(one.config["weights"])), None)
    if asked is not None and not any(chooses_weights(trial) for trial in trials):
        typed = as_typed(asked["steps"])
        message = f"weights={typed}: no trial has several channels; add retriever=hybrid"
        raise UsageError(message)


def _refuse_mute(study: StudySettings, trials: Sequence[NamedTrial]) -> None:
    """Refuse measures of answers for trials without answers, or for halving by rankings."""
    asked = f"objective={study.advice.measure}"
    if not study.advice.is_of_answers:
        return
    mute = [one.name for one in trials if one.settings.answerer is None]
    if mute:
        more = f" (and {len(mute) - 1} more)" if len(mute) > 1 else ""
        message = f"{asked}: {mute[0]}{more} answers nothing; add answerer=extractive"
        raise UsageError(message)
    if study.search.strategy == "halving":
        message = f"{asked}: strategy=halving stops trials by their rankings; use strategy=random"
        raise UsageError(message)


def chooses_weights(trial: TrialSettings) -> bool:
    """Return whether the weights of a trial are chosen on the queries of the tune half."""
    fusion = trial.retrieval.fusion
    return fusion is not None and fusion.steps is not None


_SAID_OF_HALF = {
    "all": "half=all: the numbers include the queries that chose; half=report leaves them out",
    "tune": "half=tune: the numbers are of the queries that chose; half=report leaves them out",
    "report": "half=report: the numbers are of other queries than those that chose",
}


def _said_of_ignored(trials: Iterable[TrialSettings]) -> list[str]:
    """Return a line for each static model whose vectors have weight 0 in a hybrid."""
    found = (trial.retrieval for trial in trials)
    ignored = (one.embedder for one in found if one.fusion and one.fusion.ignores_dense)
    models = dict.fromkeys(one.model for one in ignored if one and one.is_static)
    return [
        f"{model}: dense has weight 0 in hybrids, because static vectors did not improve rankings;"
        " use embedder=minilm, or weight=0.2 to try it"
        for model in models
    ]


def _said_of_choosing(trials: Iterable[TrialSettings], objective: str) -> list[str]:
    """Return a line on the objective of chosen weights, and on the queries behind the numbers."""
    choosing = [trial for trial in trials if chooses_weights(trial)]
    if not choosing:
        return []
    later = {
        "rules": any(trial.retrieval.rules for trial in choosing),
        "unit": any(trial.retrieval.listing.unit != "chunk" for trial in choosing),
        "reranker": any(trial.reranker for trial in choosing),
    }
    names = [name for name, applies in later.items() if applies]
    before = f", before {' and '.join(names)}" if names else ""
    half = _SAID_OF_HALF[choosing[0].suite.half]
    return [f"weights are chosen by {objective} on the tune half{before}; {half}"]
