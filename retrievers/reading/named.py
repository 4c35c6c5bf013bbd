"""Names in a query: files, symbols of code, and types of errors."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from retrievers.reading.identifiers import identifiers, identifiers_in_sentence
from retrievers.reading.parts import Part, PartName
from retrievers.source import language_of

_NAME = r"[^\W\d]\w*"
_PATH = re.compile(
    r"(?<![\w/.@-])(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}\b(?![/(])"
)
_QUOTED = re.compile(r"`([^`\n]+)`")
_CALLED = re.compile(rf"(?<!\w)({_NAME}(?:(?:\.|::|->){_NAME})*)\(")
_SEPARATOR = re.compile(r"\.|::|->|#")
_ERROR_TYPE = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Fault)\b")
_QUOTABLE = re.compile(rf"{_NAME}(?:(?:\.|::|->|#){_NAME})*")

_TEXT_ENDINGS = frozenset(
    re.findall(
        r"\w+", "cfg conf css csv html ini json lock md properties rst toml txt xml yaml yml"
    )
)
"""Extensions of files that are not in a programming language."""

_QUOTED_WEIGHT = 0.9
_WEIGHTS: Mapping[PartName, float] = MappingProxyType({"title": 1.0, "prose": 0.8, "code": 0.4})
"""Confidence in a name by the part of the query; names in frames count as frames."""


def paths_in(parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the distinct file paths in a query outside of frames."""
    texts = (part.text for part in parts if part.name != "frames")
    return tuple(dict.fromkeys(path for text in texts for path in _paths_of(text)))


def _paths_of(text: str) -> Iterator[str]:
    """Yield paths. A name with a dot is a path if it has folders or a known extension."""
    for path in _PATH.findall(text):
        known = language_of(path) or path.rpartition(".")[2].lower() in _TEXT_ENDINGS
        if "/" in path or known:
            yield path.removeprefix("./")


def names_in(parts: Iterable[Part], query: str) -> Mapping[str, float]:
    """Return the dotted identifiers of a query, each with a confidence up to 1."""
    found = dict.fromkeys(identifiers(query), 1.0) if len(query.split()) == 1 else {}
    for name, weight in _weighed(parts):
        found[name] = max(weight, found.get(name, 0.0))
    return found


def error_types_in(parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the distinct names of error types in a query."""
    return tuple(dict.fromkeys(name for part in parts for name in _ERROR_TYPE.findall(part.text)))


def _weighed(parts: Iterable[Part]) -> Iterator[tuple[str, float]]:
    for part in parts:
        weight = _WEIGHTS.get(part.name)
        if weight is None:
            continue
        files = {path.rpartition("/")[2] for path in _paths_of(part.text)}
        named = (name for name in identifiers_in_sentence(part.text) if name not in files)
        yield from ((name, weight) for name in named)
        yield from ((_dotted(name), weight) for name in _CALLED.findall(part.text))
        if part.name != "code":
            quoted = (text.strip().removesuffix("()") for text in _QUOTED.findall(part.text))
            sure = max(weight, _QUOTED_WEIGHT)
            meant = (name for name in quoted if _QUOTABLE.fullmatch(name) and name not in files)
            yield from ((_dotted(name), sure) for name in meant)


def _dotted(name: str) -> str:
    return _SEPARATOR.sub(".", name)
