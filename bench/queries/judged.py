"""Places that somebody judged for a query: relevant or not, by whom and when.

Targets only say what is relevant. Judged places also record what is not, so that unjudged hits
differ from hits known to be wrong.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from bench.queries.fields import Fields
from bench.queries.located import Located
from bench.queries.query import JudgedPlace, Target
from bench.queries.targets import file_target, span_target, symbol_target
from bench.queries.written import filled, written_target
from retrievers.source import module_name

_FIELDS = ("path", "start", "end", "symbol", "repo", "relevant", "by", "date", "text")
_HALF = 0.5
_DIGITS = 12


def digest_of(text: str) -> str:
    """Return a short digest of a text, independent of white space at line ends."""
    plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def read_judged(found: Located) -> JudgedPlace:
    """Read a judged place from an item of `judged`."""
    fields = Fields.of(found, "a judged place", _FIELDS)
    relevant = fields.flag("relevant")
    if relevant is None:
        raise fields.place.error("a judged place lacks the field 'relevant'; add true or false")
    named = {
        name: fields.values[name]
        for name in ("path", "start", "end", "symbol", "repo")
        if fields.has(name)
    }
    return JudgedPlace(
        target=_target(replace(found, value=named)),
        relevant=relevant,
        by=fields.text_or_blank("by"),
        date=fields.text_or_blank("date"),
        text=fields.text_or_blank("text"),
    )


def _target(found: Located) -> Target:
    named = found.value if isinstance(found.value, dict) else {}
    if "symbol" in named:
        return symbol_target(found)
    return span_target(found) if "start" in named else file_target(found)


def written_judged(one: JudgedPlace) -> dict[str, object]:
    """Return a judged place in the form of files."""
    place = written_target(one.target)
    if not isinstance(place, dict):
        place = {"symbol" if one.target.level == "symbol" else "path": place}
    more = filled({"by": one.by, "date": one.date, "text": one.text})
    return {**place, "relevant": one.relevant, **more}


def definition_asked(path: str, symbol: str) -> str:
    """Return the unambiguous name of a definition in a file: `src/cart.py::Cart.add`."""
    nested = symbol.removeprefix(module_name(path)).removeprefix(".")
    return f"{path}::{nested}"


class JudgedPlaces:
    """Lookup of judged places by hits."""

    def __init__(self, places: Iterable[JudgedPlace]) -> None:
        targets = [one.target for one in places]
        self._files = {one.path for one in targets if one.level == "file"}
        self._symbols = {one.symbol for one in targets if one.level == "symbol"}
        self._spans = [one for one in targets if one.level == "span"]

    def hold(self, path: str, start: int, end: int, symbol: str) -> bool:
        """Return whether a hit's file or definition was judged, or half of its lines."""
        if path in self._files:
            return True
        if symbol and definition_asked(path, symbol) in self._symbols:
            return True
        lines = {
            line
            for one in self._spans
            if one.path == path
            for line in range(max(start, one.start), min(end, one.end) + 1)
        }
        return bool(lines) and len(lines) >= _HALF * (end - start + 1)
