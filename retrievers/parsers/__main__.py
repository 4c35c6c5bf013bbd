"""The main program of the parsing process.

A parser in C cannot be interrupted. Error recovery and queries take quadratic time on hostile
files, and tree-sitter 0.26.0 for Python crashes with a progress callback. The parsing process
may therefore die, for example at its limit of processor time, and its parent continues without
this one document.

It reads a line of JSON with the languages and limits. For each document, it then reads a line with
the language, the wanted result, the size and the limit of seconds, and the bytes. It answers with
a line that has the result and its processor time. A result is either `definitions` or `facts`.
"""

import codecs
import importlib
import json
import math
import re
import resource
import signal
import sys
import time
from typing import Any

import tree_sitter

from retrievers.parsers.definitions import Definitions
from retrievers.parsers.facts import Facts

_FOUND: dict[str, type[Definitions | Facts]] = {"definitions": Definitions, "facts": Facts}


class _Grammar:
    """The parser of a language, and its queries by result."""

    def __init__(self, package: str, entry: str, queries: dict[str, str], unread: str) -> None:
        self._language = tree_sitter.Language(getattr(importlib.import_module(package), entry)())
        self._parser = tree_sitter.Parser(self._language)
        self._texts = queries
        self._queries: dict[str, tree_sitter.Query] = {}
        self._unread = re.compile(unread.encode()) if unread else None

    def prepare(self, wanted: str) -> None:
        """Compile the query for a result, once."""
        if wanted not in self._queries:
            self._queries[wanted] = tree_sitter.Query(self._language, self._texts[wanted])

    def found(self, source: bytes, wanted: str, limit: int) -> dict[str, Any]:
        """Return the result of a query on a source. It stops at `limit` matches."""
        # Invalid bytes become underscores, which keeps offsets, since predicates decode the text.
        source = source.decode("utf-8", "underlined").encode()
        if self._unread:
            source = self._unread.sub(_blank, source)
        tree = self._parser.parse(source)
        found = _FOUND[wanted](source)
        cursor = tree_sitter.QueryCursor(self._queries[wanted])
        for pattern, captures in cursor.matches(tree.root_node):
            found.add(pattern, captures)
            if len(found) >= limit:
                break
        return found.answer()


def _underlined(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "_" * (error.end - error.start), error.end


def _blank(match: re.Match[bytes]) -> bytes:
    """Return the match with spaces instead of its first group."""
    start, end = (place - match.start() for place in match.span(1))
    text = match.group()
    return text[:start] + b" " * (end - start) + text[end:]


def _spend_at_most(seconds: int) -> None:
    spent = math.ceil(time.process_time())
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    ceiling = math.inf if most == resource.RLIM_INFINITY else most
    limit = int(min(spent + seconds, ceiling))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


def _limit_this_process(peak_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > peak_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (peak_bytes, most))


def _answer(request: dict[str, Any], known: dict[str, _Grammar], setup: dict[str, Any]) -> object:
    source = sys.stdin.buffer.read(request["size"])
    name = request["language"]
    try:
        if name not in known:
            known[name] = _Grammar(*setup["languages"][name])
        known[name].prepare(request["wanted"])
    except (ImportError, AttributeError, TypeError, ValueError, re.error) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    _spend_at_most(request["seconds"])
    begun = time.process_time()
    found = known[name].found(source, request["wanted"], setup["limits"][request["wanted"]])
    return found | {"seconds": time.process_time() - begun}


def main() -> None:
    """Answer requests until there are no more."""
    codecs.register_error("underlined", _underlined)
    setup = json.loads(sys.stdin.buffer.readline())
    _limit_this_process(setup["peak_bytes"])
    known: dict[str, _Grammar] = {}
    while line := sys.stdin.buffer.readline():
        answer = _answer(json.loads(line), known, setup)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
