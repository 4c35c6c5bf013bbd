"""A model of the hub that is not here fails soon, in one line, where the hub does not answer."""

import os
import socket
import subprocess
import sys

CODE = """
import time
from retrievers.dense.weights import locate, refuse_absent
import huggingface_hub.file_download
begun = time.monotonic()
try:
    refuse_absent(locate("nobody/nothing"))
except ValueError as error:
    print(f"{time.monotonic() - begun:.1f}", error)
"""


def asked(endpoint: str) -> tuple[float, str]:
    """Return the seconds that a process takes to refuse a model, and its words."""
    found = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "HF_ENDPOINT": endpoint},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, _, message = found.stdout.partition(" ")
    return float(seconds), message


def test_a_hub_that_never_answers_is_given_two_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        seconds, message = asked(f"http://127.0.0.1:{silent.getsockname()[1]}")

    assert seconds < 4  # a busy machine takes its share
    assert "(no answer within 2 s" in message or "timed out" in message
    assert message.count("\n") == 1


def test_a_hub_that_refuses_is_not_asked_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    seconds, message = asked(f"http://127.0.0.1:{port}")

    assert seconds < 2
    assert "refused" in message
