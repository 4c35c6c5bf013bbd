"""Parse documents for another process: a program of its own that imports nothing of ours.

A parser in C cannot be interrupted: error recovery and queries take quadratic time on hostile
files, and tree-sitter 0.26.0 for Python crashes when it is given a progress callback. So the
parsing process may die, of its limit on processor time or of anything else, and its parent
goes on without that one document.

It reads a line of JSON that describes the languages and limits, then, for each document, a line
(language, size) and the bytes. It answers each document with a line: the definitions found.
"""

import importlib
import json
import math
import resource
import signal
import sys
from typing import Any

import tree_sitter

_PREFIX = "definition."


class _Grammar:
    """A language's parser and its query for definitions."""

    def __init__(self, package: str, entry: str, definitions: str) -> None:
        language = tree_sitter.Language(getattr(importlib.import_module(package), entry)())
        self._parser = tree_sitter.Parser(language)
        self._query = tree_sitter.Query(language, definitions)

    def definitions(self, source: bytes) -> list[tuple[str, str, int, int]]:
        """Return (kind, name, start byte, end byte) of each definition."""
        tree = self._parser.parse(source)
        comments: dict[int, int] = {}
        widest: dict[int, tuple[int, int, str, str, int, int]] = {}
        for pattern, captures in tree_sitter.QueryCursor(self._query).matches(tree.root_node):
            if "comment" in captures:
                comment = captures["comment"][0]
                comments[comment.end_byte] = comment.start_byte
                continue
            kind = next(name for name in captures if name.startswith(_PREFIX))
            whole, name = captures[kind][0], captures["name"][0]
            start, end = whole.start_byte, whole.end_byte
            text = source[name.start_byte : name.end_byte].decode("utf-8", "replace")
            found = (end - start, pattern, kind.removeprefix(_PREFIX), text, start, end)
            widest[name.start_byte] = max(widest.get(name.start_byte, found), found)
        ends = _without_comments(source, comments, sorted({one[5] for one in widest.values()}))
        return [(*one[2:5], ends[one[5]]) for one in widest.values()]


def _without_comments(source: bytes, comments: dict[int, int], ends: list[int]) -> dict[int, int]:
    """Return where each definition that stops at an end really stops: not after a comment."""
    trimmed: dict[int, int] = {}
    for end in ends:
        place = end
        while (begun := comments.get(place)) is not None:
            place = begun
            while place and source[place - 1 : place].isspace():
                place -= 1
        trimmed[end] = place
    return trimmed


def _spend_at_most(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = math.ceil(used.ru_utime + used.ru_stime)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = spent + seconds
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
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
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    _spend_at_most(request["seconds"])
    return {"definitions": known[name].definitions(source)}


def main() -> None:
    """Answer requests until there are no more."""
    setup = json.loads(sys.stdin.buffer.readline())
    _limit_this_process(setup["peak_bytes"])
    known: dict[str, _Grammar] = {}
    while line := sys.stdin.buffer.readline():
        answer = _answer(json.loads(line), known, setup)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
