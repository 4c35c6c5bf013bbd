"""The page of `rankgrid judge --web` in a real browser, with code that would like to run in it."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.authoring.judging import asked_files
from bench.cli.judging.server import JudgingServer
from bench.queries import read_entries
from bench.results import read_results
from tests.end_to_end.test_judging import HOSTILE, finished_study, opened
from tests.integration.browser import CHROMIUM, Page, browser

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (.ci/run installs it)")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished_study(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def work(finished: Path) -> Iterator[Path]:
    """A finished study whose file of queries is put right again afterwards."""
    text = (finished / "queries.yaml").read_bytes()
    yield finished
    (finished / "queries.yaml").write_bytes(text)


@contextmanager
def served(work: Path, *, seconds: float = 60) -> Iterator[tuple[JudgingServer, threading.Thread]]:
    folder = (work / "outputs" / "latest").resolve()
    study = read_results(folder)
    files = asked_files(study, folder, queries=work / "queries.yaml", to=None)
    server = JudgingServer(opened(work), files)
    thread = threading.Thread(target=server.serve, kwargs={"seconds": seconds})
    thread.start()
    try:
        yield server, thread
    finally:
        server.is_done = True
        thread.join(30)
        server.server_close()
    assert not thread.is_alive()


def asked(
    server: JudgingServer, path: str, method: str = "GET", **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(
        method, path, body="answer=y&number=0" if method == "POST" else None, headers=headers
    )
    return connection.getresponse()


def press(page: Page, key: str) -> None:
    """Press a letter and wait for the next page."""
    page.run("document.body.dataset.old = 1")
    page.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=key)
    wait(page, "!document.body.dataset.old")


def wait(page: Page, condition: str) -> None:
    for _ in range(500):
        try:
            if page.run(f"document.readyState === 'complete' && Boolean({condition})"):
                return
        except AssertionError:  # the page went away in between
            continue
    raise AssertionError(condition)


@in_browser
@pytest.mark.parametrize("width", [1280, 390])
def test_keys_answer_and_hostile_code_is_only_shown(
    width: int, work: Path, tmp_path: Path
) -> None:
    with served(work) as (server, thread), browser(tmp_path / "browser") as page:
        page.resize(width, 800)
        page.call("Page.navigate", url=server.address)
        wait(page, "document.querySelector('form')")
        (tmp_path / "page.png").write_bytes(page.picture(top=0, width=width, height=800))
        assert HOSTILE in page.run("document.querySelector('table').innerText")
        assert page.run("document.querySelectorAll('img, table script').length") == 0
        assert page.run("document.documentElement.scrollWidth") <= width

        for key in "ynus":
            press(page, key)
        assert page.run("document.querySelector('.effect').innerText").startswith("1 answer: ")
        press(page, "q")
        assert page.run("document.querySelector('h1').innerText") == "Done"
        thread.join(30)

        assert not thread.is_alive()
        assert page.troubles() == []
        host = f"http://127.0.0.1:{server.server_port}/"
        assert all(url.startswith(host) for url in page.requests())
    judged = [place for one in read_entries(work / "queries.yaml") for place in one.judged]
    assert [(one.relevant, one.by) for one in judged] == [(True, "ada")]


def test_the_address_works_once_and_strangers_get_nothing(work: Path) -> None:
    with served(work) as (server, _):
        token, folder = f"/{server.token}", f"/{server.session}/"
        assert asked(server, "/").status == 404
        assert asked(server, token, Host="evil.example").status == 404
        first = asked(server, token)
        assert (first.status, first.headers["Location"]) == (303, folder)
        assert asked(server, token).status == 404

        page = asked(server, folder)
        assert page.status == 200
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        content = page.read().decode()
        assert "onerror" in content
        assert "<img" not in content

        assert asked(server, f"{folder}answer", "POST", Origin="http://evil.example").status == 404
        assert asked(server, f"{folder}answer", "POST", Content_Length="2000").status == 404
        assert asked(server, "/answer", "POST").status == 404
        assert server.judged.session.answers == []
        assert asked(server, f"{folder}answer", "POST").status == 303
        assert asked(server, f"{folder}answer", "POST").status == 303  # sent twice, counted once
        assert len(server.judged.session.answers) == 1


def test_the_server_ends_when_nobody_comes(work: Path) -> None:
    with served(work, seconds=0.2) as (_, thread):
        thread.join(20)

        assert not thread.is_alive()
