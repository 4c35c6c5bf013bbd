"""The result of a query for facts on one source: calls, imports, bases, types.

A match is a fact. Its name is the part of its captures before the first dot. docs/edges.md
explains them.
"""

import re
from bisect import bisect_right
from typing import Any

import tree_sitter

Captures = dict[str, list[tree_sitter.Node]]
_LONGEST = 400
_LONGEST_TREE = 8_000
_TAIL = 120
_LETTERS = 8
"""Maximum letters of texts per byte of a document, since nested calls repeat their texts."""
_SMALL = 100_000
_NAME = re.compile(r"[\w$]+$")


class Facts:
    """The facts of one source, in the order in which they are found."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._facts: list[list[Any]] = []
        self._sources: list[tuple[int, int, str]] = []
        self._letters = _SMALL + _LETTERS * len(source)

    def __len__(self) -> int:
        return len(self._facts)

    def add(self, _pattern: int, captures: Captures) -> None:
        """Add a match. Captures that start with an underscore are only for predicates."""
        if self._letters < 0:
            return
        if "source" in captures:
            self._add_source(captures)
            return
        said: dict[str, str] = {}
        what, first = "", len(self._source)
        for label, nodes in captures.items():
            if label[0] == "_":
                continue
            node = nodes[0]
            start = node.start_byte
            what, _, part = label.partition(".")
            longest = _LONGEST_TREE if part == "tree" else _LONGEST
            text = said[part] = self._text(start, node.end_byte, longest)
            first = min(first, start)
            self._letters -= len(text)
        if what:
            self._facts.append([what, first, said])

    def _text(self, start: int, end: int, longest: int) -> str:
        """Return a text. A text that is too long is reduced to the name at its end, or `?`."""
        if end - start <= longest:
            return self._source[start:end].decode("utf-8", "replace")
        tail = _NAME.search(self._source[end - _TAIL : end].decode("utf-8", "replace"))
        return f"?.{tail.group()}" if tail else "?"

    def _add_source(self, captures: Captures) -> None:
        around, module = captures["source"][0], captures["source.module"][0]
        text = self._text(module.start_byte, module.end_byte, _LONGEST)
        self._sources.append((around.start_byte, around.end_byte, text))

    def answer(self) -> dict[str, Any]:
        """Return the facts as plain lists."""
        self._sources.sort()
        starts = [start for start, _, _ in self._sources]
        return {"facts": [fact for fact in self._facts if self._is_whole(fact, starts)]}

    def _is_whole(self, fact: list[Any], starts: list[int]) -> bool:
        """Return whether a fact is complete, after adding the module to an imported name.

        A pattern for names and module together takes quadratic time on a list of names.
        """
        what, first, said = fact
        if what != "import" or "name" not in said or "module" in said:
            return True
        at = bisect_right(starts, first) - 1
        if at < 0 or self._sources[at][1] <= first:
            return False
        said["module"] = self._sources[at][2]
        self._letters -= len(said["module"])
        return self._letters >= 0
