"""Search by the names of symbols, in tiers. A looser tier is used only after too few hits.

Identifiers in the query are searched first. Its other words are the fallback, so that `before`
and `request` do not hide `before_request`.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from retrievers.errors import LexicalError
from retrievers.interface import (
    CHUNKS,
    DOCUMENTS,
    Chunks,
    Documents,
    Floats,
    IndexRetriever,
    Input,
    ReadInput,
)
from retrievers.lexical.joined_texts import JoinedTexts
from retrievers.lexical.placing import declared
from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS
from retrievers.lexical.tokenizers import tokenize
from retrievers.reading import identifiers
from retrievers.source import SYMBOLS, Symbols

Tier = Literal["exact", "prefix", "substring", "path"]
TIERS: tuple[Tier, ...] = get_args(Tier)

Flags = np.ndarray[Any, np.dtype[np.bool_]]

_SHORTEST = 2
_LAST = "\U0010ffff"
_SEPARATOR = re.compile(r"::|->|#|/")
_NO_NAMES = STOP_WORDS | QUESTION_WORDS


@dataclass(frozen=True)
class Names(IndexRetriever):
    """The tiers in use. A tier runs with fewer than `…_below` hits and adds up to `…_limit`."""

    algorithm_version: ClassVar[int] = 2

    tiers: tuple[Tier, ...] = TIERS
    prefix_below: int = 15
    prefix_limit: int = 30
    fallback_below: int = 5
    """The other words of the query are searched if its identifiers have fewer hits than this."""
    substring_below: int = 5
    substring_limit: int = 20
    substring_letters: int = 4
    path_below: int = 30
    path_limit: int = 40
    path_letters: int = 3

    def __post_init__(self) -> None:
        """Raise an error for names and values that are not allowed."""
        unknown = [tier for tier in self.tiers if tier not in TIERS]
        if unknown or not self.tiers:
            asked = ",".join(self.tiers) or "nothing"
            message = f"tiers={asked} is not known; choose some of {', '.join(TIERS)}"
            raise LexicalError(message)
        for name, value in vars(self).items():
            if name != "tiers" and value < 0:
                raise LexicalError(f"{name}={value} is out of range; choose 0 or more")

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The symbols, and the chunks that declare them."""
        return SYMBOLS, DOCUMENTS, CHUNKS

    def index(self, read: ReadInput, /) -> "NamesIndex":
        """Return an index of the names."""
        return NamesIndex(read(SYMBOLS), read(DOCUMENTS), read(CHUNKS), self)


