"""A store that cannot take a study is found before the client waits for it."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bench.errors import TrackingError
from bench.tracking import TrackingSettings, track
from bench.tracking.place import Place
from bench.tracking.reachability import check_answers
from tests.unit.report.sample_study import STUDY


@pytest.fixture
def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def failing_server() -> Iterator[str]:
    """Serve nothing but errors."""

    class Failing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(503)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Failing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_refused_connection_names_the_server(free_port: int) -> None:
    """MLflow's own client would wait for minutes."""

    url = f"http://127.0.0.1:{free_port}"

    with pytest.raises(TrackingError, match=f"{url} does not answer"):
        check_answers(Place(url, "", url))


def test_a_server_that_answers_with_errors_is_down(failing_server: str) -> None:
    """A gateway in front of a dead server answers too."""

    with pytest.raises(TrackingError, match="answered 503"):
        check_answers(Place(failing_server, "", failing_server))


def test_a_listener_that_never_answers_is_down() -> None:
    """A hung server accepts connections."""

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"

        with pytest.raises(TrackingError, match="does not answer"):
            check_answers(Place(url, "", url))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A corrupt file would surface as another library's error."""

    (tmp_path / "x.db").write_text("no database, but long enough to have a header " * 9)

    with pytest.raises(TrackingError, match="not a database"):
        check_answers(Place(f"sqlite:///{tmp_path}/x.db", "", ""))


def test_the_error_says_that_results_are_safe_and_how_to_send_them(
    free_port: int, tmp_path: Path
) -> None:
    """One line, with a command to copy."""

    settings = TrackingSettings(uri=f"http://127.0.0.1:{free_port}")

    with pytest.raises(TrackingError) as caught:
        track(STUDY, settings=settings, home=tmp_path, artifacts=tmp_path / "of study")

    assert "\n" not in caught.value.message
    assert "results are safe" in caught.value.message
    assert f"rankgrid track '{tmp_path}/of study/results.json'" in caught.value.message


def test_an_mlflow_that_cannot_be_imported_is_one_clear_error(tmp_path: Path) -> None:
    """The study has ended by then, and its numbers are on disk."""
    code = (
        "import sys; sys.modules['mlflow'] = None; from pathlib import Path;"
        "from bench.tracking import *; from tests.unit.report.sample_study import STUDY\n"
        "from bench.errors import TrackingError\n"
        "try: track(STUDY, settings=TrackingSettings(), home=Path(sys.argv[1]))\n"
        "except TrackingError as error: print(error.message)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )

    (line,) = done.stdout.splitlines()
    assert f"study {STUDY.id} was not logged: MLflow cannot be imported" in line
    assert "results are safe" in line
