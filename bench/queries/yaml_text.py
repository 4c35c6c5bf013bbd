"""YAML as located values: a safe subset with bounds on size and depth.

Plain scalars follow YAML 1.2: `yes`, `on`, dates and numbers with leading zeros are text.
"""

import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.resolver import BaseResolver

from bench.errors import FixtureError
from bench.files import yaml_errors
from bench.queries.located import Located, Place, Plain

_MOST_VALUES = 1_000_000
_MOST_LETTERS = 20_000_000
_DEEPEST = 50
_STRING, _NULL, _FLAG = "tag:yaml.org,2002:str", "tag:yaml.org,2002:null", "tag:yaml.org,2002:bool"
_WHOLE, _DECIMAL = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"


_ODD = re.compile(
    r"[\t\x7f\x85\u2028\u2029\ufeff]|(?:^|[\s,\[{])(?:!|\?[\s,\]}]|\?$)|^(?:---|\.\.\.)",
    re.MULTILINE,
)
"""Tabs, unusual line ends, tags and several documents, which libyaml may read differently."""


class _TooMuch(yaml.MarkedYAMLError):
    """The text nests or repeats more than files of queries ever do."""


class _Bounded(Composer, BaseResolver):
    """Composer of nodes within bounds, from the events of a parser in a subclass.

    Scalars are converted here instead of by the constructors of the library.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (the library's own attribute)
    _depth = 0
    _values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        self._values += 1
        if self._depth > _DEEPEST or self._values > _MOST_VALUES:
            # The subclass's parser has this method.
            mark = self.peek_event().start_mark  # type: ignore[attr-defined]
            raise _TooMuch(problem=_too_much(), problem_mark=mark)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


_Bounded.add_implicit_resolver(_NULL, re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
_Bounded.add_implicit_resolver(
    _FLAG, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Bounded.add_implicit_resolver(_WHOLE, re.compile(r"^-?(?:0|[1-9][0-9]*)$"), list("-0123456789"))
_Bounded.add_implicit_resolver(
    _DECIMAL, re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
)


class _Loader(_Bounded, yaml.SafeLoader):
    """Loader with the library's own parser, which has clear error messages."""


if yaml.__with_libyaml__:

    class _FastLoader(_Bounded, yaml.CSafeLoader):
        """Loader with the parser of libyaml, whose nodes have different end marks.

        The composer of libyaml is not used: it recurses without a limit, so that deep nesting
        would crash the process.
        """

        def __init__(self, text: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            Composer.__init__(self)


def load_yaml(text: str, file: str) -> Located:
    """Return the single document in `text`."""
    return _Reading(file).located(_root(text, file, _quickly_composed), 0)


def compose_yaml(text: str, file: str) -> yaml.Node:
    """Return the single document in `text` as nodes, which know their positions."""
    return _root(text, file, _composed)


def _root(text: str, file: str, compose: Callable[[str], yaml.Node | None]) -> yaml.Node:
    if len(text) > _MOST_LETTERS:
        limit = _MOST_LETTERS // 1_000_000
        message = f"{file}: is larger than {limit} MB, which takes YAML minutes; split it"
        raise FixtureError(f"{message}, or write JSON Lines")
    with yaml_errors(text, file, FixtureError):
        node = compose(text)
    if node is None:
        raise Place(file, 1).error("is empty; give queries")
    return node


def _composed(text: str) -> yaml.Node | None:
    return _Loader(text).get_single_node()


def _quickly_composed(text: str) -> yaml.Node | None:
    if not yaml.__with_libyaml__ or _ODD.search(text):
        return _composed(text)
    try:
        # After an error, the slow loader reads the text again for its clearer message.
        return _FastLoader(text).get_single_node()
    except (yaml.YAMLError, ValueError):
        return _composed(text)


class _Reading:
    """Conversion of nodes to values. Aliases are counted each time they are used."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._values = 0

    def located(self, node: yaml.Node, depth: int) -> Located:
        place = Place(self._file, node.start_mark.line + 1)
        self._values += 1
        if depth > _DEEPEST or self._values > _MOST_VALUES:
            raise place.error(f"{_too_much()}; write the values out")
        if isinstance(node, yaml.MappingNode):
            return Located(self._mapping(node, depth), place)
        if isinstance(node, yaml.SequenceNode):
            return Located([self.located(item, depth + 1) for item in node.value], place)
        return Located(_scalar(node, place), place)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Located]:
        found: dict[str, Located] = {}
        for key, value in node.value:
            place = Place(self._file, key.start_mark.line + 1)
            if not isinstance(key, yaml.ScalarNode):
                raise place.error("a field's name must be text; correct this line")
            if key.value in found:
                raise place.error(f"field {key.value!r} appears twice; keep one")
            found[key.value] = self.located(value, depth + 1)
        return found


def _scalar(node: yaml.Node, place: Place) -> Plain:
    text: Any = node.value
    if node.tag == _STRING:
        return str(text)
    if node.tag == _NULL:
        return None
    if node.tag == _FLAG:
        return str(text).lower() == "true"
    if node.tag in (_WHOLE, _DECIMAL):
        return _number(str(text), place)
    raise place.error(f"tag {node.tag!r} is not allowed; remove it")


def _number(text: str, place: Place) -> int | float:
    try:
        return float(text) if "." in text else int(text)
    except ValueError as error:
        raise place.error("is not a usable number; put it in quotes if it is text") from error


def _too_much() -> str:
    return f"nests deeper than {_DEEPEST} or holds more than {_MOST_VALUES:,} values"


class _Dumper(yaml.SafeDumper):
    """Dumper whose output is read back as the same text."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # In other styles some line breaks (U+0085) are written unescaped and read as spaces.
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def dump_yaml(value: object) -> str:
    """Return plain values as YAML."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=99)
    return text
