"""Scores of all weightings: a curve per channel, the chosen weights and their expected score."""

from collections.abc import Mapping, Sequence

from bench.advice import measure_label, plural
from bench.report.html.comparison import Part
from bench.report.html.drawing import swatch
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.lines import Level, Line, Lines, level_swatch, line_plot
from bench.report.html.scales import Scale, score_scale
from bench.report.html.tables import Cell, Heading, number, table
from bench.report.html.ternary_plot import ternary_plot
from bench.report.study_view import StudyView
from bench.results import Tuning

_DRAWN = 3
_PAIR, _TRIANGLE, _MOST_STEPS = 2, 3, 40


def weights_section(view: StudyView) -> Part | None:
    """Return curves of trials whose weights were chosen on a grid."""
    tuned = [(trial.name, trial.tuning) for trial in view.ranked if trial.tuning]
    if not tuned:
        return None
    title = "Weights"
    intro = (
        "weights={steps: N} takes the weighting with the highest mean on the tune half of the "
        "queries. The best of many looks better there than it is: the dashed lines are what to "
        "expect of it. All weightings are in weights.parquet."
    )
    left = len(tuned) - _DRAWN
    more = f"{plural(left, 'more trial', 'more trials')} chose weights: weights.parquet has them."
    content = collapsed(
        "weights",
        title,
        element("p", intro, class_="facts"),
        [_trial(name, tuning) for name, tuning in tuned[:_DRAWN]],
        element("p", more, class_="facts") if left > 0 else None,
    )
    return "weights", title, content


def _trial(trial: str, tuning: Tuning) -> Markup:
    name = measure_label(tuning.objective)
    return element(
        "div",
        element("h3", f"{trial}: {tuning.override}"),
        _curves(tuning, name),
        _triangle(tuning, name),
        _repositories(tuning, name),
    )


def _curves(tuning: Tuning, quality: str) -> Markup:
    channels = _drawn_channels(tuning)
    profiles = {channel: _profile(tuning, channel) for channel in channels}
    chosen, best = tuning.chosen, tuning.in_sample
    lines = [
        Line(channel, profiles[channel], place, (chosen[channel], best))
        for place, channel in enumerate(channels)
    ]
    expected = (
        ("expected on new queries of these repositories", tuning.expected_here),
        ("expected on a new repository", tuning.expected_on_a_new_repository),
    )
    levels = [
        Level(words, score, place)
        for place, (words, score) in enumerate(expected)
        if score is not None
    ]
    heights = [up for points in profiles.values() for _, up in points]
    title = f"{quality} by the weight of {'a channel' if len(channels) > 1 else channels[0]}"
    shown = Lines(
        title,
        "Rings are the chosen weights; a table has the numbers.",
        Scale(-0.02, 1.02, 0, 1),
        score_scale([*heights, *(level.height for level in levels)], 0, 1),
        ("weight, of 1 for all channels together", f"{quality}, tune half"),
        lines,
        levels,
    )
    return element(
        "figure",
        element("h4", title),
        line_plot(shown),
        _legend(tuning, lines, levels),
        element("figcaption", _explained(tuning)),
        element(
            "details", element("summary", "The numbers of this plot"), _numbers(title, profiles)
        ),
    )


def _drawn_channels(tuning: Tuning) -> Sequence[str]:
    """Return the channels to draw; with two channels, one determines the other."""
    return tuning.channels[1:] if len(tuning.channels) == _PAIR else tuning.channels


def _profile(tuning: Tuning, channel: str) -> list[tuple[float, float]]:
    """Return the highest score at each weight of a channel, over all weightings."""
    place = tuning.channels.index(channel)
    best: dict[float, float] = {}
    for point in tuning.curve:
        weight = point.weights[place]
        best[weight] = max(best.get(weight, 0.0), point.score)
    return sorted(best.items())


