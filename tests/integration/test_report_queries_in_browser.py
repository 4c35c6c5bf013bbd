"""Queries of a report in a real browser: failures, answers, long and turned text, commands."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from bench.report import write_report
from bench.results.document import from_json
from tests.integration.browser import CHROMIUM, Page, browser
from tests.unit.report.sample_results import a_grid

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (.ci/run installs it)")

LONG = "x" * 5_000
TURNED = "report \u202egnp.exe"
EVIL = "-a/it's $(touch owned) `id`.py"
NAME = "retriever.channels=[bm25,dense,graph,fields,grep,exact,tiered]weights={steps:10}"
FAILED = 1
"""The trial, by its place in the results, under which the first query failed."""


def results() -> dict[str, Any]:
    """Return a grid of four trials with what goes wrong in real ones."""
    found = a_grid()
    found["suite"] = "quick"
    for number, report in enumerate(found["reports"]):
        report["config"] |= {"chunker": "syntax", "chunker.header": "scope"}
        if number == len(found["reports"]) - 1:
            report["config"]["name"] = NAME
        for query in report["query_results"]:
            query["answer"] = {"text": f"Because. [#{number}]", "refused": False, "error": None}
        first, second, third, *_ = report["query_results"]
        second |= {"query": LONG, "targets": [{"path": EVIL, "start": 3, "end": 9}]}
        third["query"] = TURNED
        if number == FAILED:
            first |= {"error": "the server hung up", "first_rank": None, "retrieved": []}
            first |= {name: None for name in first if name.endswith(("_10", "_tokens", "mrr"))}
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser with the report, whose first three queries are open, under trials 1 and 0."""
    place = write_report(from_json(results(), "r.json"), tmp_path_factory.mktemp("report"))
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        opened.resize(375, 800, mobile=True)
        opened.open(place)
        opened.open_parts()
        names = [report["config"]["name"] for report in results()["reports"]]
        for control, name in (("trial-a", names[FAILED]), ("trial-b", names[0])):
            opened.run(
                f"(() => {{ const field = document.getElementById('{control}');"
                f" const option = [...field.options].find(o => o.textContent.endsWith('{name}'));"
                " field.value = option.value;"
                " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
            )
        opened.run(
            "[...document.querySelectorAll('.query-list summary')].slice(0, 3)"
            ".forEach(row => row.click())"
        )
        opened.run("new Promise(done => setTimeout(done, 200))")
        yield opened


def row(page: Page, number: int) -> str:
    """Return the text of a query's row and of what it opens."""
    return str(page.run(f"document.querySelectorAll('.query-list > details')[{number}].innerText"))


def test_a_failed_query_is_neither_missed_nor_a_regression(page: Page) -> None:
    """It has its cause; what became of it is not known."""
    found = row(page, 0)

    assert "A failed" in found
    assert "Failed: the server hung up" in found
    assert "missed" not in found
    assert not any(word in found for word in ("win", "regression", "draw"))


def test_failed_queries_can_be_listed_alone(page: Page) -> None:
    """One of thirty; whoever opened it finds it open."""
    choose = (
        "(() => { const field = document.getElementById('kind'); field.value = '%s';"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )

    page.run(choose % "failed")
    count = page.run("document.querySelectorAll('.query-list > details').length")
    is_open = page.run("document.querySelector('.query-list > details').open")
    page.run(choose % "all")
    page.run("new Promise(done => setTimeout(done, 200))")

    assert count == 1
    assert is_open is True
    assert "Failed: the server hung up" in row(page, 0)


def test_a_long_query_is_short_in_its_row_and_whole_when_opened(page: Page) -> None:
    """5,000 letters without a space break nothing on a phone."""
    shown = page.run("document.querySelectorAll('.question')[1].firstChild.textContent")
    whole = page.run("document.querySelectorAll('.query-list > details')[1].textContent")

    assert shown == LONG[:300] + "…"
    assert LONG in whole
    assert page.run("document.documentElement.scrollWidth") <= 375


def test_no_sign_turns_the_letters_after_it_round(page: Page) -> None:
    """U+202E would show report exe.png."""
    assert "\u202e" not in page.run("document.documentElement.textContent")
    assert "report \ufffdgnp.exe" in row(page, 2)


def test_answers_stand_above_what_they_were_made_from(page: Page) -> None:
    """Of both trials."""
    found = row(page, 2)

    assert "Because. [#0]" in found
    assert "Because. [#1]" in found


def test_the_command_that_shows_chunks_passes_a_hostile_path_as_one_argument(page: Page) -> None:
    """As a shell reads it: a dash begins no option, and nothing is substituted."""
    commands = page.run(
        "[...document.querySelectorAll('.query-list > details')[1]"
        ".querySelectorAll('.command')].map(one => one.textContent)"
    )

    assert [shlex.split(command) for command in commands] == [
        [
            *("rankgrid", "show", "chunks", f"./{EVIL}", "--suite", "quick"),
            *("--repository", "bank", "--chunker", "syntax", "--chunk", "64"),
            *("--header", "scope"),
        ]
    ]


def test_a_frame_with_more_to_its_right_shows_it_until_its_end(page: Page) -> None:
    """The table of all trials is wider than a phone."""
    frame = "document.getElementById('all-trials').parentElement"
    wait = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))"
    page.run(wait)
    before = page.run(f"{frame}.classList.contains('more')")

    page.run(f"{frame}.scrollLeft = 10000")
    page.run(wait)

    assert before is True
    assert page.run(f"{frame}.classList.contains('more')") is False


def test_the_longest_name_leaves_room_for_numbers(page: Page) -> None:
    """On a phone the names stay while the numbers move: they take half of the frame at most."""
    widths = page.run(
        "[...document.querySelectorAll('.scrolled')].filter(f => f.scrollWidth > f.clientWidth)"
        ".flatMap(frame => [...frame.querySelectorAll('tbody th')])"
        ".map(name => name.getBoundingClientRect().width / innerWidth)"
    )

    assert max(widths) <= 0.5


def test_what_columns_mean_can_be_read_without_a_mouse(page: Page) -> None:
    """Under the table, closed."""
    found = page.run(
        "document.getElementById('all-trials').parentElement.nextElementSibling.textContent"
    )

    assert found.startswith("What the columns mean")
    assert "median time of a query, alone on its machine" in found


def test_every_control_has_a_name_and_shows_its_focus(page: Page) -> None:
    """By Tab alone, through the first thirty."""
    page.run("scrollTo(0, 0); document.activeElement.blur()")
    found = []
    for _ in range(30):
        page.press("Tab")
        found.append(
            page.run(
                "(() => { const at = document.activeElement; const name = at.ariaLabel"
                " || at.labels?.[0]?.textContent || at.textContent; return [at.tagName,"
                " Boolean(name.trim()), parseFloat(getComputedStyle(at).outlineWidth)]; })()"
            )
        )

    assert {name for name, *_ in found} >= {"A", "BUTTON", "INPUT"}
    assert [one for one in found if not one[1] or one[2] < 2] == []
