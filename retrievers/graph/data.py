"""Data of the graph: nodes, edges and the words of the symbols.

Settings that only change weights share this data. For the next commit, the words of symbols in
unchanged documents are reused.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding import counted_texts, files_of, symbol_texts
from retrievers.interface import DOCUMENTS, TOKENS, Before, Derived, Input, ReadInput
from retrievers.lexical import COLUMNS, FieldTexts, TokenizerName, count_words
from retrievers.lexical.chunk_words import ChunkWords
from retrievers.lexical.full_text import FullTextTable
from retrievers.lexical.postings import grouped
from retrievers.source import EDGE_KINDS, EDGES, PROVENANCES, SYMBOLS
from retrievers.unchanged import Run, Splice, runs, starts_of

_LINES = ("names", "signatures", "docs", "start_line", "end_line")
_COUNTED = ("qualified_name", "path", "body")


@dataclass(frozen=True)
class RepositoryGraph(Derived[CodeGraph]):
    """The compact graph of symbols, files and edges. All settings of a graph share it."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The documents with their symbols, edges and tokens."""
        return DOCUMENTS, SYMBOLS, EDGES, TOKENS

    @property
    def record(self) -> type[CodeGraph]:
        """The graph as arrays."""
        return CodeGraph

    def make(self, read: ReadInput, /) -> CodeGraph:
        """Build the graph."""
        made_of = (read(DOCUMENTS), read(SYMBOLS), read(EDGES), read(TOKENS))
        return CodeGraph.of(*made_of, edge_kinds=EDGE_KINDS, provenances=PROVENANCES)

    def counts(self, made: CodeGraph, /) -> Mapping[str, int]:
        """Return the size of the graph."""
        return {"nodes": len(made), "edges": len(made.edge_kind)}


@dataclass(frozen=True)
class SymbolFields(Derived[FieldTexts]):
    """The words of each symbol's columns. All weights of the columns share them."""

    is_updated: ClassVar[bool] = True

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The symbols, and the text of their lines."""
        return DOCUMENTS, RepositoryGraph()

    @property
    def record(self) -> type[FieldTexts]:
        """The columns."""
        return FieldTexts

    def make(self, read: ReadInput, /) -> FieldTexts:
        """Split each symbol's columns into words."""
        return symbol_texts(read(RepositoryGraph()), read(DOCUMENTS), self.tokenizer)

    def updated(self, read: ReadInput, before: Before[FieldTexts], /) -> FieldTexts:
        """Split the columns of the symbols in changed documents, and reuse the others."""
        graph, then = read(RepositoryGraph()), before.read(RepositoryGraph())
        trees = _Trees.of(read, before)
        found = trees.runs(lambda run: _are_equal(graph, then, trees.rows(run), _LINES))
        nodes = [node for rows in trees.new(found) for node in range(rows.start, rows.stop)]
        new = symbol_texts(graph, read(DOCUMENTS), self.tokenizer, nodes=nodes)
        splice, columns = trees.splice(found), before.data.columns
        texts = {name: splice.texts(columns[name], new.columns[name]) for name in COLUMNS}
        return FieldTexts(self.tokenizer, **texts)


@dataclass(frozen=True)
class SymbolWords(Derived[ChunkWords]):
    """The number of each word in each symbol. All values of k1 and b share them."""

    is_updated: ClassVar[bool] = True

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The columns' words, and the file of each symbol."""
        return DOCUMENTS, RepositoryGraph(), SymbolFields(self.tokenizer)

    @property
    def record(self) -> type[ChunkWords]:
        """The words by symbol."""
        return ChunkWords

    def make(self, read: ReadInput, /) -> ChunkWords:
        """Count the words."""
        texts = counted_texts(read(SymbolFields(self.tokenizer)))
        return ChunkWords.of(count_words(texts, "plain"))

    def updated(self, read: ReadInput, before: Before[ChunkWords], /) -> ChunkWords:
        """Count the words of the symbols in changed documents, and reuse the other counts."""
        wanted = SymbolFields(self.tokenizer)
        fields, then, trees = read(wanted), before.read(wanted), _Trees.of(read, before)
        found = trees.runs(lambda run: _are_equal(fields, then, trees.rows(run), _COUNTED))
        new = (text for rows in trees.new(found) for text in counted_texts(fields, rows))
        words = ChunkWords.of(count_words(new, "plain"))
        return before.data.spliced(trees.splice(found), words)


