"""Reads the points of a grid as distinct trials of one study, and says what was merged."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hydra.core.override_parser.types import Quote, QuotedString

from bench.errors import UsageError
from bench.launcher.point import Point
from bench.results import LeftOut
from bench.settings import StudySettings, TrialSettings, parse_study, parse_trial
from bench.settings.study import OF_THE_STUDY
from bench.settings.weighing import is_grid

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


def read_grid(points: Sequence[Point]) -> Grid:
    """Validate every point before anything runs, and merge equal ones."""
    settings = [
        parse_trial(
            point.config,
            choices=point.choices,
            typed=[text for text in point.overrides if text not in point.idle],
        )
        for point in points
    ]
    study = parse_study(points[0].config)
    if any(parse_study(point.config) != study for point in points):
        message = "settings of the study as a whole take one value; sweep only settings of trials"
        raise UsageError(message)
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
        *_said_of_choosing(kept, study.advice.objective),
    )
    trials = tuple((name, trial) for trial, name in kept.items())
    return Grid(trials, study, notes, typed=typed)


def _typed(point: Point) -> dict[str, str]:
    """Return what was typed and does something, by its name."""
    pairs = (text.partition("=") for text in point.overrides if text not in point.idle)
    return {name: _final(name, value, point.config) for name, _, value in pairs}


def _final(name: str, value: str, config: Mapping[str, object]) -> str:
    """Return a value without interpolations: a file of settings may have none."""
    if "${" not in value:
        return value
    found: object = config
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return (
        QuotedString(found, Quote.single).with_quotes() if isinstance(found, str) else str(found)
    )


def _names(points: Sequence[Point]) -> list[str]:
    """Name each point by the overrides that differ between points."""
    common = set(points[0].overrides).intersection(*(point.overrides for point in points))
    names = [" ".join(text for text in point.overrides if text not in common) for point in points]
    if len(points) > 1:
        return [name or _DEFAULT_NAME for name in names]
    own = [text for text in points[0].overrides if _is_of_trial(text)]
    return [" ".join(own) or _DEFAULT_NAME]


def _is_of_trial(override: str) -> bool:
    name = override.partition("=")[0].partition(".")[0]
    return name not in OF_THE_STUDY and name != "hydra"


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
        message = (
            f"weights={asked}: takes two channels or more, and no trial fuses any;"
            " add retriever=hybrid"
        )
        raise UsageError(message)


def _refuse_mute(study: StudySettings, trials: Mapping[TrialSettings, str]) -> None:
    """Refuse to compare by answers where there are none, or where trials stop before any."""
    asked = f"objective={study.advice.objective}"
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
    ordered = [trial for trial in choosing if trial.retrieval.rules or trial.reranker]
    before = ", before rules and reranker" if ordered else ""
    half = _SAID_OF_HALF[choosing[0].suite.half]
    return [f"weights are chosen by {objective} on the tune half{before}; {half}"]


def _inert_everywhere(points: Sequence[Point], trials: Sequence[TrialSettings]) -> list[str]:
    """Return a warning for each typed setting that changes nothing in any trial."""
    idle = [
        {
            name
            for text in point.overrides
            if (name := text.partition("=")[0]).partition(".")[0] in trial.inert
            or text in point.idle
        }
        for point, trial in zip(points, trials, strict=True)
    ]
    return [
        f"warning: {name} changes nothing in any trial of this study"
        for name in sorted(idle[0].intersection(*idle))
    ]
