"""The report in a real browser: it works from disk, by keyboard, on a phone, and runs no text."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.report import write_report
from bench.results.document import from_json
from tests.integration.browser import CHROMIUM, Page, browser
from tests.integration.layout import BADLY_PLACED
from tests.unit.report.sample_choices import with_answers, with_weights
from tests.unit.report.sample_results import HOSTILE, a_big_grid, a_grid
from tests.unit.report.test_answer_page import by_text

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (.ci/run installs it)")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a grid of four trials with hostile text, some of which chose settings."""
    results = a_grid()
    plain, *others, last = results["reports"]
    tuned = with_weights(plain, ("bm25", "dense", "graph"), 10)
    results["reports"] = [with_answers(tuned, 2.5), *others, with_weights(last, ("a", "b"), 20)]
    return write_report(from_json(results, "r.json"), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser with the report in it."""
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        opened.open(report)
        yield opened


@pytest.fixture(autouse=True)
def _fresh(page: Page, report: Path) -> None:
    page.events.clear()
    page.resize(1280, 900)
    page.prefer("light")
    page.open(report)
    page.open_parts()


def texts(page: Page, selector: str) -> list[str]:
    """Return the texts of all elements that a selector finds."""
    script = f"[...document.querySelectorAll({selector!r})].map(found => found.textContent)"
    found: list[str] = page.run(script)
    return found


def test_hostile_text_is_shown_and_never_run(page: Page) -> None:
    """The title is ours, no image was made, nothing was blocked or thrown."""
    page.run("document.querySelector('.query-list summary').click()")
    page.run("new Promise(done => setTimeout(done, 100))")

    assert "rankgrid" in page.run("document.title")
    assert page.run("document.images.length") == 0
    assert HOSTILE in texts(page, ".question")[0]
    assert HOSTILE in texts(page, ".panel .expected")[0]
    assert HOSTILE in texts(page, ".panel .place")[0]
    assert page.troubles() == []


def test_the_file_asks_for_nothing_else(page: Page, report: Path) -> None:
    """One request: the file itself."""
    assert set(page.requests()) == {report.as_uri()}


def test_a_click_sorts_and_a_second_one_turns_round(page: Page) -> None:
    """By NDCG@10, the worst first after the second click; the order is told to screen readers."""
    heading = "document.querySelectorAll('#all-trials th button')[2]"
    first = "document.querySelector('#all-trials tbody tr').cells[1].textContent"

    page.run(f"{heading}.click()")
    best, order = page.run(first), page.run(f"{heading}.parentElement.ariaSort")
    page.run(f"{heading}.click()")

    assert (best, order) == ("chunk=64 rerank=on advised", "descending")
    assert page.run(first) == "chunk=512 rerank=off"
    assert page.run(f"{heading}.parentElement.ariaSort") == "ascending"


def test_the_table_is_sorted_by_keyboard(page: Page) -> None:
    """Enter on a heading does what a click does."""
    page.run("document.querySelectorAll('#all-trials th button')[0].focus()")

    page.press("Enter")

    places = (
        "[...document.querySelectorAll('#all-trials tbody tr')].map(r => r.cells[0].textContent)"
    )
    assert page.run(places) == ["4", "3", "2", "1"]


def test_words_filter_the_trials(page: Page) -> None:
    """Every word must be in the name."""
    page.run(
        "(() => { const field = document.getElementById('filter'); field.value = '512 on';"
        " field.dispatchEvent(new Event('input')); })()"
    )

    shown = "[...document.querySelectorAll('#all-trials tbody tr')].filter(r => !r.hidden).length"
    assert page.run(shown) == 1
    assert texts(page, "#filtered") == ["1 of 4 trials"]


def test_flips_between_any_two_trials_are_those_of_the_results(page: Page, report: Path) -> None:
    """Counted again here, from the ranks."""
    del report
    ranks = {
        r["config"]["name"]: [q["first_rank"] for q in r["query_results"]]
        for r in a_grid()["reports"]
    }
    names = page.run("[...document.getElementById('trial-a').options].map(o => o.textContent)")
    a, b = (ranks[name.split(" ", 1)[1]] for name in (names[2], names[1]))
    pairs = [(x or 99, y or 99) for x, y in zip(a, b, strict=True)]
    wins = sum(y < x for x, y in pairs)
    losses = sum(x < y < 99 for x, y in pairs)
    draws = sum(x == y for x, y in pairs)

    page.run(
        "(() => { for (const [id, value] of [['trial-a', '2'], ['trial-b', '1']]) {"
        " const field = document.getElementById(id); field.value = value;"
        " field.dispatchEvent(new Event('input', {bubbles: true})); } })()"
    )

    said = texts(page, "#flips")[0]
    assert f"{wins} wins" in said
    assert f"{losses} losses" in said or f"{losses} loss," in said
    assert f"{draws} draws" in said


def test_an_opened_query_shows_both_rankings_with_what_was_right(page: Page) -> None:
    """Five hits each; the right one is marked, and what was expected stands above."""
    page.run("document.querySelectorAll('.query-list summary')[1].click()")
    page.run("new Promise(done => setTimeout(done, 100))")

    assert len(texts(page, ".panel .ranking")) == 2
    assert len(texts(page, ".panel li.relevant")) == 2
    assert "part1.work" in texts(page, ".panel .expected")[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_is_wider_than_the_screen(page: Page, width: int, scheme: str) -> None:
    """Wide tables scroll in frames of their own; one plot of each pair is shown."""
    page.prefer(scheme)

    page.resize(width, 900, mobile=width < 500)

    assert page.run("document.documentElement.scrollWidth") <= width
    shown = "[...document.querySelectorAll('.plot')].every(p => [...p.children].filter(s =>"
    assert page.run(f"{shown} s.getBoundingClientRect().width > 0).length === 1)")


def test_no_label_of_a_plot_is_cut_or_covered(page: Page) -> None:
    """Every text of every shown plot lies in its plot, and none lies on another one."""
    for width in (375, 1280):
        page.resize(width, 900, mobile=width < 500)

        found = page.run(BADLY_PLACED)

        assert found == []


def test_the_button_changes_between_light_and_dark(page: Page) -> None:
    """Whatever the system prefers."""
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.run(colour)

    page.run("document.getElementById('theme').click()")
    dark = page.run(colour)
    page.run("document.getElementById('theme').click()")

    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(20, 23, 27)")
    assert page.run(colour) == light
    page.run("localStorage.clear()")


def test_every_plot_says_what_it_shows_to_those_who_cannot_see_it(page: Page) -> None:
    """A label, and a table with the same numbers beside it."""
    labels = page.run("[...document.querySelectorAll('.plot svg')].map(s => s.ariaLabel)")

    assert len(labels) >= 8
    assert all(labels)
    tables = (
        "[...document.querySelectorAll('figure')].every(f => f.querySelector('details table'))"
    )
    assert page.run(tables) is True


def test_a_hundred_trials_of_three_hundred_queries_fit_in_five_megabytes(
    page: Page, tmp_path: Path
) -> None:
    """With hits that nothing but chance decides, the worst that can be to compress."""
    place = write_report(
        from_json(a_big_grid(trials=100, queries=333, repositories=15), "r.json"), tmp_path
    )

    page.open(place)
    page.open_parts()

    assert place.stat().st_size < 5_000_000
    assert len(texts(page, ".query-list details")) == 50
    assert "of 333 queries" in texts(page, "#flips")[0]
    assert page.run(BADLY_PLACED) == []


def test_on_paper_it_is_light_and_shows_what_is_open(page: Page) -> None:
    """Controls are left out, queries are not, and no table is wider than a landscape page."""
    page.run("document.getElementById('theme').click()")
    page.call("Emulation.setEmulatedMedia", media="print")
    page.resize(1032, 700)

    colour = page.run("getComputedStyle(document.body).backgroundColor")
    controls = page.run("getComputedStyle(document.getElementById('query-controls')).display")
    frames = "[...document.querySelectorAll('.scrolled')]"
    wide = page.run(f"{frames}.filter(f => f.scrollWidth > f.clientWidth + 1).length")
    pages = printed_pages(page)
    page.call("Emulation.setEmulatedMedia", media="")
    page.run("localStorage.clear()")

    assert (colour, controls) == ("rgb(255, 255, 255)", "none")
    assert wide == 0
    assert pages > 5


def printed_pages(page: Page) -> int:
    """Return how many sheets the page takes on paper."""
    paper = base64.b64decode(page.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", paper))


def test_what_whoever_decides_reads_fits_two_pages(page: Page, report: Path) -> None:
    """The closed parts are not printed."""
    page.open(report)

    assert printed_pages(page) == 2


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_answer_its_chart_and_its_cards_are_the_first_screen(
    page: Page, tmp_path: Path, width: int, height: int
) -> None:
    """Without a click, without scrolling."""
    page.resize(width, height, mobile=width < 500)
    page.open(write_report(from_json(by_text(a_grid()), "r.json"), tmp_path))

    seen = "(e => { const b = e.getBoundingClientRect(); return b.height > 0 && b.bottom; })"
    chart, last = (
        page.run(f"{seen}(document.querySelector('#answer {part}'))")
        for part in ("figure", ".card:last-child")
    )

    assert 0 < chart <= height
    assert 0 < last <= height
    assert page.run("document.querySelectorAll('#answer .card').length") == 4
    assert page.run("document.querySelectorAll('.part[open]').length") == 0
    assert page.run(BADLY_PLACED) == []


def test_a_link_to_a_closed_part_opens_it_and_the_button_opens_all(
    page: Page, report: Path
) -> None:
    opened = "[...document.querySelectorAll('.part[open]')].map(p => p.parentElement.id)"
    page.open(report)

    page.run("location.hash = '#terms'")
    page.run("new Promise(done => setTimeout(done, 100))")
    one = page.run(opened)
    page.run("document.getElementById('open-all').click()")
    every = page.run(opened)
    page.run("document.getElementById('open-all').click()")

    assert one == ["terms"]
    assert {"trials", "queries", "method"} <= set(every)
    assert page.run(opened) == []


def test_two_hundred_trials_in_fifty_repositories_open_in_two_seconds(
    page: Page, tmp_path: Path
) -> None:
    """Five hundred queries each; by the clock of the page until the queries are there.

    The quickest of three, because the machine has other work.
    """
    results = a_big_grid(trials=200, queries=500, repositories=50)
    place = write_report(from_json(results, "r.json"), tmp_path)

    milliseconds = []
    for _ in range(3):
        page.open(place)
        milliseconds.append(page.run("Number(document.documentElement.dataset.milliseconds)"))

    assert 0 < min(milliseconds) < 2_000
    assert len(texts(page, ".query-list details")) == 50
