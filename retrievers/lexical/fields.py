"""Search in fields: a word counts more in a symbol's name than in a body.

The columns and their weights are those that a symbol search over knowledge graphs found good;
here they are filled from whatever definitions a chunk declares, and from its own text: names,
signatures and docs that are outside of it are not read. The names of the definitions around a
chunk are in its text where `chunker.header` puts them there.
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
    """What a word counts in each column; a column of weight 0 is not searched."""

    algorithm_version: ClassVar[int] = 2

    tokenizer: TokenizerName = "identifier"
    symbol_name: float = 10.0
    concepts: float = 5.0
    """The names of the file and of its folder."""
    qualified_name: float = 3.0
    signature: float = 1.0
    path: float = 4.0
    doc: float = 3.0
    body: float = 1.0

    def __post_init__(self) -> None:
        """Refuse names and values that are not allowed."""
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
        """Put the columns into a table."""
        return FieldsIndex(read(ChunkFields(self.tokenizer)), self)


@dataclass(frozen=True)
class FieldTexts:
    """The words of each column, one text a chunk."""

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
    """The words of each chunk's columns: shared by all weights of the columns."""

    algorithm_version: ClassVar[int] = 2

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks, and what they define."""
        return DOCUMENTS, CHUNKS, SYMBOLS

    @property
    def record(self) -> type[FieldTexts]:
        """The columns."""
        return FieldTexts

    def make(self, read: ReadInput, /) -> FieldTexts:
        """Split each chunk's columns into words."""
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
        """Return the words of texts of definitions; each has a start and an end."""
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
    """Writes texts as their tokens; each word is taken apart when it is first seen."""

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
    """Return a definition's name as its declaration tells it: `method`, `Type.method`."""
    return ".".join(symbols.names[row].split(".")[-int(symbols.own_parts[row]) :])


def qualified_name(symbols: Symbols, row: int) -> str:
    """Return a definition's name as its path and its declaration tell it."""
    path = symbols.names[row].split(".")[: int(symbols.path_parts[row])]
    return ".".join([*path, own_name(symbols, row)])


def concepts(path: str) -> str:
    """Return what a path says its file is about: the names of its folder and of itself."""
    place = PurePosixPath(path)
    return f"{place.parent.name} {place.stem}"


class FieldsIndex:
    """Chunks, ready to be scored by their columns."""

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
        """Return the score of every chunk; zero has none of the query's words."""
        of_weight: dict[float, list[str]] = {}
        for word, weight in query_words(query, self._tokenizer, "parts").items():
            of_weight.setdefault(weight, []).append(word)
        scores = self._table.scores("")
        for weight, words in of_weight.items():
            scores += np.float32(weight) * self._table.scores(
                any_of(phrase([word]) for word in words)
            )
        return scores
