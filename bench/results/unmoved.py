"""Notes on swept settings that changed no ranking."""

from collections.abc import Iterator, Sequence

from bench.results.trial_result import TrialResult

_ENGINES = "vectors."
"""Settings of a vector engine. They affect rankings only if the engine ranks."""
_EDGES = "walk.weights."
_REASONS = (
    (_EDGES, "no edges of this kind, or none between symbols that were found"),
    (_ENGINES, "vectors.scan_below_kilobytes keeps so few vectors without a graph"),
    ("scoring.feedback_", "feedback counts in rankgrid context and explain only"),
    ("scoring.session", "sessions count in rankgrid context and explain only"),
    ("seeding.learned.", "a study learns nothing from one query for the next"),
    ("seeding.weights.learned", "a study learns nothing from one query for the next"),
    ("seeding.weights.path", "it counts where retriever.seeding.path.fused is on"),
    ("scoring.base.", "they count where retriever.hits.nodes is 0"),
    ("scoring.ages.", "nothing was seen running, or changed lately"),
    ("selection.medium_", "no graph has so many nodes"),
    ("selection.large_", "no graph has so many nodes"),
    ("selection.types_first_over", "no graph has so many nodes"),
    ("equivalence.inject", "no query speaks of a weighty class of the project"),
)
"""Part of a setting's name, and a possible reason for its lack of effect."""
_OTHERWISE = "every query has the same hits in the same order"

Trials = Sequence[TrialResult]


def notes_on_unmoved(trials: Trials) -> Iterator[str]:
    """Yield a note for each nested setting whose values all give the same rankings."""
    done = [trial for trial in trials if not trial.failed]
    for name in dict.fromkeys(name for trial in done for name in trial.axes):
        if "." in name and _is_unmoved(name, _concerned(name, done)):
            values = ",".join(
                dict.fromkeys(str(one.axes[name]) for one in done if name in one.axes)
            )
            yield f"{name}={values} changed no ranking here: {_reason(name)}"


def _concerned(name: str, trials: Trials) -> Trials:
    """Return the trials whose rankings the setting could change."""
    if not name.startswith(_ENGINES):
        return trials
    return [trial for trial in trials if trial.ranked_by]


def _is_unmoved(name: str, trials: Trials) -> bool:
    """Return True if trials that differ only in this setting exist and rank identically."""
    groups: dict[str, list[TrialResult]] = {}
    for trial in trials:
        others = {axis: value for axis, value in trial.axes.items() if axis != name}
        groups.setdefault(str(sorted(others.items())), []).append(trial)
    several = [own for own in groups.values() if len({str(one.axes.get(name)) for one in own}) > 1]
    return bool(several) and all(len({*map(_rankings, own)}) == 1 for own in several)


def _rankings(trial: TrialResult) -> tuple[object, ...]:
    return tuple(
        (query.key, *((hit.path, hit.start, hit.end, hit.start_byte) for hit in query.hits))
        for query in trial.queries
    )


def _reason(name: str) -> str:
    return next((reason for part, reason in _REASONS if part in name), _OTHERWISE)
