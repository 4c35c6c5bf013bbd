"""The texts of each symbol, as columns of a full-text index and as counts of words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.interface import Documents, Integers
from retrievers.lexical.fields import FieldTexts, Splitter, concepts
from retrievers.lexical.full_text import FullTextTable
from retrievers.lexical.postings import Postings, count_words, grouped
from retrievers.lexical.tokenizers import TokenizerName
from retrievers.source import module_name

_Counts = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class WordCounts:
    """The number of occurrences of each word in each symbol, and in the symbols of each file."""

    vocabulary: tuple[str, ...]
    symbol_stops: Integers
    symbol: _Counts
    symbol_frequency: _Counts
    symbol_lengths: _Counts
    file_stops: Integers
    file: _Counts
    file_frequency: _Counts
    file_lengths: _Counts

    @classmethod
    def of(cls, graph: CodeGraph, texts: FieldTexts) -> "WordCounts":
        """Count the words of the names, paths and bodies."""
        columns = (texts.qualified_name, texts.path, texts.body)
        # The words are already split, so the plain tokenizer only separates them at blanks.
        own = count_words((" ".join(parts) for parts in zip(*columns, strict=True)), "plain")
        files = grouped(own, graph.document[: graph.symbol_count].astype(np.int64))
        return cls(own.vocabulary, *_arrays(own), *_arrays(files))

    @property
    def of_symbols(self) -> Postings:
        """The postings of the symbols."""
        counts = (self.symbol_stops, self.symbol, self.symbol_frequency, self.symbol_lengths)
        return Postings("plain", self.vocabulary, *counts)

    @property
    def of_files(self) -> Postings:
        """The postings of the files."""
        counts = (self.file_stops, self.file, self.file_frequency, self.file_lengths)
        return Postings("plain", self.vocabulary, *counts)


def _arrays(postings: Postings) -> tuple[Integers, _Counts, _Counts, _Counts]:
    return postings.stops, postings.chunk, postings.frequency, postings.lengths


@dataclass(frozen=True)
class SeedTexts:
    """The indexes of words that the channels search."""

    tokenizer: TokenizerName
    words: WordCounts
    table: FullTextTable

    @classmethod
    def of(cls, graph: CodeGraph, texts: FieldTexts, columns: Sequence[str]) -> "SeedTexts":
        """Return the counts of the words, and a full-text table of these columns."""
        table = FullTextTable.of({name: texts.columns[name] for name in columns})
        return cls(texts.tokenizer, WordCounts.of(graph, texts), table)


def symbol_texts(
    graph: CodeGraph, documents: Documents, tokenizer: TokenizerName = "stemmed"
) -> FieldTexts:
    """Return the columns of every symbol. Its body excludes the lines of inner symbols."""
    count, split = graph.symbol_count, Splitter(tokenizer)
    names, paths = graph.names[:count], [graph.path(node) for node in range(count)]
    modules = {path: module_name(path) + "." for path in graph.files}

    def words(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(split.text, texts))

    return FieldTexts(
        tokenizer=tokenizer,
        symbol_name=words(
            name.removeprefix(modules[path]) for name, path in zip(names, paths, strict=True)
        ),
        concepts=words(map(concepts, paths)),
        qualified_name=words(names),
        signature=words(graph.signatures[:count]),
        path=words(paths),
        doc=words(graph.docs[:count]),
        body=words(own_lines(graph, documents)),
    )


def own_lines(graph: CodeGraph, documents: Documents) -> list[str]:
    """Return the text of each symbol without the lines of inner symbols."""
    own: list[list[str]] = [[] for _ in range(graph.symbol_count)]
    of_document: dict[int, list[int]] = {}
    for node in range(graph.symbol_count):
        of_document.setdefault(int(graph.document[node]), []).append(node)
    for document, nodes in of_document.items():
        lines = documents.text(document).split("\n")
        owners = _owners(graph, nodes, len(lines))
        for line, owner in zip(lines, owners, strict=True):
            if owner >= 0:
                own[owner].append(line)
    return ["\n".join(lines) for lines in own]


def _owners(graph: CodeGraph, nodes: list[int], lines: int) -> list[int]:
    """Return the innermost symbol of each line, or -1. Inner symbols come later in `nodes`."""
    owners = [-1] * lines
    for node in nodes:
        start, end = int(graph.start_line[node]) - 1, int(graph.end_line[node])
        owners[start:end] = [node] * (min(end, lines) - start)
    return owners
