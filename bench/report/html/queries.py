"""The query table, which compares any two trials."""

from bench.report.html.comparison import Part
from bench.report.html.elements import Markup, collapsed, element
from bench.report.study_view import StudyView


def queries_section(view: StudyView) -> Part | None:
    """Return the frame that the page's script fills with queries."""
    if not view.done:
        return None
    title = "Queries and flips"
    intro = (
        "Each query under two trials, A and B. Win: only B found something right, or B found it "
        "earlier. Loss: both found it, B later. Regression: A found it, B did not. Draw: the same "
        "rank, or neither found it. Open a query to see both rankings and what was expected."
    )
    content = collapsed(
        "queries",
        title,
        element("p", intro, class_="facts"),
        element("div", _controls(), class_="controls", id="query-controls"),
        element("p", id="flips", class_="flips", aria_live="polite"),
        element("div", id="query-list", class_="query-list"),
        element("p", element("button", "Show more", type="button", id="more", hidden=True)),
        element("p", id="query-trouble", class_="empty"),
    )
    return "queries", title, content


def _controls() -> list[Markup]:
    return [
        _labelled("A", element("select", id="trial-a")),
        _labelled("B", element("select", id="trial-b")),
        _labelled("Show", element("select", id="kind")),
        _labelled("Repository", element("select", id="repository")),
        _labelled("Category", element("select", id="category")),
        _labelled("Difficulty", element("select", id="difficulty")),
        _labelled("Words", element("input", type="search", id="words")),
    ]


def _labelled(name: str, control: Markup) -> Markup:
    return element("label", element("span", name), control)
