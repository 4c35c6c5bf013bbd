"""The whole report, with a content security policy for its own scripts and styles."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from bench.corpora.own_files import HTML_GENERATOR
from bench.report.html.answer import answer_section, worst_section
from bench.report.html.answers import answers_section
from bench.report.html.comparison import advice_section, comparison_section
from bench.report.html.cutting import cutting_section
from bench.report.html.difference import effects_section, groups_section
from bench.report.html.elements import Markup, element
from bench.report.html.glossary import glossary_section
from bench.report.html.method import (
    coverage_section,
    failures_section,
    method_section,
    negatives_section,
)
from bench.report.html.payload import packed, room_beside
from bench.report.html.queries import queries_section
from bench.report.html.tradeoffs import curves_section, frontier_section, repositories_section
from bench.report.html.weights import weights_section
from bench.report.insights import Insights
from bench.report.study_view import StudyView

_HERE = Path(__file__).parent
_SCRIPTS = ("tables.js", "study.js", "queries.js")


def page_of(view: StudyView, found: Insights) -> str:
    """Return the report of a study as one HTML document."""
    style = _asset("style.css")
    script = "".join(_asset(name) for name in _SCRIPTS)
    parts = [part for part in _parts(view, found) if part]
    main = element("main", [content for _, _, content in parts], id="results")
    room = room_beside(len(f"{style}{script}{main}".encode("utf-8", "replace")))
    title = f"rankgrid: {view.study.suite}, {view.study.id}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="generator", content=HTML_GENERATOR),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element("a", "To the results", href="#answer", class_="skip"),
        _header(view),
        main,
        element("footer", "Made by rankgrid. This file needs no network and loads nothing."),
        element("script", Markup(packed(view, room)), type="text/plain", id="rows"),
        element("script", Markup(script)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


_Part = tuple[str, str, Markup]


def _parts(view: StudyView, found: Insights) -> list[_Part | None]:
    return [
        answer_section(view, found),
        worst_section(view),
        advice_section(view, found),
        failures_section(view),
        comparison_section(view, found),
        frontier_section(view, found),
        curves_section(view, found),
        weights_section(view),
        effects_section(view, found),
        groups_section(view, found),
        repositories_section(view),
        queries_section(view),
        answers_section(view),
        negatives_section(view),
        coverage_section(view),
        cutting_section(view),
        method_section(view),
        glossary_section(),
    ]


def _header(view: StudyView) -> Markup:
    toggle = element(
        "div",
        element("button", "Open all", type="button", id="open-all"),
        " ",
        element("button", "Dark or light", type="button", id="theme"),
        class_="buttons",
    )
    study = view.study
    when = f"{study.timestamp[:16].replace('T', ' ')} UTC"
    about = [when, f"study {study.id}", study.level_and_credit, view.choice]
    facts = " · ".join(each for each in about if each)
    return element(
        "header",
        element("div", element("h1", f"Retrieval on {view.study.suite}"), toggle, class_="top"),
        element("p", facts, class_="facts"),
        element(
            "noscript",
            element("p", "Without JavaScript the tables do not sort and the queries do not show."),
        ),
    )


def _policy(style: str, script: str) -> str:
    """Return a policy that allows only this style and this script."""
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode()}'"


def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
