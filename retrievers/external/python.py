"""An engine that is a Python class, in a long-lived process of its own."""

import json
import subprocess
import sys
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from retrievers.errors import ExternalError
from retrievers.external.answers import Answer, Asked, each, json_answers
from retrievers.external.processes import MOST_BYTES, end, shown, start
from retrievers.external.settings import PythonEngine
from retrievers.external.tree import Scratch

_HOST = "retrievers.external.python_host"
_KEPT_BYTES = 4096


class PythonClient:
    """Asks a class in a process, which is restarted after a crash or a time-out."""

    def __init__(self, settings: PythonEngine, scratch: Scratch, _repository: str) -> None:
        self._settings, self._scratch = settings, scratch
        self._host: _Host | None = None

    def index(self) -> None:
        """Start the engine, which indexes the tree."""
        try:
            self._running()
        except ExternalError as error:
            raise ExternalError(f"index: {error}") from error

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return the outcome of each query."""
        return each(self._search, queries)

    def close(self) -> None:
        """End the process."""
        if self._host is not None:
            self._host.close()
        self._host = None

    def _search(self, query: str) -> tuple[Answer, ...]:
        settings, host = self._settings, self._running()
        try:
            host.tell({"query": query, "limit": settings.depth})
            found = host.heard(settings.timeout_seconds)
        except ExternalError:
            self.close()
            raise
        if "error" in found:
            raise ExternalError(f"{settings.target}: {found['error']}")
        return json_answers(found, settings.answer)[: settings.depth]

    def _running(self) -> "_Host":
        if self._host is None:
            root = self._scratch.root.as_posix()
            # -P: nothing is imported from the folder that the process starts in.
            command = [sys.executable, "-P", "-m", _HOST, self._settings.target, root]
            host = _Host(self._settings.target, command, self._scratch)
            try:
                host.wait_until_ready(self._settings.index_timeout_seconds)
            except ExternalError:
                host.close()
                raise
            self._host = host
        return self._host


class _Host:
    """A process that reads and writes lines of JSON."""

    def __init__(self, name: str, command: Sequence[str], scratch: Scratch) -> None:
        self._name = name
        self._process = start(command, folder=scratch.work, standard_input=subprocess.PIPE)
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._said = bytearray()
        self._readers = [Thread(target=run, daemon=True) for run in (self._read, self._listen)]
        for reader in self._readers:
            reader.start()

    def tell(self, value: object) -> None:
        """Write a line."""
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(json.dumps(value).encode() + b"\n")
                pipe.flush()
        except OSError as error:
            raise ExternalError(f"{self._name}: it has ended {self._last_words()}") from error

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the engine has indexed the tree. Raise an error if it fails."""
        found = self.heard(seconds)
        if "error" in found:
            raise ExternalError(f"target={self._name}: {found['error']}")

    def heard(self, seconds: float) -> dict[str, Any]:
        """Return the next line as JSON. Raise an error if there is none in time."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty as error:
            raise ExternalError(f"{self._name}: no answer within {seconds:g} s") from error
        if not line:
            self._readers[1].join(1.0)
            raise ExternalError(f"{self._name}: it has ended {self._last_words()}".rstrip())
        try:
            found: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise ExternalError(f"{self._name}: the answer is not JSON") from error
        return found

    def close(self) -> None:
        """Kill the process and its children."""
        end(self._process)
        for reader in self._readers:
            reader.join(1.0)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                _closed(pipe)

    def _read(self) -> None:
        pipe = self._process.stdout
        while pipe is not None and (line := pipe.readline(MOST_BYTES)):
            self._lines.put(line)
        self._lines.put(b"")

    def _listen(self) -> None:
        pipe = self._process.stderr
        while pipe is not None and (line := pipe.readline(_KEPT_BYTES)):
            self._said += line
            del self._said[:-_KEPT_BYTES]

    def _last_words(self) -> str:
        said = shown(bytes(self._said))
        return f"({said})" if said else ""


def _closed(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:  # the buffered output has no reader any more
        return
