"""Studies, suites and results that somebody else wrote start nothing and read no secret."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.small_study import CART, QUERIES

ROOT = Path(__file__).parents[2]
RANKGRID = str(Path(sys.executable).parent / "rankgrid")
GRID = [sys.executable, str(ROOT / "bench" / "run.py")]
QUIET = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
OWN = ["suite=own", "repository=shop", "queries=queries.yaml", *QUIET]
SECRET = "of-the-user"  # noqa: S105 - it opens nothing


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with code, queries, and a program that leaves a mark when it runs."""
    place = tmp_path / "work"
    (place / "shop").mkdir(parents=True)
    (place / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (place / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    (place / "engine.sh").write_text("touch mark; echo cart.py\n", encoding="utf-8")
    engine = f"[sh,-c,'cd {place} && sh engine.sh']"
    text = f'retriever: command\nretriever.answers: lines\nretriever.command: "{engine}"\n'
    (place / "grid.yaml").write_text(text, encoding="utf-8")
    return place


def typed(folder: Path, *command: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder and expect an exit code."""
    found = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "SECRET": SECRET},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == code, found.stderr + found.stdout
    return found


def refused(folder: Path, *command: str) -> str:
    """Run a command that is refused before anything is done; return its one line."""
    found = typed(folder, *command, code=2)
    assert SECRET not in found.stdout + found.stderr
    assert not (folder / "outputs").exists()
    (line,) = found.stderr.splitlines()
    return line


def test_a_study_starts_its_program_only_if_it_is_trusted(work: Path) -> None:
    line = refused(work, *GRID, *OWN, "study=grid.yaml")

    assert line == (
        "rankgrid: study=grid.yaml: retriever=command starts a program."
        " Read the file, then add --trust grid.yaml to allow it."
    )
    assert not (work / "mark").exists()

    typed(work, *GRID, *OWN, "study=grid.yaml", "--trust", "grid.yaml")

    assert (work / "mark").exists()


def test_rankgrid_run_hands_the_trust_on(work: Path) -> None:
    refused(work, RANKGRID, "run", *OWN, "study=grid.yaml")
    assert not (work / "mark").exists()

    typed(work, RANKGRID, "run", *OWN, "study=grid.yaml", "--trust", "grid.yaml")

    assert (work / "mark").exists()


@pytest.mark.parametrize(
    ("value", "trust"),
    [("${oc.env:SECRET}", []), ("$\\{oc.env:SECRET\\}", ["--trust", "grid.yaml"])],
    ids=["untrusted", "trusted"],
)
def test_a_study_does_not_read_the_environment(work: Path, value: str, trust: list[str]) -> None:
    (work / "grid.yaml").write_text(f"repository: '{value}'\n", encoding="utf-8")

    line = refused(work, *GRID, "study=grid.yaml", "--cfg", "job", *trust)

    assert "${oc.env:SECRET} is an interpolation" in line


def test_a_study_chooses_its_output_only_if_it_is_trusted(work: Path) -> None:
    (work / "grid.yaml").write_text("retriever: bm25\noutput: there\n", encoding="utf-8")

    assert "add --trust grid.yaml" in refused(work, *GRID, *OWN, "study=grid.yaml")
    assert not (work / "there").exists()

    typed(work, *GRID, *OWN, "study=grid.yaml", "--trust", "grid.yaml")

    assert (work / "there" / "latest" / "results.json").exists()


def test_a_suite_sets_nothing_even_if_it_is_trusted(work: Path) -> None:
    text = (
        "name: mine\nretriever: command\nrepositories:\n"
        "- {name: shop, source: {kind: local, path: shop}, queries: queries.yaml}\n"
    )
    (work / "suite.yaml").write_text(text, encoding="utf-8")

    line = refused(
        work, *GRID, "suite=file", "suite.path=suite.yaml", *QUIET, "--trust", "suite.yaml"
    )

    assert "suite.path=suite.yaml: retriever is not part of a suite" in line


def test_the_other_commands_refuse_such_a_suite(work: Path) -> None:
    text = "name: mine\nkind: repositories\nrepositories: ['${oc.env:SECRET}']\n"
    (work / "suite.yaml").write_text(text, encoding="utf-8")

    assert "is an interpolation" in refused(work, RANKGRID, "fixtures", "verify", "suite.yaml")


class _Listener(BaseHTTPRequestHandler):
    """Counts who calls."""

    calls: int = 0

    def do_GET(self) -> None:
        type(self).calls += 1
        self.send_error(503)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    """A server of a stranger."""
    _Listener.calls = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), _Listener) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield listening
        listening.shutdown()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished study."""
    place = tmp_path_factory.mktemp("finished") / "work"
    (place / "shop").mkdir(parents=True)
    (place / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (place / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    typed(place, *GRID, *OWN, "retriever=bm25")
    return place


@pytest.fixture
def received(finished: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to receive results in."""
    place = tmp_path / "received"
    shutil.copytree(finished, place, symlinks=True)
    return place


def planted(work: Path, **settings: object) -> Path:
    """Return the results with other settings, as somebody could send them."""
    results = json.loads((work / "outputs" / "latest" / "results.json").read_text("utf-8"))
    results["settings"] |= settings
    place = work / "sent" / "results.json"
    place.parent.mkdir()
    place.write_text(json.dumps(results), encoding="utf-8")
    return place


def test_results_are_sent_to_the_server_that_they_name_only_if_trusted(
    received: Path, server: ThreadingHTTPServer
) -> None:
    url = f"http://127.0.0.1:{server.server_port}"
    planted(received, tracking={"kind": "mlflow", "uri": url, "experiment": "x"})

    found = typed(received, RANKGRID, "track", "sent", code=2)

    assert f"tracking.uri={url} chooses where results are sent" in found.stderr
    assert f"Add --uri {url}, or read the file and add --trust sent/results.json." in found.stderr
    assert _Listener.calls == 0

    typed(received, RANKGRID, "track", "sent", "--trust", "sent/results.json", code=1)

    assert _Listener.calls > 0


@pytest.mark.parametrize("command", [["rescore", "sent", "--to", "again"], ["track", "sent"]])
def test_a_store_elsewhere_is_used_only_if_the_results_are_trusted(
    received: Path, command: list[str]
) -> None:
    place = planted(received, store="../elsewhere/store")
    (received / ".rankgrid").rename(received.parent / "elsewhere")

    found = typed(received, RANKGRID, *command, code=2)

    assert "store=../elsewhere/store is outside the current folder" in found.stderr
    assert "Add --store ../elsewhere/store, or read the file and add --trust" in found.stderr
    typed(received, RANKGRID, *command, "--trust", str(place))


def test_a_store_below_the_current_folder_needs_no_trust(received: Path) -> None:
    planted(received, store="kept/store")
    (received / ".rankgrid").rename(received / "kept")

    found = typed(received, RANKGRID, "rescore", "sent", "--to", "again")

    assert "every mean is as it was" in found.stdout


def test_hydra_composes_no_other_folder(work: Path) -> None:
    launcher = work / "theirs" / "hydra" / "launcher" / "evil.yaml"
    launcher.parent.mkdir(parents=True)
    launcher.write_text("_target_: os.system\n", encoding="utf-8")

    line = refused(work, *GRID, *OWN, "--config-dir", "theirs", "hydra/launcher=evil")

    assert line.startswith("rankgrid: --config-dir: this flag of Hydra does nothing here")


def test_what_a_study_advises_says_that_it_needs_trust(work: Path) -> None:
    """And the command that is printed works."""
    typed_engine = (work / "grid.yaml").read_text(encoding="utf-8").splitlines()
    values = dict(line.split(": ", 1) for line in typed_engine)
    engine = [f"{name}={value.strip(chr(34))}" for name, value in values.items()]
    found = typed(work, *GRID, "-m", *OWN, *engine, "chunk=64", "retriever.depth=5,6")
    said = next(line for line in found.stdout.splitlines() if "study=" in line)
    again = said.partition("bench ")[2].split(" ")

    typed(work, *GRID, *QUIET, again[0], code=2)
    typed(work, *GRID, *QUIET, *again)

    assert again[1] == "--trust"


def test_an_interpolation_that_the_user_types_is_written_as_its_value(work: Path) -> None:
    place = work / "outputs" / "latest" / "chosen.yaml"
    values = ["repository=${oc.env:PWD}/shop", "suite=own", "queries=queries.yaml"]
    environment = {**os.environ, "PWD": str(work)}
    command = [*GRID, *QUIET, "retriever=bm25", *values]
    subprocess.run(command, cwd=work, env=environment, capture_output=True, check=True)

    typed(work, *GRID, *QUIET, f"study={place}")

    assert str(work / "shop") in place.read_text(encoding="utf-8")
