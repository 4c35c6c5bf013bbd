"""Texts in columns, searched by SQLite's FTS5 and weighed column by column with its BM25.

FTS5 fixes k1 at 1.2 and b at 0.75, and a word that more than half of the texts have counts next
to nothing. The table lives in memory. Its bytes can be stored: filling the table again takes a
hundred times as long as opening them.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.errors import LexicalError
from retrievers.interface import Floats

_TOKENIZER = "unicode61 remove_diacritics 0 tokenchars '_-'"
"""Words come split already; these marks belong to names that are kept whole."""

_FOUND = np.dtype([("row", np.int64), ("score", np.float64)])


@dataclass(frozen=True)
class FullTextTable:
    """A filled table as bytes."""

    columns: tuple[str, ...]
    size: int
    content: np.ndarray[Any, np.dtype[np.uint8]]
    """The database; empty where there are no columns."""

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[str]]) -> "FullTextTable":
        """Return the table of texts with several columns each."""
        size = max((len(texts) for texts in columns.values()), default=0)
        content = _filled(columns).serialize() if columns else b""
        return cls(tuple(columns), size, np.frombuffer(content, np.uint8))

    def open(self) -> sqlite3.Connection | None:
        """Return the database in memory, or None where there is nothing to search."""
        if not self.columns:
            return None
        database = _connected()
        database.deserialize(self.content.tobytes())
        return database


class FullText:
    """Texts with several columns each; a column of weight zero is not searched."""

    def __init__(self, columns: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> None:
        self.columns = tuple(name for name in columns if weights[name] > 0)
        self._weights = tuple(weights[name] for name in self.columns)
        self._size = max((len(texts) for texts in columns.values()), default=0)
        searched = {name: columns[name] for name in self.columns}
        self._table = _filled(searched) if searched else None

    @classmethod
    def opened(cls, table: FullTextTable, weights: Mapping[str, float]) -> "FullText":
        """Return a stored table, ready to be searched with weights for its columns."""
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
        # What is interpolated is question marks only.
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
    """Return the expression for words side by side."""
    text = " ".join(words).replace('"', '""')
    return f'"{text}"'


def prefix(word: str) -> str:
    """Return the expression for words that begin so."""
    return phrase([word]) + " *"


def in_column(column: str, expression: str) -> str:
    """Return the expression for a match in one column."""
    return f"{column} : ({expression})"


def any_of(expressions: Iterable[str]) -> str:
    """Return the expression for any of these, each counted once."""
    return " OR ".join(dict.fromkeys(expressions))


def all_of(expressions: Iterable[str]) -> str:
    """Return the expression for all of these."""
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
    # The names are those that the table has just been made with.
    insert = f"INSERT INTO texts(rowid, {named}) VALUES ({places})"  # noqa: S608
    rows = enumerate(zip(*columns.values(), strict=True))
    table.execute("BEGIN")
    table.executemany(insert, ((number, *map(_storable, row)) for number, row in rows))
    table.execute("COMMIT")
    return table


def _connected() -> sqlite3.Connection:
    # Read by whichever thread asks: SQLite itself takes care of that.
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


def _storable(text: str) -> str:
    """Return a text without what UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