class NameTable:
    """An index of qualified names and paths. Lookups ignore case."""

    def __init__(self, names: Sequence[str], paths: Sequence[str]) -> None:
        self._qualified = [name.lower() for name in names]
        self._paths = paths
        self._rows: dict[str, list[int]] = {}
        for row, name in enumerate(self._qualified):
            self._rows.setdefault(name.rpartition(".")[2], []).append(row)

    # Each of these is computed when a tier first needs it: few queries use all tiers.
    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self._rows)

    @cached_property
    def _joined(self) -> JoinedTexts:
        return JoinedTexts(self._qualified)

    @cached_property
    def _segments(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row, path in enumerate(self._paths):
            rows.setdefault(path, []).append(row)
        found: dict[str, list[int]] = {}
        for path, own in rows.items():
            for segment in _segments(path):
                found.setdefault(segment, []).extend(own)
        return {segment: sorted(own) for segment, own in found.items()}

    def exact(self, keyword: str) -> list[int]:
        """Return the rows whose name equals the keyword or ends with its dotted parts."""
        return self._called([_last(keyword)], keyword)

    def prefix(self, keyword: str) -> list[int]:
        """Return the rows whose last name begins with the last part of the keyword."""
        start = _last(keyword)
        names = self._ordered[
            bisect_left(self._ordered, start) : bisect_left(self._ordered, start + _LAST)
        ]
        return self._called(names, keyword)

    def substring(self, keyword: str) -> list[int]:
        """Return the rows whose qualified names contain the keyword."""
        return np.flatnonzero(self._joined.counts(keyword)).tolist()

    def path(self, keyword: str) -> list[int]:
        """Return the rows in a folder or file with this name."""
        return self._segments.get(keyword, [])

    def size(self, row: int) -> int:
        """Return the length of a row's qualified name."""
        return len(self._qualified[row])

    def _called(self, names: Iterable[str], keyword: str) -> list[int]:
        around = keyword.rpartition(".")[0]
        rows = (row for name in names for row in self._rows.get(name, ()))
        return [row for row in rows if not around or self._stands_in(row, around)]

    def _stands_in(self, row: int, around: str) -> bool:
        within = "." + self._qualified[row].rpartition(".")[0]
        return within.endswith("." + around)


def tiered(
    table: NameTable,
    primary: Iterable[str],
    fallback: Iterable[str],
    settings: Names,
    *,
    eligible: Sequence[bool] | Flags | None = None,
) -> dict[int, Tier]:
    """Return the rows found with their tiers, best first. `eligible` restricts the rows.

    Within a tier, rows are ordered by the number of keywords that find them (more first), then by
    the number of rows of their most selective keyword, then by the position of this keyword, then
    by the length of the name, then by row.
    """
    search = _Search(table, settings, eligible)
    named, words = _folded(primary), _folded(fallback)
    search.by_name(named)
    if len(search.found) < settings.fallback_below:
        search.by_name(words)
    search.loosely(list(dict.fromkeys([*named, *words])))
    return search.found


class _Search:
    """The state of one search through the tiers."""

    def __init__(
        self, table: NameTable, settings: Names, eligible: Sequence[bool] | Flags | None
    ) -> None:
        self._table = table
        self._settings = settings
        self._eligible = eligible
        self.found: dict[int, Tier] = {}

    def by_name(self, keywords: Sequence[str]) -> None:
        """Add the hits of the exact and the prefix tier."""
        self._add("exact", self._table.exact, keywords)
        if len(self.found) < self._settings.prefix_below:
            limit = self._settings.prefix_limit
            self._add("prefix", self._table.prefix, keywords, limit=limit)

    def loosely(self, keywords: Sequence[str]) -> None:
        """Add the hits of the substring and the path tier."""
        own = self._settings
        if len(self.found) < own.substring_below:
            long = [word for word in keywords if len(word) >= own.substring_letters]
            self._add("substring", self._table.substring, long, limit=own.substring_limit)
        if len(self.found) < own.path_below:
            long = [word for word in keywords if len(word) >= own.path_letters]
            self._add("path", self._table.path, long, limit=own.path_limit)

    def _add(
        self,
        tier: Tier,
        look_up: Callable[[str], list[int]],
        keywords: Sequence[str],
        *,
        limit: int | None = None,
    ) -> None:
        if tier not in self._settings.tiers:
            return
        finders: dict[int, list[tuple[int, int]]] = {}
        for number, keyword in enumerate(keywords):
            rows = self._allowed(look_up(keyword))
            for row in rows:
                finders.setdefault(row, []).append((len(rows), number))
        new = [row for row in finders if row not in self.found]
        size = self._table.size
        new.sort(key=lambda row: (-len(finders[row]), min(finders[row]), size(row), row))
        room = len(new) if limit is None else max(0, limit - len(self.found))
        self.found.update(dict.fromkeys(new[:room], tier))

    def _allowed(self, rows: list[int]) -> list[int]:
        eligible = self._eligible
        return rows if eligible is None else [row for row in rows if eligible[row]]


class NamesIndex:
    """The names of a repository and the chunks that declare them."""

    def __init__(
        self, symbols: Symbols, documents: Documents, chunks: Chunks, settings: Names
    ) -> None:
        paths = [documents.paths[document] for document in symbols.document.tolist()]
        self._table = NameTable(symbols.names, paths)
        self._settings = settings
        self._chunk, self._row = declared(symbols, chunks)
        self._sizes = (len(symbols), len(chunks))

    def scores(self, query: str) -> Floats:
        """Return 1, 1/2, 1/3 … for the chunks that declare the best, second, third … name."""
        primary = identifiers(query)
        found = tiered(self._table, primary, words_of(query), self._settings)
        of_row = np.zeros(self._sizes[0], np.float32)
        of_row[list(found)] = 1 / np.arange(1, len(found) + 1)
        scores = np.zeros(self._sizes[1], np.float32)
        np.maximum.at(scores, self._chunk, of_row[self._row])
        return scores


def words_of(query: str) -> tuple[str, ...]:
    """Return the words of a query that may be names or parts of names, longest first."""
    words = dict.fromkeys(tokenize(query, "identifier"))
    named = [word for word in words if len(word) >= _SHORTEST and word not in _NO_NAMES]
    return tuple(sorted(named, key=len, reverse=True))


def _folded(keywords: Iterable[str]) -> list[str]:
    dotted = (_SEPARATOR.sub(".", keyword).lower().strip(".") for keyword in keywords)
    return list(dict.fromkeys(keyword for keyword in dotted if keyword))


def _last(keyword: str) -> str:
    return keyword.rpartition(".")[2]


def _segments(path: str) -> set[str]:
    place = PurePosixPath(path.lower())
    return {*place.parts, place.stem}
