"""Effects and interactions of axes, overall and in groups of queries."""

from collections.abc import Mapping, Sequence

from bench.advice import p_text, sign_count_text
from bench.analysis import Answer, Effect
from bench.report.html.comparison import Part
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.plots import effect_plot
from bench.report.html.tables import Cell, Heading, number, said_number, table, two_sided_shade
from bench.report.insights import Insights
from bench.report.study_view import StudyView
from bench.results.tiers import tier_order

_PLOTTED = 24


def effects_section(view: StudyView, found: Insights) -> Part | None:
    """Return the effect of each axis, averaged over the others, with interactions."""
    if len(view.done) < 2:  # noqa: PLR2004 - one trial has no axis
        return None
    title = "What each axis does"
    if not found.effects:
        empty = (
            "No axis varies alone: no two trials differ in one setting only."
            if view.comparable
            else "There is no query that every trial was judged on."
        )
        return "effects", title, collapsed("effects", title, element("p", empty, class_="empty"))
    return (
        "effects",
        title,
        collapsed(
            "effects",
            title,
            element("p", _explained(found), class_="facts"),
            _figure("Effect of each axis", found.effects, view.quality),
            _interactions(found.interactions, view.quality),
        ),
    )


def _explained(found: Insights) -> str:
    firsts = dict.fromkeys(f"{effect.axes[0]}={effect.against}" for effect in found.effects)
    return (
        "Differences between trials that are equal except for one setting, paired by query, "
        f"against {', '.join(firsts)}. The 95 % intervals hold on these repositories for all rows "
        "of a plot together. Filled: the interval excludes 0."
    )


def _figure(title: str, effects: Sequence[Effect], quality: str) -> Markup:
    shown = effects[:_PLOTTED]
    bars = "Bars are 95 % intervals on these repositories, for all rows together."
    more = f" The first {_PLOTTED} are drawn." if len(effects) > _PLOTTED else ""
    return element(
        "figure",
        element("h3", title),
        effect_plot(shown, title, quality),
        element("figcaption", bars + more),
        element("details", element("summary", "The numbers of this plot"), _table(title, effects)),
    )


def _interactions(found: Sequence[Effect], quality: str) -> Markup | None:
    if not found:
        return None
    clear = [effect for effect in found if _excludes_nothing(effect.here)]
    said = (
        "How much more (or less) the first setting does with the second one than without it. "
        + (
            f"{len(clear)} of {len(found)} have an interval that excludes 0."
            if clear
            else "None of them is clear on these queries."
        )
    )
    return element(
        "div", element("p", said, class_="facts"), _figure("Interactions", found, quality)
    )


def _excludes_nothing(answer: Answer | None) -> bool:
    interval = answer.together if answer else None
    return interval is not None and (interval.low > 0 or interval.high < 0)


def _table(title: str, effects: Sequence[Effect]) -> Markup:
    headings = [
        Heading("setting", text=True),
        Heading("against", text=True),
        Heading("difference"),
        Heading("from", "on these repositories, all rows together"),
        Heading("to"),
        Heading("p", "two-sided, corrected for all rows"),
        Heading("from", "on repositories like these, all rows together"),
        Heading("to"),
        Heading("repositories", text=True),
        Heading("pairs", "of trials that are otherwise equal"),
    ]
    return table(title, headings, [_row(effect) for effect in effects])


def _row(effect: Effect) -> list[Cell]:
    here = effect.here.together if effect.here else None
    there = effect.elsewhere.together if effect.elsewhere else None
    return [
        Cell(effect.name, effect.name),
        Cell(effect.against, effect.against),
        number(effect.size, "+.4f"),
        number(here.low if here else None, "+.4f"),
        number(here.high if here else None, "+.4f"),
        _p_value(effect.here),
        number(there.low if there else None, "+.4f", note="too few repositories, or no spread"),
        number(there.high if there else None, "+.4f", note="too few repositories, or no spread"),
        Cell(sign_count_text(effect.signs), sign_count_text(effect.signs)),
        number(effect.pairs, "d"),
    ]


def _p_value(answer: Answer | None) -> Cell:
    """Return a p value in words; a small one is "< 0.001", never zero."""
    if answer is None:
        return number(None, ".3f")
    return Cell(
        p_text(answer.adjusted_p).removeprefix("p = ").removeprefix("p "), answer.adjusted_p
    )


def groups_section(view: StudyView, found: Insights) -> Part | None:
    """Return each effect in every repository and category of queries."""
    if not found.effects:
        return None
    title = "Where this holds"
    intro = (
        f"The same differences of {view.quality} in groups of queries. Bold: the 95 % "
        "interval, corrected for the rows of its column, excludes 0. The groups were "
        "not chosen in advance: treat them as hints."
    )
    # a group with too few queries has no effects
    shown = ((kind, of) for kind, of in found.by_group.items() if of)
    parts = [_signs(found.effects), *(_groups(kind, of) for kind, of in shown)]
    content = collapsed("where", title, element("p", intro, class_="facts"), parts)
    return "where", title, content


def _signs(effects: Sequence[Effect]) -> Markup:
    names = [name for name, _ in effects[0].signs.by_repository]
    reach = max(abs(size) for effect in effects for _, size in effect.signs.by_repository)
    rows = [
        [
            Cell(effect.name, effect.name),
            Cell(sign_count_text(effect.signs), effect.signs.better),
            *(
                number(size, "+.3f", kind=two_sided_shade(size, reach))
                for _, size in effect.signs.by_repository
            ),
        ]
        for effect in effects
    ]
    headings = [Heading("setting", text=True), Heading("repositories"), *map(Heading, names)]
    label = "Effects by repository"
    return element("div", element("h3", label), table(label, headings, rows))


def _groups(kind: str, groups: Mapping[str, Sequence[Effect]]) -> Markup:
    ordered = sorted(groups, key=tier_order)
    names = [effect.name for effect in groups[ordered[0]]]
    sizes = [abs(effect.size) for of in groups.values() for effect in of]
    rows = [
        [Cell(name, name), *(_group_cell(groups[group][place], max(sizes)) for group in ordered)]
        for place, name in enumerate(names)
    ]
    headings = [Heading("setting", text=True)]
    headings += [Heading(f"{group} ({groups[group][0].queries})") for group in ordered]
    label = f"Effects by {kind} (number of queries)"
    return element("div", element("h3", label), table(label, headings, rows))


def _group_cell(effect: Effect, reach: float) -> Cell:
    shown = said_number(effect.size, "+.3f")
    strong = element("strong", shown) if _excludes_nothing(effect.here) else shown
    return Cell(strong, round(effect.size, 6), two_sided_shade(effect.size, reach))