@dataclass(frozen=True)
class FileWords(Derived[ChunkWords]):
    """The number of each word in each file's symbols, up to the last file with symbols."""

    is_updated: ClassVar[bool] = True

    tokenizer: TokenizerName

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The words of the symbols, and the file of each symbol."""
        words = (SymbolFields(self.tokenizer), SymbolWords(self.tokenizer))
        return DOCUMENTS, RepositoryGraph(), *words

    @property
    def record(self) -> type[ChunkWords]:
        """The words by file."""
        return ChunkWords

    def make(self, read: ReadInput, /) -> ChunkWords:
        """Add up the words of each file's symbols."""
        words = read(SymbolWords(self.tokenizer)).postings
        return ChunkWords.of(grouped(words, files_of(read(RepositoryGraph()))))

    def updated(self, read: ReadInput, before: Before[ChunkWords], /) -> ChunkWords:
        """Count the words of the changed files, and reuse the other counts."""
        wanted = SymbolFields(self.tokenizer)
        fields, then, trees = read(wanted), before.read(wanted), _Trees.of(read, before)
        starts, past = (_file_starts(rows) for rows in (trees.starts, trees.starts_before))

        def agree(run: Run) -> bool:
            count = starts[run.stop] - starts[run.first]
            rows = trees.rows(run)
            has_rows = count == past[run.before_stop] - past[run.before]
            return bool(has_rows) and _are_equal(fields, then, rows, _COUNTED)

        found = trees.runs(agree)
        new = [
            " ".join(counted_texts(fields, slice(*trees.starts[file : file + 2])))
            for run in found
            if not run.is_kept
            for file in range(run.first, run.stop)
            if starts[file] < starts[file + 1]
        ]
        words = ChunkWords.of(count_words(new, "plain"))
        return before.data.spliced(Splice.of(found, starts, past), words)


@dataclass(frozen=True)
class SymbolTable(Derived[FullTextTable]):
    """The full-text index of some columns of the symbols. All weights of the columns share it."""

    tokenizer: TokenizerName
    columns: tuple[str, ...]

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The columns' words."""
        return (SymbolFields(self.tokenizer),)

    @property
    def record(self) -> type[FullTextTable]:
        """The table as bytes."""
        return FullTextTable

    def make(self, read: ReadInput, /) -> FullTextTable:
        """Fill the table."""
        texts = read(SymbolFields(self.tokenizer)).columns
        return FullTextTable.of({name: texts[name] for name in self.columns})


@dataclass(frozen=True)
class _Trees:
    """The documents of two commits, with the row of each document's first symbol."""

    read: ReadInput
    before: Before[Any]
    starts: np.ndarray[Any, Any]
    starts_before: np.ndarray[Any, Any]

    @classmethod
    def of(cls, read: ReadInput, before: Before[Any]) -> "_Trees":
        graphs = (read(RepositoryGraph()), before.read(RepositoryGraph()))
        starts = (starts_of(files_of(graph), len(graph.files)) for graph in graphs)
        return cls(read, before, *starts)

    def runs(self, agrees: Callable[[Run], bool]) -> list[Run]:
        """Return the documents as runs. Unchanged runs that agree are kept."""
        return runs(self.read(DOCUMENTS), self.before.read(DOCUMENTS), agrees=agrees)

    def rows(self, run: Run) -> tuple[slice, slice]:
        """Return the rows of the symbols of a kept run, now and before."""
        own = self.starts[[run.first, run.stop]].tolist()
        past = self.starts_before[[run.before, run.before_stop]].tolist()
        return slice(*own), slice(*past)

    def new(self, found: list[Run]) -> list[slice]:
        """Return the rows of the symbols in runs that are not kept."""
        places = (self.starts[[run.first, run.stop]] for run in found if not run.is_kept)
        return [slice(int(first), int(stop)) for first, stop in places]

    def splice(self, found: list[Run]) -> Splice:
        """Return the splice of tables with a row per symbol."""
        return Splice.of(found, self.starts, self.starts_before)


def _are_equal(now: Any, before: Any, rows: tuple[slice, slice], names: tuple[str, ...]) -> bool:
    """Tell whether the columns `names` are equal in two ranges of rows."""
    own, past = rows
    for name in names:
        mine, theirs = getattr(now, name)[own], getattr(before, name)[past]
        if not (mine == theirs if isinstance(mine, tuple) else np.array_equal(mine, theirs)):
            return False
    return True


def _file_starts(starts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the first row of each file in a table that ends with the last file with symbols."""
    last = int(np.searchsorted(starts, starts[-1]))
    return np.minimum(np.arange(len(starts)), last)
