"""Reads the points of a grid as distinct trials of one study, and says what was merged."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hydra.core.override_parser.types import Quote, QuotedString

from bench.errors import UsageError
from bench.launcher.points import Point
from bench.launcher.units import with_units
from bench.results import LeftOut
from bench.settings import (
    StudySettings,
    TrialSettings,
    parse_study,
    parse_trial,
    refuse_absent_models,
)
from bench.settings.study import OF_THE_STUDY
from bench.settings.suite import parse_suite
from bench.settings.weighing import as_typed, is_grid

_DEFAULT_NAME = "default"


@dataclass(frozen=True)
class Grid:
    """Named trials, the study's settings, and what the user should know of both."""

    trials: tuple[tuple[str, TrialSettings], ...]
    settings: StudySettings
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    """The trials that the search did not draw."""
    typed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What was typed for each trial: settings with their values."""
    defaults: tuple[str, ...] = ()
    """Lines on defaults that follow from the study."""


def read_grid(points: Sequence[Point]) -> Grid:
    """Validate every point before anything runs, and merge equal ones."""
    _refuse_several_studies(points)
    suite = parse_suite(points[0].config)
    points, defaults = with_units(points, suite)
    settings = [
        parse_trial(
            point.config,
            choices=point.choices,
            typed=[name for name in point.typed if point.has(name)],
            suite=suite,
        )
        for point in points
    ]
    refuse_absent_models(settings)
    study = parse_study(points[0].config)
    names = _names(points)
    kept: dict[TrialSettings, str] = {}
    typed: dict[str, Mapping[str, str]] = {}
    merged: list[str] = []
    for name, trial, point in zip(names, settings, points, strict=True):
        if trial in kept:
            merged.append(f"{name} is the same trial as {kept[trial]}")
        else:
            kept[trial] = name
            typed[name] = _typed(point)
    _refuse_idle_grid(points, settings)
    _refuse_mute(study, kept)
    notes = (
        *_said_of_merging(merged),
        *_inert_everywhere(points, settings),
        *_said_of_choosing(kept, study.advice.measure_of_weights),
    )
    trials = tuple((name, trial) for trial, name in kept.items())
    return Grid(trials, study, notes, typed=typed, defaults=defaults)


def _refuse_several_studies(points: Sequence[Point]) -> None:
    first = points[0].config
    # NaN differs from itself: its own check refuses it, by its name.
    rest = [one.config for one in points[1:]]
    if any(one[name] != first[name] for one in rest for name in OF_THE_STUDY):
        message = "settings of the study as a whole take one value; sweep only settings of trials"
        raise UsageError(message)


def _typed(point: Point) -> dict[str, str]:
    """Return what was typed and does something, by its name."""
    return {name: _final(name, point) for name in point.typed if point.has(name)}


def _final(name: str, point: Point) -> str:
    """Return a value without interpolations: a file of settings may have none."""
    if "${" not in point.typed[name]:
        return point.typed[name]
    value = point.value(name)
    is_text = isinstance(value, str)
    return QuotedString(value, Quote.single).with_quotes() if is_text else str(value)


def _names(points: Sequence[Point]) -> list[str]:
    """Name each point by the overrides that differ between points."""
    if len(points) == 1:
        own = [f"{name}={text}" for name, text in points[0].typed.items() if _is_of_trial(name)]
        return [" ".join(own) or _DEFAULT_NAME]
    common = set(points[0].typed.items())
    for point in points:
        common &= point.typed.items()
    return [
        " ".join(
            f"{name}={text}" for name, text in point.typed.items() if (name, text) not in common
        )
        or _DEFAULT_NAME
        for point in points
    ]


def _is_of_trial(name: str) -> bool:
    return name.partition(".")[0] not in OF_THE_STUDY


def _said_of_merging(merged: Sequence[str]) -> list[str]:
    if not merged:
        return []
    shown = "; ".join(merged[:3]) + (f"; and {len(merged) - 3} more" if len(merged) > 3 else "")  # noqa: PLR2004
    points = "1 point differs" if len(merged) == 1 else f"{len(merged)} points differ"
    return [f"{points} only in settings that do nothing there: {shown}"]


def _refuse_idle_grid(points: Sequence[Point], trials: Sequence[TrialSettings]) -> None:
    """Refuse weights to choose from where nothing is weighed."""
    asked = next((one.config["weights"] for one in points if is_grid(one.config["weights"])), None)
    if asked is not None and not any(chooses_weights(trial) for trial in trials):
        typed = as_typed(asked["steps"])
        message = f"weights={typed}: no trial has several channels; add retriever=hybrid"
        raise UsageError(message)


def _refuse_mute(study: StudySettings, trials: Mapping[TrialSettings, str]) -> None:
    """Refuse to compare by answers where there are none, or where trials stop before any."""
    asked = f"objective={study.advice.measure}"
    if not study.advice.is_of_answers:
        return
    mute = [name for trial, name in trials.items() if trial.answerer is None]
    if mute:
        more = f" (and {len(mute) - 1} more)" if len(mute) > 1 else ""
        message = f"{asked}: {mute[0]}{more} answers nothing; add answerer=extractive"
        raise UsageError(message)
    if study.search.strategy == "halving":
        message = f"{asked}: strategy=halving stops trials by their rankings; take strategy=random"
        raise UsageError(message)


def chooses_weights(trial: TrialSettings) -> bool:
    """Tell whether a trial leaves its weights to the queries of the tune half."""
    fusion = trial.retrieval.fusion
    return fusion is not None and fusion.steps is not None


_SAID_OF_HALF = {
    "all": "half=all: the numbers include the queries that chose; half=report leaves them out",
    "tune": "half=tune: the numbers are of the queries that chose; half=report leaves them out",
    "report": "half=report: the numbers are of other queries than those that chose",
}


def _said_of_choosing(trials: Iterable[TrialSettings], objective: str) -> list[str]:
    """Return on what weights are chosen, and which queries the numbers are of."""
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


def _inert_everywhere(points: Sequence[Point], trials: Sequence[TrialSettings]) -> list[str]:
    """Return a warning for each typed setting that changes nothing in any trial."""
    idle = [
        {
            name
            for name in point.typed
            if name.partition(".")[0] in trial.inert or not point.has(name)
        }
        for point, trial in zip(points, trials, strict=True)
    ]
    return [
        f"warning: {name} changes nothing in any trial of this study"
        for name in sorted(idle[0].intersection(*idle))
    ]
