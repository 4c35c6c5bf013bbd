"""The reference engine of the guide is a whole engine: it is run as it stands there."""

import re
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from retrievers.external import HttpEngine, laid_out, open_engine
from retrievers.interface import Documents

GUIDE = Path(__file__).parents[2] / "docs" / "external_engines.md"
DOCUMENTS = Documents.of(
    [("cart.py", "def total(): ...\n"), ("store.py", "def find(order): ...\n\nx = 1\n")]
)


def test_the_engine_of_the_guide_answers_by_the_protocol(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    script = tmp_path / "engine.py"
    script.write_text(found[1], encoding="utf-8")
    port = free_port()
    command = [sys.executable, str(script), str(port)]

    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            until_it_listens(port)
            settings = HttpEngine(f"http://127.0.0.1:{port}/")
            with laid_out(DOCUMENTS) as scratch, open_engine(settings, scratch, "shop") as engine:
                hit, miss = engine.ask(["find an order", "nothing like it"])
        finally:
            process.kill()

    assert [(one.path, one.start, one.end, one.score) for one in hit.answers] == [
        ("store.py", 1, 3, 2.0)
    ]
    assert (miss.answers, miss.error) == ((), "")
    assert len(found[1].strip().splitlines()) <= 32


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_it_listens(port: int) -> None:
    """Wait until somebody listens at a port."""
    for _ in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise TimeoutError(port)
