"""Texts with several columns, searched and scored by SQLite's FTS5 with a weight per column.

FTS5 fixes k1 at 1.2 and b at 0.75, and a word in more than half of the texts counts almost
nothing. The table is in memory. Its bytes can be stored: filling a table takes a hundred times as
long as opening a stored one.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.errors import LexicalError
from retrievers.interface import Floats

_TOKENIZER = "unicode61 remove_diacritics 0 tokenchars '_-'"
"""The words are already split. `_` and `-` are part of names that are kept whole."""

_FOUND = np.dtype([("row", np.int64), ("score", np.float64)])


@dataclass(frozen=True)
class FullTextTable:
    """A filled table as bytes."""

    columns: tuple[str, ...]
    size: int
    content: np.ndarray[Any, np.dtype[np.uint8]]
    """The serialized database; empty without columns."""

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[str]]) -> "FullTextTable":
        """Return a table with one row per text."""
        size = max((len(texts) for texts in columns.values()), default=0)
        content = _filled(columns).serialize() if columns else b""
        return cls(tuple(columns), size, np.frombuffer(content, np.uint8))

    def open(self) -> sqlite3.Connection | None:
        """Return the database in memory, or None without columns."""
        if not self.columns:
            return None
        database = _connected()
        database.deserialize(self.content.tobytes())
        return database


class FullText:
    """A table of texts with a weight per column. A column with weight 0 is not searched."""

    def __init__(self, columns: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> None:
        self.columns = tuple(name for name in columns if weights[name] > 0)
        self._weights = tuple(weights[name] for name in self.columns)
        self._size = max((len(texts) for texts in columns.values()), default=0)
        searched = {name: columns[name] for name in self.columns}
        self._table = _filled(searched) if searched else None

    @classmethod
    def opened(cls, table: FullTextTable, weights: Mapping[str, float]) -> "FullText":
        """Return an index over a stored table. Each of its columns needs a weight."""
        found = cls({}, {})
        found.columns, found._size = table.columns, table.size
        found._weights = tuple(weights[name] for name in table.columns)
        found._table = table.open()
        return found

    def __len__(self) -> int:
        return self._size

    def scores(self, expression: str) -> Floats:
        """Return the score of every text for an FTS5 expression; zero means no match."""
        scores = np.zeros(self._size, np.float32)
        if self._table is None or not expression:
            return scores
        weights = ", ".join("?" * len(self._weights))
        # Only question marks are interpolated.
        query = f"SELECT rowid, -bm25(texts, {weights}) FROM texts WHERE texts MATCH ?"  # noqa: S608
        rows = self._table.execute(query, (*self._weights, _storable(expression)))
        found = np.fromiter(rows, _FOUND)
        scores[found["row"]] = found["score"]
        return scores

    def has(self, expression: str) -> bool:
        """Whether any text matches an FTS5 expression."""
        if self._table is None or not expression:
            return False
        query = "SELECT 1 FROM texts WHERE texts MATCH ? LIMIT 1"
        return self._table.execute(query, (_storable(expression),)).fetchone() is not None


def phrase(words: Iterable[str]) -> str:
    """Return the FTS5 expression for words in a row."""
    text = " ".join(words).replace('"', '""')
    return f'"{text}"'


def prefix(word: str) -> str:
    """Return the FTS5 expression for words with this prefix."""
    return phrase([word]) + " *"


def in_column(column: str, expression: str) -> str:
    """Return the FTS5 expression for a match in one column."""
    return f"{column} : ({expression})"


def any_of(expressions: Iterable[str]) -> str:
    """Return the FTS5 expression that matches any of these. Repeated expressions count once."""
    return " OR ".join(dict.fromkeys(expressions))


def all_of(expressions: Iterable[str]) -> str:
    """Return the FTS5 expression that matches all of these."""
    return " AND ".join(dict.fromkeys(expressions))


def _filled(columns: Mapping[str, Sequence[str]]) -> sqlite3.Connection:
    table = _connected()
    named = ", ".join(columns)
    try:
        table.execute(
            f'CREATE VIRTUAL TABLE texts USING fts5({named}, content="", tokenize="{_TOKENIZER}")'
        )
    except sqlite3.OperationalError as error:
        message = (
            f"the full text index cannot be made: {error}; "
            "use a Python whose SQLite was built with FTS5"
        )
        raise LexicalError(message) from error
    places = ", ".join("?" * (1 + len(columns)))
    # The names of the columns were accepted when the table was created.
    insert = f"INSERT INTO texts(rowid, {named}) VALUES ({places})"  # noqa: S608
    rows = enumerate(zip(*columns.values(), strict=True))
    table.execute("BEGIN")
    table.executemany(insert, ((number, *map(_storable, row)) for number, row in rows))
    table.execute("COMMIT")
    return table


def _connected() -> sqlite3.Connection:
    # Any thread may read the table: SQLite serialises access by itself.
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


def _storable(text: str) -> str:
    """Return a text with lone surrogates replaced, since SQLite stores UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
