"""The pages of a real study in a real browser: MLflow's own, and the report beside its results."""

import json
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.integration.browser import CHROMIUM, Page, browser
from tests.integration.layout import BADLY_PLACED
from tests.small_study import CART, QUERIES

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (.ci/run installs it)"),
    pytest.mark.timeout(400),
]

ROOT = Path(__file__).parents[2]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")
_SECONDS = 90.0  # a page of MLflow on a busy machine


@dataclass(frozen=True)
class Served:
    """A study that `rankgrid ui` shows."""

    results: dict[str, Any]
    latest: str
    compare: str
    folder: Path


def _study(folder: Path, port: int) -> str:
    """Run a grid of two trials, logged to a database of its own; return its address in MLflow."""
    (folder / "shop").mkdir()
    (folder / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (folder / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    study = ["-m", "chunk=16,64", "suite=own", "repository=shop", "queries=queries.yaml"]
    study += ["retriever=bm25", "execution=local", "latency=off"]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *study]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr + ran.stdout
    (address,) = re.findall(r"^http\S+", ran.stdout, re.MULTILINE)
    return str(address).replace(":5000/", f":{port}/")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a study and serve its pages until the tests are over."""
    folder = tmp_path_factory.mktemp("study")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
    address = _study(folder, port)
    results = unpacked(
        json.loads((folder / "outputs" / "latest" / "results.json").read_text("utf-8"))
    )
    command = [RANKGRID, "ui", "--port", str(port)]
    with (
        (folder / "ui.log").open("wb") as log,
        subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == f"http://127.0.0.1:{port}"
            latest = process.stdout.readline().strip().removeprefix("The latest study: ")
            compare = process.stdout.readline().strip().removeprefix("All trials side by side: ")
            assert latest == address
            _wait_for_server(port, process)
            yield Served(results, latest, compare, folder)
        finally:
            process.terminate()  # not killed: it ends its server, which has a session of its own
            process.wait(60)


def _wait_for_server(port: int, process: "subprocess.Popen[str]") -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("the server ended by itself")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser with a screen that is wide enough for all columns."""
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        opened.resize(2800, 1200)
        yield opened


def _read(page: Page, url: str, *wanted: str) -> str:
    """Open an address, wait until the page shows all that is wanted, and return its text."""
    page.call("Page.navigate", url="about:blank")  # a change of the fragment alone loads nothing
    page.call("Page.navigate", url=url)
    deadline = time.monotonic() + _SECONDS
    while True:
        text = str(page.run("document.body ? document.body.innerText : ''"))
        missing = [each for each in wanted if each not in text]
        if not missing:
            return text
        if time.monotonic() > deadline:
            pytest.fail(f"{url} does not show {missing} but {text}")
        time.sleep(0.3)


def _wait_for(page: Page, found: str) -> None:
    """Wait until an expression finds something in the page."""
    deadline = time.monotonic() + _SECONDS
    while not page.run(f"Boolean({found})"):
        if time.monotonic() > deadline:
            pytest.fail(f"{found} finds nothing")
        time.sleep(0.3)


def test_the_list_of_runs_shows_the_trials_with_their_numbers(served: Served, page: Page) -> None:
    """Sorted by the objective; the parent, which has no numbers, is not among them."""
    number = "avg_coverage_at_4000_tokens"
    reports = sorted(served.results["reports"], key=lambda one: -one["summary"][number])
    names = [report["config"]["name"] for report in reports]
    scores = [f"{report['summary'][number]:g}" for report in reports]
    told = ("coverage_at_4000_tokens", "rankgrid.verdict", "highest")

    text = _read(page, served.latest, "2 matching runs", *told, *names, *scores)

    assert served.results["study"] not in text.replace(f"'{served.results['study']}'", "")


def test_the_charts_begin_with_those_of_the_study(served: Served, page: Page) -> None:
    """Drawn, not only listed; MLflow's own sections are there, closed."""
    charts = f"{served.latest}&compareRunsMode=CHART"
    text = _read(page, charts, "\nStudy\n", "recall_by_tokens", "\nModel metrics\n")

    assert (
        text.index("\nStudy\n") < text.index("recall_by_tokens") < text.index("\nModel metrics\n")
    )
    _wait_for(page, "document.querySelector('.js-plotly-plot svg .barlayer path')")


def test_the_compare_page_shows_parameters_and_numbers_of_all_trials(
    served: Served, page: Page
) -> None:
    """Side by side, those of every trial; its first plot is of what decides."""
    number = "avg_coverage_at_4000_tokens"
    # MLflow rounds to three digits on this page.
    scores = [f"{report['summary'][number]:.3g}" for report in served.results["reports"]]

    text = _read(page, served.compare, "Comparing 2 Runs from 1 Experiment", "index_seconds")

    assert re.search(r"^chunk\t(16\t64|64\t16)$", text, re.MULTILINE)
    assert re.search(r"^retriever\tbm25\tbm25$", text, re.MULTILINE)
    assert re.search(r"Metrics:\s+coverage_at_4000_tokens\s+Clear All", text)
    after = text[text.index("index_seconds") :]
    assert all(re.search(rf"^{score}$", after, re.MULTILINE) for score in scores)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_the_report_of_the_study_shows_it_whole(
    served: Served, page: Page, width: int, scheme: str
) -> None:
    """Every trial and query; nothing is cut, covered or wider than the screen, nothing fails."""
    names = [report["config"]["name"] for report in served.results["reports"]]
    page.resize(width, 900, mobile=width < 500)
    page.prefer(scheme)
    page.events.clear()

    page.open(served.folder / "outputs" / "latest" / "report.html")
    page.run("document.querySelectorAll('details.part > summary').forEach(part => part.click())")
    page.run("new Promise(done => setTimeout(done, 100))")

    text = str(page.run("document.body.innerText"))
    assert all(name in text for name in names)
    assert all(query["query"] in text for query in served.results["reports"][0]["query_results"])
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run(BADLY_PLACED) == []
    assert page.troubles() == []


def test_the_command_under_a_query_shows_how_the_expected_file_is_cut(
    served: Served, page: Page
) -> None:
    """As the page has it, typed in the folder of the repository."""
    page.resize(1280, 900)
    page.open(served.folder / "outputs" / "latest" / "report.html")
    page.run("document.querySelector('.query-list summary').click()")
    page.run("new Promise(done => setTimeout(done, 100))")
    command = str(page.run("document.querySelector('.panel .command').textContent"))

    program, *arguments = shlex.split(command)
    ran = subprocess.run(
        [RANKGRID, *arguments],
        cwd=served.folder / "shop",
        capture_output=True,
        text=True,
        check=False,
    )

    assert program == "rankgrid"
    assert ran.returncode == 0, ran.stderr
    assert "cart.py:1-" in ran.stdout