def _legend(tuning: Tuning, lines: Sequence[Line], levels: Sequence[Level]) -> Markup:
    of = [element("li", swatch(one.place), f" {one.name}") for one in lines]
    said = element("li", f"chosen (ring): {tuning.override}, in sample {tuning.in_sample:.4f}")
    heights = [
        element("li", level_swatch(one.place), f" {one.name}: {one.height:.4f}") for one in levels
    ]
    return element("ul", of, said, heights, class_="legend")


def _explained(tuning: Tuning) -> str:
    several = len(tuning.channels) > _PAIR
    best = (
        "The highest mean that any weighting with this much of a channel has. " if several else ""
    )
    count = plural(tuning.weightings, "weighting", "weightings")
    new = tuning.expected_on_a_new_repository is None
    unknown = " What to expect on a new repository is not known from one." if new else ""
    return (
        f"{best}Means over repositories of {plural(tuning.queries, 'query', 'queries')} of the "
        f"tune half, {count}. Expected here: chosen on four fifths, scored on the fifth. Expected "
        f"on a new repository: chosen without it, scored on it.{unknown} The means have no "
        "intervals: they are of the queries that chose."
    )


def _numbers(title: str, profiles: Mapping[str, Sequence[tuple[float, float]]]) -> Markup:
    weights = sorted({weight for points in profiles.values() for weight, _ in points})
    found = {channel: dict(points) for channel, points in profiles.items()}
    rows = [
        [
            Cell(f"{weight:g}", f"{weight:.4f}"),
            *(number(found[channel].get(weight), ".4f") for channel in profiles),
        ]
        for weight in weights
    ]
    return table(title, [Heading("weight", text=True), *map(Heading, profiles)], rows)


def _triangle(tuning: Tuning, quality: str) -> Markup | None:
    channels = tuning.channels
    if len(channels) != _TRIANGLE or tuning.steps > _MOST_STEPS:
        return None
    points = [(point.weights, point.score) for point in tuning.curve]
    title = f"{quality} of every weighting"
    scores = [score for _, score in points]
    rows = [
        [
            Cell(", ".join(f"{weight:g}" for weight in weights), str(weights)),
            number(score, ".4f"),
        ]
        for weights, score in sorted(points, key=lambda point: -point[1])
    ]
    headings = [Heading(", ".join(channels), text=True), Heading(quality)]
    return element(
        "figure",
        element("h4", title),
        ternary_plot(title, channels, points, tuning.steps),
        element(
            "figcaption",
            f"A corner is all of one channel, the side opposite to it none of it. From "
            f"{min(scores):.4f} to {max(scores):.4f}, the fuller the colour the higher; the ring "
            "is the highest.",
        ),
        element(
            "details", element("summary", "The numbers of this plot"), table(title, headings, rows)
        ),
    )


def _repositories(tuning: Tuning, quality: str) -> Markup | None:
    if len(tuning.repositories) < _PAIR:
        return None
    title = "What each repository would have chosen"
    headings = [
        Heading("repository", text=True),
        Heading("queries", "of the tune half"),
        Heading(
            "chosen for all", f"{quality} of the weights that were chosen on all repositories"
        ),
        Heading("its own choice", text=True),
        Heading("in sample", f"{quality} of the weights that it would have chosen alone"),
        Heading("chosen without it", text=True),
        Heading("on it", f"{quality} of the weights that the others would have chosen for it"),
    ]
    rows = [
        [
            Cell(name, name),
            number(of.queries, "d"),
            number(of.score, ".4f"),
            _weights(of.own_weights),
            number(of.own_score, ".4f"),
            _weights(of.weights_without_it),
            number(of.score_without_it, ".4f"),
        ]
        for name, of in tuning.repositories.items()
    ]
    return element("div", element("h4", title), table(title, headings, rows))


def _weights(override: str | None) -> Cell:
    shown = (override or "-").removeprefix("weights=")
    return Cell(shown, shown)
