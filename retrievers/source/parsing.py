"""Definitions of single documents, found by a process that hostile documents may kill.

What a document gives depends on that document alone: if it kills a process that has served
others before, it gets another chance in a fresh one.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from retrievers.source.registry import Language, languages

_PROGRAM = Path(__file__).with_name("worker.py")


class ParserError(ValueError):
    """A language's grammar or query cannot be used."""


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """What one document may cost before it is given up."""

    document_bytes: int = 20_000_000
    peak_bytes: int = 4_000_000_000
    seconds: int = 3
    """Of processor time, plus one for each megabyte."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One place that defines a name."""

    kind: str
    name: str
    start_byte: int
    end_byte: int


class Parsing:
    """A process that finds definitions; use it as a context manager."""

    def __init__(self, limits: ParsingLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def definitions(self, language: Language, source: bytes) -> tuple[Definition, ...] | None:
        """Return the definitions in `source`, or None if it is too much for the parser."""
        if len(source) > self._limits.document_bytes:
            return None
        fresh = self._served == 0
        answer = self._ask(language, source)
        if answer is None and not fresh:
            answer = self._ask(language, source)
        return answer

    def _ask(self, language: Language, source: bytes) -> tuple[Definition, ...] | None:
        process = self._process = self._process or self._start()
        request = {
            "language": language.name,
            "size": len(source),
            "seconds": self._limits.seconds + len(source) // 1_000_000,
        }
        line = _exchange(process, json.dumps(request).encode() + b"\n" + source)
        if not line.endswith(b"\n"):
            self._stop()
            return None
        self._served += 1
        answer = json.loads(line)
        if "error" in answer:
            raise ParserError(f"language {language.name} cannot be parsed: {answer['error']}")
        return tuple(Definition(*found) for found in answer["definitions"])

    def _start(self) -> subprocess.Popen[bytes]:
        setup = {
            "peak_bytes": self._limits.peak_bytes,
            "languages": {
                one.name: (one.grammar, one.entry, one.definitions) for one in languages()
            },
        }
        # -P: whatever stands in the current folder is not imported.
        process = subprocess.Popen(
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        _exchange(process, json.dumps(setup).encode() + b"\n", answered=False)
        return process

    def _stop(self) -> None:
        process, self._process, self._served = self._process, None, 0
        if process is None:
            return
        process.kill()
        process.communicate()


def _exchange(process: subprocess.Popen[bytes], message: bytes, *, answered: bool = True) -> bytes:
    """Send a message and return the line that answers it, or nothing if the process died."""
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(message)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline() if answered else b""
