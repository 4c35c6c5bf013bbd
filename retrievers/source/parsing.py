"""Definitions and facts of documents, found in a separate process that may crash.

The result for a document depends only on this document. If the process crashes after it has served
other documents, the document is retried in a new process. If a corpus has wasted more than
`ParsingLimits.wasted_seconds`, its remaining documents are not parsed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from retrievers.errors import ParserError
from retrievers.source.answers import WANTED, Answers, Asked, KnownAnswers, Wanted
from retrievers.source.registry import Language

_PROGRAM = "retrievers.parsers"
_ROOT = Path(__file__).parents[2]
_USUAL_SECONDS = 0.25
"""Processor time of a small document, and of each megabyte, that does not count as wasted."""


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """Limits for the parsing of documents."""

    document_bytes: int = 20_000_000
    definitions: int = 200_000
    """Maximum number of definitions and marks per document. Later ones are dropped."""
    facts: int = 500_000
    """Maximum number of facts per document. Later ones are dropped."""
    peak_bytes: int = 4_000_000_000
    seconds: int = 3
    """Processor time for one document, plus one second for each megabyte."""
    wasted_seconds: float = 60.0
    """Total processor time of documents beyond the usual time for their size. The documents after
    that are not parsed."""

    def most(self, wanted: Wanted) -> int:
        """Return the maximum number of definitions or facts per document."""
        return self.definitions if wanted == "definitions" else self.facts


class Definition(NamedTuple):
    """A definition of a name."""

    kind: str
    name: str
    qualifier: str
    """The type in the definition itself, such as the type of a receiver."""
    start_byte: int
    end_byte: int
    signature: tuple[int, int]
    modifiers: list[str]
    visibility: str
    docs: list[tuple[int, int]]


class Mark(NamedTuple):
    """A construct that affects definitions inside or after it."""

    label: str
    """`scope` adds its name as a prefix, `section.<visibility>` applies from here on, and
    `named.<visibility>` applies to the definition with this name."""
    name: str
    start_byte: int
    end_byte: int


class Found(NamedTuple):
    """The definitions and marks of a document."""

    definitions: list[Definition]
    marks: list[Mark]


class Fact(NamedTuple):
    """A use in a document, such as a call or an import."""

    what: str
    """The name of the captures, such as `call`."""
    start: int
    """The byte offset at which the leftmost capture starts."""
    said: dict[str, str]
    """The captured texts by the part after the name, such as `module` of `import.module`."""


class Parsing:
    """A process that finds definitions and facts. Use it as a context manager."""

    def __init__(
        self,
        limits: ParsingLimits,
        languages: tuple[Language, ...],
        answers: Answers | None = None,
    ) -> None:
        self._known = KnownAnswers(answers)
        self.limits = limits
        self._languages = languages
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0
        self._spent = 0.0
        self._wasted = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        self._known.keep()

    @property
    def has_wasted(self) -> bool:
        """Whether any document took longer than is usual for its size."""
        return self._wasted > 0

    def expect(self, wanted: Wanted, sources: Iterable[tuple[Language, bytes]]) -> None:
        """Load the known answers for these sources at once."""
        self._known.look_up(self._asked(wanted, *source) for source in sources)

    def found(self, language: Language, source: bytes) -> Found | None:
        """Return the definitions of `source`, or None if it exceeds a limit."""
        answer = self._answer(self._asked("definitions", language, source))
        if answer is None:
            return None
        return Found(
            [Definition(*one) for one in answer["definitions"]],
            [Mark(*one) for one in answer["marks"]],
        )

    def facts(self, language: Language, source: bytes) -> list[Fact] | None:
        """Return the uses in `source`, or None if it exceeds a limit."""
        answer = self._answer(self._asked("facts", language, source))
        return None if answer is None else [Fact(*one) for one in answer["facts"]]

    def _asked(self, wanted: Wanted, language: Language, source: bytes) -> Asked:
        return Asked(wanted, self.limits.most(wanted), language, source)

    def _answer(self, asked: Asked) -> dict[str, Any] | None:
        if len(asked.source) > self.limits.document_bytes:
            return None
        if self._wasted > self.limits.wasted_seconds:
            return None
        known = self._known.get(asked)
        if known is not None:
            answer: dict[str, Any] = json.loads(known)
            # The wasted time counts for cached answers as well, so that a cache never changes
            # which documents are parsed.
            self._waste(answer["seconds"], asked.source)
            return answer
        fresh = self._served == 0
        found = self._ask(asked)
        if found is None and not fresh:
            found = self._ask(asked)
        return found

    def _ask(self, asked: Asked) -> dict[str, Any] | None:
        process = self._process = self._process or self._start()
        request = {
            "language": asked.language.name,
            "wanted": asked.wanted,
            "size": len(asked.source),
            "seconds": self.limits.seconds + len(asked.source) // 1_000_000,
        }
        line = _exchange(process, json.dumps(request).encode() + b"\n" + asked.source)
        if not line.endswith(b"\n"):
            self._waste(self._stop(), asked.source)
            return None
        self._served += 1
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            name = asked.language.name
            raise ParserError(f"language {name} cannot be parsed: {answer['error']}")
        self._spent += answer["seconds"]
        self._waste(answer["seconds"], asked.source)
        self._known.add(asked, line)
        return answer

    def _waste(self, seconds: float, source: bytes) -> None:
        usual = _USUAL_SECONDS * (1 + len(source) / 1_000_000)
        self._wasted += max(0.0, seconds - usual)

    def _start(self) -> subprocess.Popen[bytes]:
        setup = {
            "peak_bytes": self.limits.peak_bytes,
            "limits": {wanted: self.limits.most(wanted) for wanted in WANTED},
            "languages": {one.name: _grammar(one) for one in self._languages},
        }
        places = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        # -P excludes the current folder from imports.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", _PROGRAM],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(one for one in places if one)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        _exchange(process, json.dumps(setup).encode() + b"\n", answered=False)
        return process

    def _stop(self) -> float:
        """End the process. Return its processor time without the time of its answers."""
        process, self._process, self._served = self._process, None, 0
        spent, self._spent = self._spent, 0.0
        if process is None:
            return 0.0
        # The time of a process that did not answer is only known after its end, from the
        # times of all ended children.
        before = os.times()
        process.kill()
        process.communicate()
        after = os.times()
        used = after.children_user + after.children_system
        return used - before.children_user - before.children_system - spent


def _grammar(language: Language) -> tuple[str, str, dict[str, str], str]:
    queries = {"definitions": language.definitions, "facts": language.edges}
    return language.grammar, language.entry, queries, language.unread


def _exchange(process: subprocess.Popen[bytes], message: bytes, *, answered: bool = True) -> bytes:
    """Send a message and return the line of the answer, or empty bytes after a crash."""
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(message)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline() if answered else b""
