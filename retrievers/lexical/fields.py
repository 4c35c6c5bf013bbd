"""Search in fields: a word counts more in a symbol's name than in a body.

The columns and their weights come from a symbol search over knowledge graphs. Here they are filled
from the definitions that a chunk declares and from its text. Names, signatures and docs outside of
the chunk are not read. The names of the definitions around a chunk are in its text if
`chunker.header` adds them.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, ClassVar

import numpy as np

from retrievers.errors import LexicalError
from retrievers.interface import (
    CHUNKS,
    DOCUMENTS,
    Chunks,
    Derived,
    Documents,
    Floats,
    IndexRetriever,
    Input,
    ReadInput,
)
from retrievers.lexical.full_text import FullText, any_of, phrase
from retrievers.lexical.placing import declared_in_each
from retrievers.lexical.query_words import query_words
from retrievers.lexical.tokenizers import TokenizerName, tokenizer_named
from retrievers.source import SYMBOLS, Symbols

COLUMNS = ("symbol_name", "concepts", "qualified_name", "signature", "path", "doc", "body")


@dataclass(frozen=True)
class Fields(IndexRetriever):
    """The weight of a word in each column. A column with weight 0 is not searched."""

    algorithm_version: ClassVar[int] = 2

    tokenizer: TokenizerName = "identifier"
    symbol_name: float = 10.0
    concepts: float = 5.0
    """The names of the file (without its extension) and of its folder."""
    qualified_name: float = 3.0
    signature: float = 1.0
    path: float = 4.0
    doc: float = 3.0
    body: float = 1.0

    def __post_init__(self) -> None:
        """Raise an error for names and values that are not allowed."""
        tokenizer_named(self.tokenizer)
        for column, weight in self.weights.items():
            if not 0 <= weight < math.inf:
                raise LexicalError(f"{column}={weight} is not a weight; use 0 or more")
        if not any(self.weights.values()):
            raise LexicalError("every column has weight 0; give at least one column a weight")

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each column."""
        return {column: getattr(self, column) for column in COLUMNS}

    @property
    def searched(self) -> tuple[str, ...]:
        """The columns whose weight is above zero."""
        return tuple(column for column, weight in self.weights.items() if weight > 0)

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The words of the columns."""
        return (ChunkFields(self.tokenizer),)

    def index(self, read: ReadInput, /) -> "FieldsIndex":
        """Return an index with the columns in a full-text table."""
        return FieldsIndex(read(ChunkFields(self.tokenizer)), self)


@dataclass(frozen=True)
class FieldTexts:
    """The words of each column, one text per chunk."""

    tokenizer: TokenizerName
    symbol_name: tuple[str, ...]
    concepts: tuple[str, ...]
    qualified_name: tuple[str, ...]
    signature: tuple[str, ...]
    path: tuple[str, ...]
    doc: tuple[str, ...]
    body: tuple[str, ...]

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The texts of each column."""
        return {column: getattr(self, column) for column in COLUMNS}


@dataclass(frozen=True)
class ChunkFields(Derived[FieldTexts]):
    """The words of the columns of each chunk. They do not depend on the weights of the columns."""

    algorithm_version: ClassVar[int] = 2

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks and their definitions."""
        return DOCUMENTS, CHUNKS, SYMBOLS

    @property
    def record(self) -> type[FieldTexts]:
        """The columns."""
        return FieldTexts

    def make(self, read: ReadInput, /) -> FieldTexts:
        """Split the columns of each chunk into words."""
        return field_texts(read(DOCUMENTS), read(CHUNKS), read(SYMBOLS), self.tokenizer)


def field_texts(
    documents: Documents, chunks: Chunks, symbols: Symbols, tokenizer: TokenizerName
) -> FieldTexts:
    """Return the words of each chunk's columns."""
    rows = declared_in_each(symbols, chunks)
    paths = [documents.paths[document] for document in chunks.document.tolist()]
    names = [own_name(symbols, row) for row in range(len(symbols))]
    qualified = [qualified_name(symbols, row) for row in range(len(symbols))]
    split = Splitter(tokenizer)

    def words(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(split.text, texts))

    def of_definitions(texts: Sequence[str], start: Any, end: Any) -> tuple[str, ...]:
        """Return the words of the texts whose start and end are inside their chunk."""
        return words(
            "\n".join(texts[row] for row in own if first <= start[row] and end[row] <= last)
            for own, first, last in zip(
                rows, chunks.start_byte.tolist(), chunks.end_byte.tolist(), strict=True
            )
        )

    named = (symbols.declared_byte, symbols.named_byte)
    return FieldTexts(
        tokenizer=tokenizer,
        symbol_name=of_definitions(names, *named),
        concepts=words(map(concepts, paths)),
        qualified_name=of_definitions(qualified, *named),
        signature=of_definitions(symbols.signatures, symbols.declared_byte, symbols.signature_end),
        path=words(paths),
        doc=of_definitions(symbols.docs, symbols.doc_start, symbols.doc_end),
        body=words(chunks.all_shown(documents)),
    )


class Splitter(dict[str, str]):
    """Replaces texts by their tokens. The tokens of each word are computed once."""

    def __init__(self, tokenizer: TokenizerName) -> None:
        super().__init__()
        self._tokenizer = tokenizer_named(tokenizer)

    def __missing__(self, word: str) -> str:
        tokens = self[word] = " ".join(self._tokenizer.expand(word))
        return tokens

    def text(self, text: str) -> str:
        """Return the tokens of a text, separated by blanks."""
        return " ".join(map(self.__getitem__, self._tokenizer.find(text)))


def own_name(symbols: Symbols, row: int) -> str:
    """Return the part of a definition's name that its declaration has: `method`, `Type.method`."""
    return ".".join(symbols.names[row].split(".")[-int(symbols.own_parts[row]) :])


def qualified_name(symbols: Symbols, row: int) -> str:
    """Return the part of a definition's name from its path, and the part from its declaration."""
    path = symbols.names[row].split(".")[: int(symbols.path_parts[row])]
    return ".".join([*path, own_name(symbols, row)])


def concepts(path: str) -> str:
    """Return the name of the folder and the name of the file without its extension."""
    place = PurePosixPath(path)
    return f"{place.parent.name} {place.stem}"


class FieldsIndex:
    """The columns of a repository's chunks in a full-text table."""

    def __init__(self, texts: FieldTexts, settings: Fields) -> None:
        if texts.tokenizer != settings.tokenizer:
            message = (
                f"tokenizer={settings.tokenizer}: these columns were split with "
                f"{texts.tokenizer}; split them again"
            )
            raise LexicalError(message)
        self._tokenizer = settings.tokenizer
        self._table = FullText(texts.columns, settings.weights)

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; zero without any word of the query."""
        # One search per distinct weight: an FTS5 expression cannot weigh its words.
        of_weight: dict[float, list[str]] = {}
        for word, weight in query_words(query, self._tokenizer, "parts").items():
            of_weight.setdefault(weight, []).append(word)
        scores = self._table.scores("")
        for weight, words in of_weight.items():
            scores += np.float32(weight) * self._table.scores(
                any_of(phrase([word]) for word in words)
            )
        return scores
