"""Names of the trials of a grid, from the settings that have an effect and differ.

Points that differ only in settings without an effect are one trial, whose name omits them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.errors import SettingError
from bench.launcher.points import Point
from bench.settings import TrialSettings
from bench.settings.study import OF_THE_STUDY

Texts = frozenset[str | None]
_DEFAULT_NAME = "default"
_LISTED = 3
_LONGEST_LABEL = 100


@dataclass(frozen=True)
class NamedTrial:
    """A trial of a grid with its points, which only differ in settings without an effect."""

    name: str
    settings: TrialSettings
    points: tuple[Point, ...]
    idle: Mapping[str, str]
    """Settings of its points without an effect, with the reasons."""

    @property
    def typed(self) -> Mapping[str, str]:
        """Typed settings with an effect, with their values."""
        return {name: text for name, text in self.points[0].typed.items() if name not in self.idle}


def named_trials(
    points: Sequence[Point], settings: Sequence[TrialSettings]
) -> tuple[NamedTrial, ...]:
    """Return the distinct trials of a grid in the order of their first points."""
    groups: dict[TrialSettings, list[Point]] = {}
    for point, trial in zip(points, settings, strict=True):
        groups.setdefault(trial, []).append(point)
    typed = dict.fromkeys(name for point in points for name in point.typed)
    swept = {name: _texts(name, points) for name in typed}
    # The name of a single trial has all typed settings, because there is no difference to show.
    shared = {name for name, texts in swept.items() if len(texts) == 1 and len(groups) > 1}
    found = []
    for trial, own in groups.items():
        idle = _idle(trial, own, swept)
        parts = (
            f"{name}={text}"
            for name, text in own[0].typed.items()
            if name not in idle and name not in shared and _is_of_trial(name)
        )
        name = _label(own[0]) or " ".join(parts) or _DEFAULT_NAME
        found.append(NamedTrial(name, trial, tuple(own), idle))
    _refuse_equal_labels(found)
    return tuple(found)


def _label(point: Point) -> str | None:
    """Return the trial's name given by the user, with the settings in it filled in."""
    label = point.config["name"]
    if label is None:
        return None
    text = str(label)
    if isinstance(label, Mapping | list) or not (text.isprintable() and text.strip()):
        typed = point.typed.get("name", text)
        message = f"name={typed}: must be a line of text. Use settings that are one value."
        raise SettingError(message)
    if len(text) > _LONGEST_LABEL:
        raise SettingError(f"name={text}: is too long. Use at most {_LONGEST_LABEL} characters.")
    return text


def _refuse_equal_labels(trials: Sequence[NamedTrial]) -> None:
    counts = Counter(one.name for one in trials)
    name, count = counts.most_common(1)[0]
    if count > 1:
        remedy = f"Use the settings that differ in it: name='{name}-${{chunk}}'."
        raise SettingError(f"name={name}: {count} trials cannot have one name. {remedy}")


def _texts(name: str, points: Sequence[Point]) -> Texts:
    """Return the values of a setting in some points; None where it was not typed."""
    return frozenset(point.typed.get(name) for point in points)


def _is_of_trial(name: str) -> bool:
    return name.partition(".")[0] not in (*OF_THE_STUDY, "name")


def _idle(
    trial: TrialSettings, points: Sequence[Point], swept: Mapping[str, Texts]
) -> dict[str, str]:
    """Return the typed settings without an effect in a trial, with the reasons."""
    found = {}
    for name in points[0].typed:
        # If all values of a setting give equal trials, it has no effect, even without a known
        # reason.
        texts = _texts(name, points)
        is_equal = len(texts) > 1 and texts == swept[name]
        why = _why_absent(name, points[0]) or trial.why_idle(name)
        why = why or ("all its values make the same trial" if is_equal else None)
        if why:
            found[name] = why
    return found


def _why_absent(name: str, point: Point) -> str | None:
    """Return a reason if the chosen member of a group lacks a field, or None."""
    if point.has(name):
        return None
    group = name.partition(".")[0]
    return f"{group}={point.choices[group]} has no such setting"


def notes_on_names(trials: Sequence[NamedTrial]) -> list[str]:
    """Return notes on merged points, and on settings without an effect in the whole study."""
    return [*_merged(trials), *_idle_everywhere(trials)]


def _merged(trials: Sequence[NamedTrial]) -> list[str]:
    several = [one for one in trials if len(one.points) > 1]
    if not several:
        return []
    count = sum(len(one.points) - 1 for one in several)
    points = "1 point differs" if count == 1 else f"{count} points differ"
    shown = "; ".join(_differing(one) for one in several[:_LISTED])
    more = len(several) - _LISTED
    rest = f"; and in {more} more" if more > 0 else ""
    does = "is not run" if count == 1 else "are not run"
    return [f"{points} only in settings that do nothing there, and {does} again: {shown}{rest}"]


def _differing(trial: NamedTrial) -> str:
    """Return the settings in which the points of a trial differ."""
    first = trial.points[0].typed
    names = [name for name in first if len(_texts(name, trial.points)) > 1]
    return f"{', '.join(names)} in {trial.name}"


def _idle_everywhere(trials: Sequence[NamedTrial]) -> list[str]:
    """Return a warning with reasons for each typed setting without an effect in any trial."""
    first, *others = trials
    names = [name for name in first.idle if all(name in one.idle for one in others)]
    return [
        f"warning: {name} changes nothing in any trial of this study: {_reasons(name, trials)}"
        for name in sorted(names)
    ]


def _reasons(name: str, trials: Sequence[NamedTrial]) -> str:
    return "; ".join(dict.fromkeys(one.idle[name] for one in trials))
