"""The result of a query for definitions on one source.

docs/languages.md explains the captures of a query.
"""

import re
from typing import Any

import tree_sitter

_PREFIX = "definition."
_LEVEL = "visibility."
_WINDOW = 200
_OF_ANOTHER = re.compile(
    rb"[@\\](?:file|fileoverview|overview|module|packageDocumentation|license|copyright|preserve"
    rb"|typedef|callback|namespace|event|name|defgroup|addtogroup|page|mainpage|\{|\})(?!\w)"
)
"""Tags of a documentation comment that is not about the definition below."""
Captures = dict[str, list[tree_sitter.Node]]


class _Facts:
    """The properties of one node or one name, from several matches."""

    def __init__(self) -> None:
        self.around: tuple[int, int] | None = None
        self.qualifier = ""
        self.body: int | None = None
        self.modifiers: list[str] = []
        self.level = ""
        self.docs: list[tuple[int, int]] = []

    def add(self, captures: Captures) -> None:
        for label, nodes in captures.items():
            node = nodes[0]
            if label == "modifier":
                self.modifiers.extend(_text(one) for one in nodes)
            elif label == "body":
                self.body = min(self.body or node.start_byte, node.start_byte)
            elif label == "around":
                self.around = (node.start_byte, node.end_byte)
            elif label == "qualifier":
                self.qualifier = _text(node)
            elif label == "doc":
                self.docs = [(node.start_byte, node.end_byte)]
            elif label.startswith(_LEVEL):
                self.level = label.removeprefix(_LEVEL)

    def join(self, other: "_Facts") -> None:
        self.qualifier = self.qualifier or other.qualifier
        self.body = other.body if self.body is None else self.body
        self.modifiers.extend(other.modifiers)
        self.level = self.level or other.level
        self.docs = self.docs or other.docs


class _Spot(_Facts):
    """A name, and the nodes that it defines."""

    def __init__(self, name: tree_sitter.Node) -> None:
        super().__init__()
        self.name = (name.start_byte, name.end_byte)
        self.best: tuple[int, int, str] | None = None
        self.spans: dict[tuple[int, int], None] = {}

    def define(self, pattern: int, captures: Captures) -> None:
        self.add(captures)
        for label, nodes in captures.items():
            if label.startswith(_PREFIX):
                start, end = nodes[0].start_byte, nodes[0].end_byte
                found = (end - start, pattern, label.removeprefix(_PREFIX))
                self.best = max(self.best or found, found)
                self.spans[start, end] = None


class Definitions:
    """The definitions and marks of one source."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._spots: dict[int, _Spot] = {}
        self._facts: dict[tuple[int, int], _Facts] = {}
        self._marks: dict[tuple[str, int], tuple[str, str, int, int]] = {}
        self._comments: dict[int, int] = {}
        self._documenting: set[int] = set()
        self._documentation: set[int] = set()
        self._attributes: dict[int, int] = {}
        self._above: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    def __len__(self) -> int:
        return len(self._spots) + len(self._marks)

    def add(self, pattern: int, captures: Captures) -> None:
        """Add a match."""
        if "name" in captures:
            name = captures["name"][0]
            spot = self._spots.get(name.start_byte)
            if spot is None:
                spot = self._spots[name.start_byte] = _Spot(name)
            spot.define(pattern, captures)
            return
        if "of" in captures:
            of = captures["of"][0]
            self._facts.setdefault((of.start_byte, of.end_byte), _Facts()).add(captures)
            return
        for label, nodes in captures.items():
            for node in nodes:
                self._mark(label, node, captures)

    def _mark(self, label: str, node: tree_sitter.Node, captures: Captures) -> None:
        if label in ("comment", "remark"):
            end = self._before(node.end_byte)[0]  # some grammars include the line break
            self._comments[end] = node.start_byte
            if label == "comment":
                self._documenting.add(end)
        elif label == "documentation":
            self._documentation.add(node.start_byte)
        elif label == "attribute":
            self._attributes[node.end_byte] = node.start_byte
        elif label == "scope":
            name = _text(captures["scope.name"][0]) if "scope.name" in captures else ""
            self._marks[label, node.start_byte] = (label, name, node.start_byte, node.end_byte)
        elif label.startswith(("section.", "named.")):
            name = _text(node) if label.startswith("named.") else ""
            self._marks[label, node.start_byte] = (label, name, node.start_byte, node.end_byte)

    def answer(self) -> dict[str, Any]:
        """Return definitions and marks as plain lists."""
        starts = {start: end for end, start in self._attributes.items()}
        named = [spot for spot in self._spots.values() if spot.best]
        definitions = [self._definition(spot, starts) for spot in named]
        return {"definitions": definitions, "marks": list(self._marks.values())}

    def _definition(self, spot: _Spot, attributes: dict[int, int]) -> list[Any]:
        start, end = self._whole(spot)
        end = self._without_comments(end)
        declared = start
        while attributes.get(declared, end) < end:
            declared = attributes[declared]
            while self._source[declared : declared + 1].isspace():
                declared += 1
        stop = end if spot.body is None else self._without_comments(spot.body)
        above, docs = self._leading(start)
        name = self._source[slice(*spot.name)].decode("utf-8", "replace")
        kind = spot.best[2] if spot.best else ""
        signature = (declared, max(declared, stop))
        said = (signature, spot.modifiers, spot.level, spot.docs or docs)
        return [kind, name, spot.qualifier, above, end, *said]

    def _whole(self, spot: _Spot) -> tuple[int, int]:
        """Return the widest span of a definition, and join the properties of all its nodes."""
        spans = list(spot.spans)
        for span in spans:
            facts = self._facts.get(span)
            if facts is None:
                continue
            spot.join(facts)
            if facts.around and facts.around not in spans:
                spans.append(facts.around)
        return min(start for start, _ in spans), max(end for _, end in spans)

    def _leading(self, start: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the start of the attributes and comments above a definition, and the comments."""
        if start not in self._above:
            place, docs = start, list[tuple[int, int]]()
            while True:
                end, breaks = self._before(place)
                if end in self._attributes:
                    place = self._attributes[end]
                elif self._documents(end) and (breaks <= 1 or (not docs and self._is_apart(end))):
                    begun = self._comments[end]
                    joined = docs and docs[-1][0] == place
                    docs.append((begun, docs.pop()[1] if joined else end))
                    place = begun
                else:
                    break
            self._above[start] = (place, docs[::-1])
        return self._above[start]

    def _documents(self, end: int) -> bool:
        """Return whether a documenting comment ends here that starts on a line of its own."""
        if end not in self._documenting:
            return False
        before, breaks = self._before(self._comments[end])
        return breaks > 0 or before == 0

    def _is_apart(self, end: int) -> bool:
        """Return whether the comment documents what is below blank lines.

        At the head of a file, such a comment is about the file.
        """
        begun = self._comments[end]
        is_known = begun in self._documentation and self._before(begun)[0] > 0
        return is_known and not _OF_ANOTHER.search(self._source, begun, end)

    def _without_comments(self, end: int) -> int:
        """Return the end without trailing space and comments."""
        place = self._before(end)[0]
        while (begun := self._comments.get(place)) is not None:
            place = self._before(begun)[0]
        return place

    def _before(self, place: int) -> tuple[int, int]:
        """Return the start of the space before `place`, and the number of line breaks in it."""
        breaks = 0
        while place:
            window = self._source[max(0, place - _WINDOW) : place]
            kept = window.rstrip()
            breaks += window.count(b"\n", len(kept))
            place -= len(window) - len(kept)
            if kept:
                break
        return place, breaks


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
