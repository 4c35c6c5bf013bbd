"""Studies in a real MLflow: a database of our own, a server, and servers that die half-way."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bench.errors import TrackingError
from bench.results import text_of
from bench.tracking import (
    TrackingSettings,
    announced,
    latest_study,
    mlflow_ui_command,
    served_address,
    track,
)
from bench.tracking.client import client_for
from bench.tracking.place import Place
from bench.tracking.view import view_key
from tests.processes import running
from tests.unit.tracking.whole_results import whole

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

pytestmark = pytest.mark.timeout(120)  # a client that waits for a dead server fails here


def _results(study: str, trials: int = 3) -> dict[str, Any]:
    reports = [_report(number) for number in range(trials)]
    return {
        "schema": 1,
        "study": study,
        "settings": {"advice": {"objective": "mrr"}},
        "timestamp": "2026-11-18T12:01:02Z",
        "git_sha": "ab" * 20,
        "plan": {"distinct": 7, "executed": 7, "seconds": 3.0},
        "seconds": 2.0,
        "reports": reports,
        "recommendation": {"sentences": ["Ship trial 2."]},
    }


def _report(number: int) -> dict[str, Any]:
    return {
        "config": {"name": f"trial {number}", "chunk": 512 * (number + 1), "reranker": "on"},
        "trial": f"fingerprint{number}",
        "status": "complete",
        "summary": {
            "avg_mrr": 0.5 + number / 10,
            "avg_recall_at_10": 0.25,
            "avg_ndcg_at_10": 0.75,
            "avg_latency_ms": 12.5,
            "latency_p95_ms": float("inf"),
            "avg_recall_at_1000_tokens": 0.125,
            "avg_recall_at_4000_tokens": 0.375,
        },
        "repository_metrics": {"pallets/jinja2@3": {"count": 14, "avg_mrr": 0.5}},
    }


def _client(uri: str) -> "MlflowClient":
    return client_for(Place(uri, "", uri), 10)


def _experiment(client: "MlflowClient") -> str:
    found = client.get_experiment_by_name("rankgrid")
    assert found is not None
    return str(found.experiment_id)


def _runs(uri: str, study: str) -> tuple[list["Run"], list["Run"]]:
    client = _client(uri)
    runs = client.search_runs([_experiment(client)], f"tags.`rankgrid.study` = '{study}'")
    by_kind: dict[str, list[Run]] = {"study": [], "trial": []}
    for run in runs:
        by_kind[run.data.tags["rankgrid.kind"]].append(run)
    return by_kind["study"], by_kind["trial"]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the server's database and artifacts."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[str]:
    """Serve the home folder's database as `rankgrid ui` does."""
    url = f"http://127.0.0.1:{_free_port()}"
    command = mlflow_ui_command(TrackingSettings(ui_url=url), home)
    quiet = {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    with (
        (home / "server.log").open("wb") as log,
        subprocess.Popen(
            command,
            cwd=home,
            env={**os.environ, **quiet},
            stdout=log,
            stderr=log,
            start_new_session=True,
        ) as process,
    ):
        try:
            _wait_for(url, process)
            yield url
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            _ask(url, "GET", "/health")
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("the server ended by itself")


def _ask(url: str, method: str, path: str, body: str | None = None) -> bytes:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        return connection.getresponse().read()
    finally:
        connection.close()


class _Front(ThreadingHTTPServer):
    """Passes requests on to a server until it has passed `calls` of them, then dies."""

    daemon_threads = True

    def __init__(self, target: str, calls: int, *, hangs: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Forward)
        self.target, self.calls, self.hangs = target, calls, hangs
        self.over = threading.Event()
        self.authorizations: set[str | None] = set()


class _Forward(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Front

    def do_GET(self) -> None:
        self.server.calls -= 1
        if self.server.calls < 0:
            if self.server.hangs:
                self.server.over.wait()
            self.close_connection = True
            return
        self._forward()

    def do_POST(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.authorizations.add(self.headers.get("Authorization"))
        host = urlsplit(self.server.target).netloc
        headers = {"Content-Type": self.headers.get("Content-Type") or "application/json"}
        connection = HTTPConnection(host, timeout=20)
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Type", answer.headers.get("Content-Type", "text/plain"))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _front(target: str, *, calls: int = 10_000, hangs: bool = False) -> Iterator[_Front]:
    with _Front(target, calls, hangs=hangs) as front:
        threading.Thread(target=front.serve_forever, daemon=True).start()
        try:
            yield front
        finally:
            front.over.set()
            front.shutdown()


def _url_of(front: _Front) -> str:
    return f"http://127.0.0.1:{front.server_port}"


@pytest.fixture(params=["sqlite", "server"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> TrackingSettings:
    """Return a store of each kind."""
    if request.param == "server":
        return TrackingSettings(uri=request.getfixturevalue("server"))
    return TrackingSettings(uri=f"sqlite:///{tmp_path}/mlflow.db")


def test_a_study_is_one_finished_parent_with_a_finished_run_per_trial(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """What MLflow gives back is what the results file says."""
    tracked = track(whole(_results("whole")), settings=settings, home=tmp_path)

    (parent,), trials = _runs(settings.uri, "whole")
    assert tracked.sent
    assert parent.info.run_id == tracked.study_run_id
    assert {run.info.status for run in (parent, *trials)} == {"FINISHED"}
    assert {run.data.tags["mlflow.parentRunId"] for run in trials} == {parent.info.run_id}
    assert sorted(run.data.metrics["mrr"] for run in trials) == [0.5, 0.6, 0.7]
    assert {run.data.params["chunk"] for run in trials} == {"512", "1024", "1536"}
    for run in trials:
        assert run.data.metrics["recall_at_10"] == 0.25
        assert run.data.metrics["ndcg_at_10"] == 0.75
        assert run.data.metrics["mrr_by_repository/pallets_jinja2_3"] == 0.5
        assert "latency_p95_ms" not in run.data.metrics
    assert "Ship trial 2." in parent.data.tags["mlflow.note.content"]
    assert parent.info.end_time - parent.info.start_time == 2_000


def test_the_token_curve_is_one_metric_with_a_step_per_budget(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """MLflow draws it as a line."""
    track(whole(_results("curve", 1)), settings=settings, home=tmp_path)

    _, (trial,) = _runs(settings.uri, "curve")
    client = _client(settings.uri)
    points = client.get_metric_history(trial.info.run_id, "recall_by_tokens")
    assert [(point.step, point.value) for point in points] == [(1000, 0.125), (4000, 0.375)]


def test_a_failed_trial_is_a_failed_run_with_its_cause(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """One failure leaves the parent and the other trials finished."""
    results = _results("mixed")
    cause = {"stage": "Embed", "subject": "jinja2", "cause": "no model"}
    results["reports"][1] |= {"status": "failed", "failures": [cause], "summary": {}}

    track(whole(results), settings=settings, home=tmp_path)

    (parent,), trials = _runs(settings.uri, "mixed")
    assert parent.info.status == "FINISHED"
    assert sorted(run.info.status for run in trials) == ["FAILED", "FINISHED", "FINISHED"]
    (failed,) = (run for run in trials if run.info.status == "FAILED")
    assert failed.data.tags["rankgrid.failure"] == "Embed jinja2: no model"


def test_a_second_sending_finds_the_study(settings: TrackingSettings, tmp_path: Path) -> None:
    """Also one whose trials all failed, whose parent is not finished but complete."""
    results = _results("twice")
    for report in results["reports"]:
        report["failures"] = [{"stage": "Embed", "subject": "jinja2", "cause": "no model"}]
    first = track(whole(results), settings=settings, home=tmp_path)

    second = track(whole(results), settings=settings, home=tmp_path)

    assert (first.sent, second.sent) == (True, False)
    assert second.study_run_id == first.study_run_id
    parents, trials = _runs(settings.uri, "twice")
    assert (len(parents), len(trials)) == (1, 3)
    assert parents[0].info.status == "FAILED"


def test_results_and_tables_are_artifacts_of_the_parent(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """Nothing else of the folder is sent, nor what a link points at."""
    folder = tmp_path / "study"
    folder.mkdir()
    tables = ("results.json", "stages.json", "queries.parquet")
    sent = (*tables, "report.html", "FINDINGS.md", "chosen.yaml")
    for name in (*sent, "private.txt"):
        (folder / name).write_text("{}")
    (folder / "link.parquet").symlink_to(folder / "private.txt")

    tracked = track(whole(_results("files")), settings=settings, home=tmp_path, artifacts=folder)

    found = _client(settings.uri).list_artifacts(tracked.study_run_id)
    assert sorted(file.path for file in found) == [
        "FINDINGS.md",
        "chosen.yaml",
        "queries.parquet",
        "report.html",
        "results.json",
        "stages.json",
        "trials.csv",
    ]


def test_more_settings_than_a_call_takes_are_all_logged(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """MLflow refuses a batch of more than 100."""
    results = _results("many", 1)
    results["reports"][0]["config"] = {f"setting_{n}": n for n in range(203)}

    track(whole(results), settings=settings, home=tmp_path)

    _, (trial,) = _runs(settings.uri, "many")
    assert len(trial.data.params) == 203


def test_runs_last_as_long_as_their_stages_and_the_study_is_named(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """The experiment is one of models: MLflow would show one of traces otherwise."""
    results = _results("lasting", 2)
    results["reports"][0]["summary"]["stage_seconds"] = 12.5

    track(whole(results), settings=settings, home=tmp_path)

    (parent,), trials = _runs(settings.uri, "lasting")
    lasted = {run.info.run_name: run.info.end_time - run.info.start_time for run in trials}
    assert lasted == {"trial 0": 12_500, "trial 1": 2_000}
    assert parent.info.run_name == "quick lasting"
    client = _client(settings.uri)
    tags = client.get_experiment(_experiment(client)).tags
    assert tags["mlflow.experimentKind"] == "custom_model_development"


def test_a_served_folder_has_an_address_while_it_is_served(tmp_path: Path) -> None:
    """A server that was killed leaves its address behind, where nothing answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with announced(tmp_path, address):
            assert served_address(tmp_path) == address
        assert served_address(tmp_path) is None
    (tmp_path / "ui.address").write_text(address)
    assert served_address(tmp_path) is None
    (tmp_path / "ui.address").write_text("http://127.0.0.1:port")
    assert served_address(tmp_path) is None


def test_the_view_of_the_studys_address_finds_its_trials(server: str, tmp_path: Path) -> None:
    """The view that the address names is kept by the server, and its filter is asked of it."""
    tracked = track(whole(_results("found")), settings=TrackingSettings(uri=server), home=tmp_path)

    fragment = urlsplit(tracked.study_url).fragment
    (key,) = parse_qs(urlsplit(fragment).query)["viewStateShareKey"]
    experiment = fragment.split("/")[2]
    kept = _client(server).get_experiment(experiment).tags[f"mlflow.sharedViewState.{key}"]
    view = json.loads(kept)
    order = [f"{view['orderByKey']} DESC"]
    body = {"experiment_ids": [experiment], "filter": view["searchFilter"], "order_by": order}
    runs = json.loads(_ask(server, "POST", "/api/2.0/mlflow/runs/search", json.dumps(body)))[
        "runs"
    ]
    assert [run["info"]["run_name"] for run in runs] == ["trial 2", "trial 1", "trial 0"]
    compared = parse_qs(urlsplit(urlsplit(tracked.compare_url).fragment).query)
    assert json.loads(compared["runs"][0]) == [run["info"]["run_id"] for run in runs]
    assert json.loads(compared["experiments"][0]) == [experiment]


def test_the_repositories_are_datasets_of_every_run(
    settings: TrackingSettings, tmp_path: Path
) -> None:
    """With the digest of what was searched and of what was asked."""
    corpus = [{"repository": "jinja2", "documents": "d" * 16, "queries": "q" * 16, "count": 14}]

    track(whole(_results("data") | {"corpus": corpus}), settings=settings, home=tmp_path)

    parents, trials = _runs(settings.uri, "data")
    for run in (*parents, *trials):
        assert run.inputs is not None
        (used,) = run.inputs.dataset_inputs
        assert used.dataset.name == "jinja2"
        assert used.dataset.digest == "d" * 16 + "-" + "q" * 16
        assert json.loads(used.dataset.profile or "")["queries"] == 14


def test_the_page_of_the_latest_study_is_known(tmp_path: Path) -> None:
    """The latest is the one that began last, whenever it was sent; at first there is none."""
    settings = TrackingSettings(ui_url="http://127.0.0.1:5005")
    before = latest_study(settings, tmp_path)
    track(whole(_results("newer", 1)), settings=settings, home=tmp_path)
    older = _results("older", 1) | {"timestamp": "2026-11-17T12:01:02Z"}
    track(whole(older), settings=settings, home=tmp_path)

    latest = latest_study(settings, tmp_path)

    assert before is None
    assert latest is not None
    assert latest.study_url.startswith("http://127.0.0.1:5005/#/experiments/")
    assert latest.study_url.endswith(f"&viewStateShareKey={view_key('newer')}")
    assert len(latest.study_url) <= 100
    assert latest.compare_url is None


@pytest.mark.parametrize(
    ("calls", "begun", "hangs"), [(3, 0, False), (7, 1, False), (12, 3, False), (7, 1, True)]
)
def test_a_server_lost_half_way_is_one_clear_error_and_sending_again_repairs_it(
    server: str, tmp_path: Path, calls: int, begun: int, *, hangs: bool
) -> None:
    """Nothing is logged twice and no half study stays."""
    study = f"lost-{calls}-{hangs}"
    with _front(server, calls=calls, hangs=hangs) as front:
        lost = TrackingSettings(uri=_url_of(front), timeout_seconds=1)
        with pytest.raises(TrackingError) as caught:
            track(whole(_results(study)), settings=lost, home=tmp_path, artifacts=tmp_path)
    before = _runs(server, study)

    tracked = track(whole(_results(study)), settings=TrackingSettings(uri=server), home=tmp_path)

    assert "results are safe" in caught.value.message
    assert f"rankgrid track {tmp_path}/results.json" in caught.value.message
    assert "\n" not in caught.value.message
    assert len(before[1]) == begun
    assert all(run.info.status != "FINISHED" for run in before[0])
    (parent,), trials = _runs(server, study)
    assert (tracked.sent, parent.info.status, len(trials)) == (True, "FINISHED", 3)
    assert {run.data.tags["mlflow.parentRunId"] for run in trials} == {parent.info.run_id}


def test_a_failing_upload_leaves_no_run_open(tmp_path: Path) -> None:
    """A store that is up but refuses ends the runs as failed, and sending again repairs it."""
    blocked = tmp_path / "artifacts"
    blocked.write_text("a file where a folder must be")
    (tmp_path / "results.json").write_text("{}")
    settings = TrackingSettings(artifact_location=blocked.as_uri())
    with pytest.raises(TrackingError, match="results are safe"):
        track(whole(_results("refused")), settings=settings, home=tmp_path, artifacts=tmp_path)
    refused, _ = _runs(f"sqlite:///{tmp_path}/mlflow.db", "refused")
    blocked.unlink()

    track(whole(_results("refused")), settings=settings, home=tmp_path, artifacts=tmp_path)

    assert [run.info.status for run in refused] == ["FAILED"]
    parents, trials = _runs(f"sqlite:///{tmp_path}/mlflow.db", "refused")
    assert {run.info.status for run in (*parents, *trials)} == {"FINISHED"}
    assert (len(parents), len(trials)) == (1, 3)


def test_a_database_of_another_program_is_one_clear_error(tmp_path: Path) -> None:
    """MLflow lets its database library's own error through."""
    with closing(sqlite3.connect(tmp_path / "mlflow.db")) as database:
        database.execute("CREATE TABLE runs (name TEXT)")
        database.commit()

    with pytest.raises(TrackingError, match="results are safe"):
        track(whole(_results("foreign")), settings=TrackingSettings(), home=tmp_path)


def test_a_token_is_sent_and_written_nowhere(
    server: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes from the environment, reaches the server and stays out of its database."""
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "hush-hush-hush")
    results = _results("token") | {"command": "MLFLOW_TRACKING_TOKEN=hush-hush-hush run.py"}

    with _front(server) as front:
        track(whole(results), settings=TrackingSettings(uri=_url_of(front)), home=tmp_path)

    assert "Bearer hush-hush-hush" in front.authorizations
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"run.py" in written
    assert b"hush" not in written


def test_studies_that_end_together_share_a_new_database(tmp_path: Path) -> None:
    """Each makes the database and the experiment if no other did."""
    code = (
        "import sys; from pathlib import Path; from bench.results import parse_results;"
        "from bench.tracking import *; result = parse_results(sys.argv[1], 'results.json');"
        "track(result, settings=TrackingSettings(), home=Path(sys.argv[2]))"
    )
    studies = [f"together{number}" for number in range(3)]
    command = [sys.executable, "-c", code]

    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                running([*command, text_of(whole(_results(study))), str(tmp_path)])
            )
            for study in studies
        ]
        codes = [process.wait() for process in processes]

    assert codes == [0, 0, 0]
    for study in studies:
        parents, trials = _runs(f"sqlite:///{tmp_path}/mlflow.db", study)
        assert (len(parents), len(trials)) == (1, 3)


def test_a_deleted_experiment_is_named_with_the_remedy(tmp_path: Path) -> None:
    """MLflow keeps the name of what was deleted."""
    settings = TrackingSettings()
    track(whole(_results("first")), settings=settings, home=tmp_path)
    client = _client(f"sqlite:///{tmp_path}/mlflow.db")
    client.delete_experiment(_experiment(client))

    with pytest.raises(TrackingError, match=r"restore it in MLflow or set tracking\.experiment"):
        track(whole(_results("second")), settings=settings, home=tmp_path)
