"""Edits of single queries in the text of a query set; all other text stays unchanged."""

from collections.abc import Sequence

import yaml

from bench.errors import FixtureError
from bench.queries.yaml_text import compose_yaml

_QUERIES = "queries"


class QuerySetText:
    """A query set as text. Queries are counted from 0, in the order of the file.

    The methods return the changed text. In some forms of YAML (aliases), such a change alters
    other queries, so the caller must read the text again and compare.
    """

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._sequence = self._found()

    def query(self, number: int) -> str:
        """Return the text of a query: its lines, or its part of a line in `[…, …]`."""
        start, end = self._range(number)
        return self._text[start:end]

    @property
    def is_flow(self) -> bool:
        """Whether the queries are in brackets."""
        return bool(self._sequence.flow_style)

    def indent(self, number: int) -> int:
        """Return the number of blanks before the dash of a query."""
        text = self.query(number)
        return len(text) - len(text.lstrip(" "))

    def without(self, number: int) -> str:
        """Return the text without a query."""
        if not self.is_flow:
            start, end = self._range(number)
            return self._text[:start] + self._text[end:]
        return _without_part(self._text, self._sequence.value, number)

    def with_query(self, number: int, query: str) -> str:
        """Return the text with a query replaced."""
        start, end = self._range(number)
        return self._text[:start] + query + self._text[end:]

    def without_field(self, number: int, name: str) -> str:
        """Return the text without a field of a query and the rest of its line."""
        node = self._sequence.value[number]
        keys = [key for key, _ in node.value]
        place = next(place for place, key in enumerate(keys) if key.value == name)
        if node.flow_style:
            # A field ends with its value.
            return _without_part(self._text, [_Ends(*pair) for pair in node.value], place)
        key, value = node.value[place]
        start = key.start_mark.index
        rest = self._text[self._after_line(_end(value, self._text)) :]
        if place == 0:  # the field is next to the dash, where the next field must move
            return self._text[:start] + rest.lstrip()
        return self._text[: self._text.rfind("\n", 0, start) + 1] + rest

    def with_item(self, number: int, name: str, item: str) -> str:
        """Return the text with an item added to a list of a query; a missing list is created."""
        node = self._sequence.value[number]
        field = next((value for key, value in node.value if key.value == name), None)
        if isinstance(field, yaml.SequenceNode) and field.value:
            return self._with_another(field, item)
        if field is not None:
            start, end = field.start_mark.index, field.end_mark.index
            blank = "" if end > start else " "  # an empty value after a colon lacks the blank
            return _inserted(self._text, start, end, f"{blank}[{item}]")
        if node.flow_style:
            end = node.end_mark.index - 1
            return _inserted(self._text, end, end, f", {name}: [{item}]")
        blanks = " " * node.start_mark.column
        return self._with_lines(_end(node, self._text), f"{blanks}{name}:", f"{blanks}  - {item}")

    def _with_another(self, field: yaml.SequenceNode, item: str) -> str:
        """Return the text with an item added after the last item of a list."""
        last = field.value[-1]
        if field.flow_style:
            return _inserted(self._text, last.end_mark.index, last.end_mark.index, f", {item}")
        return self._with_lines(_end(last, self._text), f"{' ' * field.start_mark.column}- {item}")

    def _with_lines(self, end: int, *lines: str) -> str:
        """Return the text with lines added below the line that contains `end`."""
        line_break = "\r\n" if "\r\n" in self._text else "\n"
        place = self._after_line(end)
        before = "" if self._text[:place].endswith("\n") else line_break
        new = "".join(f"{line}{line_break}" for line in lines)
        return _inserted(self._text, place, place, before + new)

    def _found(self) -> yaml.SequenceNode:
        root = compose_yaml(self._text, self._file)
        pairs = root.value if isinstance(root, yaml.MappingNode) else []
        for key, value in pairs:
            if key.value == _QUERIES and isinstance(value, yaml.SequenceNode):
                return value
        message = f"{self._file}: has no list of queries; write them under 'queries:'"
        raise FixtureError(message)

    def _range(self, number: int) -> tuple[int, int]:
        node = self._sequence.value[number]
        start = node.start_mark.index
        if self.is_flow:
            return start, node.end_mark.index
        dash = self._text.rfind("-", 0, start)
        first = self._text.rfind("\n", 0, dash) + 1
        return first, self._after_line(_end(node, self._text))

    def _after_line(self, place: int) -> int:
        """Return the start of the next line; a comment after a value belongs to its line."""
        end = self._text.find("\n", place)
        return len(self._text) if end < 0 else end + 1


class _Ends:
    """A field as a part of a mapping in braces."""

    def __init__(self, key: yaml.Node, value: yaml.Node) -> None:
        self.start_mark, self.end_mark = key.start_mark, value.end_mark


def _without_part(text: str, parts: Sequence[yaml.Node | _Ends], number: int) -> str:
    """Return a text without a part of a list in brackets or braces and its comma."""
    start, end = parts[number].start_mark.index, parts[number].end_mark.index
    if number + 1 < len(parts):
        end = parts[number + 1].start_mark.index
    elif number:
        start = parts[number - 1].end_mark.index
    return text[:start] + text[end:]


def _inserted(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _end(node: yaml.Node, text: str) -> int:
    """Return the end of a node's text, because PyYAML includes comments below in a block."""
    last = node
    while isinstance(last, yaml.CollectionNode) and last.value and not last.flow_style:
        inner = last.value[-1]
        last = inner[1] if isinstance(last, yaml.MappingNode) else inner
    return len(text[: last.end_mark.index].rstrip())
