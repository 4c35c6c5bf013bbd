"""Nothing in the current folder or in a searched repository is imported or run."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.small_study import CART, QUERIES

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
RUN = [str(BIN / "rankgrid"), "run"]
GRID = [sys.executable, str(ROOT / "bench" / "run.py")]
MODULE = [sys.executable, "-P", "-m", "bench.run"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
PLANTED = (
    *("yaml.py", "numpy.py", "torch.py", "json.py", "signal.py", "threading.py", "click.py"),
    *("bench/__init__.py", "retrievers/__init__.py", "hydra_plugins/evil.py", "hydra/__init__.py"),
    *("mlflow/__init__.py", "uvicorn/__init__.py", "ray/__init__.py", "pip/__init__.py"),
    *("multiprocessing/__init__.py", "sqlalchemy/__init__.py", "mlflow_plugin.py"),
    *(
        "sitecustomize.py",
        "usercustomize.py",
        "pickle.py",
        "conftest.py",
        "gunicorn.conf.py",
        "engine.py",
    ),
)
STUDY = (
    *("suite=own", "repository=.", "queries=../queries.yaml", "output=../studies"),
    *("store=../store", "retriever=bm25", "latency=off"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of code in which every module leaves a mark when it is executed."""
    place = tmp_path / "code"
    body = f"import os\nopen(os.path.join({str(tmp_path / 'marks')!r}, NAME), 'w').close()\n"
    for name in PLANTED:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(body.replace("NAME", repr(name.replace("/", "."))), "utf-8")
    (place / "pip" / "__main__.py").symlink_to("__init__.py")
    (place / "evil.pth").write_text(f"import sys; exec(open({str(place / 'yaml.py')!r}).read())\n")
    (place / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    (tmp_path / "marks").mkdir()
    return place


def marks(folder: Path) -> list[str]:
    """Return which files were executed."""
    return sorted(mark.name for mark in (folder.parent / "marks").iterdir())


def typed(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder, with the variables of Python that most people have: none."""
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def test_the_folder_does_leave_marks(folder: Path) -> None:
    """Otherwise the tests below would show nothing."""
    typed(folder, sys.executable, "-m", "pip", "--version")

    assert "pip.__init__.py" in marks(folder)


@pytest.mark.parametrize(
    "command",
    [
        [*RUN, *STUDY, "execution=local", "tracking=none"],
        [*GRID, *STUDY, "execution=local", "execution.workers=2"],
        [*GRID, "-m", *STUDY, "chunk=32,64", "execution=ray", "tracking=none"],
        [*MODULE, *STUDY, "retriever=dense", "execution=local", "tracking=none"],
    ],
    ids=["rankgrid run", "processes and MLflow", "Ray", "a model"],
)
def test_a_study_of_the_folder_runs_nothing_of_it(folder: Path, command: list[str]) -> None:
    found = typed(folder, *command)

    assert marks(folder) == []
    assert found.returncode == 0, found.stderr + found.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["fixtures", "verify", "../queries.yaml", "--repository", "."],
        ["fixtures", "stats", "../queries.yaml", "--repository", "."],
        ["context", ".", "--task", "add prices", "--store", "../store"],
        ["init", "."],
        ["doctor", "--store", "../store"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_other_commands_run_nothing_of_it(folder: Path, command: list[str]) -> None:
    found = typed(folder, str(BIN / "rankgrid"), *command)

    assert marks(folder) == []
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    "code",
    [
        "from bench.corpora import configured_indexes; configured_indexes()",
        "from bench.engine.cluster import _check_answers; _check_answers('auto')",
    ],
    ids=["pip", "ray"],
)
def test_python_programs_that_are_asked_run_nothing_of_it(folder: Path, code: str) -> None:
    """Whatever they answer: there may be no cluster."""
    typed(folder, sys.executable, "-P", "-c", code)

    assert marks(folder) == []


@pytest.fixture
def port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def served(folder: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Serve the MLflow UI from the folder."""
    command = [str(BIN / "rankgrid"), "ui", "--store", "../store", "--port", str(port)]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        yield process
        process.terminate()  # not killed: it ends its server, which has a session of its own
        process.wait(60)


def test_the_pages_of_mlflow_run_nothing_of_it(
    folder: Path, served: "subprocess.Popen[bytes]", port: int
) -> None:
    while served.poll() is None and not is_served(port):
        time.sleep(0.2)

    assert marks(folder) == []
    assert served.poll() is None


def is_served(port: int) -> bool:
    """Say whether the server answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def test_a_class_of_the_folder_is_no_engine_and_the_remedy_is_named(folder: Path) -> None:
    engine = ["retriever=python", "retriever.target=engine:Engine"]

    found = typed(folder, *GRID, *STUDY, *engine, "execution=local", "tracking=none")

    assert marks(folder) == []
    assert found.returncode == 1, found.stderr
    assert "PYTHONPATH" in found.stdout + found.stderr


def test_a_class_on_the_path_of_python_is_an_engine(folder: Path) -> None:
    """It runs because the user says so."""
    engine = ["retriever=python", "retriever.target=engine:Engine"]
    (folder.parent / "path").mkdir()
    body = "class Engine:\n    def search(self, query, limit):\n        return []\n"
    (folder.parent / "path" / "engine.py").write_text(body, encoding="utf-8")
    environment = {**ENVIRONMENT, "PYTHONPATH": str(folder.parent / "path")}
    command = [*GRID, *STUDY, *engine, "execution=local", "tracking=none"]

    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )

    assert found.returncode == 0, found.stderr + found.stdout
    assert marks(folder) == []
