"""The texts of each symbol, as columns of a full-text index and as counts of words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.interface import Documents, Integers
from retrievers.lexical.fields import FieldTexts, Splitter, concepts
from retrievers.lexical.full_text import FullTextTable
from retrievers.lexical.postings import Postings, count_words, grouped
from retrievers.lexical.tokenizers import TokenizerName
from retrievers.source import module_name


@dataclass(frozen=True)
class SeedWords:
    """The number of each word in each symbol and in each file's symbols."""

    of_symbols: Postings
    of_files: Postings


@dataclass(frozen=True)
class SeedTexts:
    """The indexes of words that the channels search."""

    tokenizer: TokenizerName
    words: SeedWords
    table: FullTextTable

    @classmethod
    def of(cls, graph: CodeGraph, texts: FieldTexts, columns: Sequence[str]) -> "SeedTexts":
        """Return the word counts and a full-text table with these columns."""
        table = FullTextTable.of({name: texts.columns[name] for name in columns})
        of_symbols = count_words(counted_texts(texts), "plain")
        words = SeedWords(of_symbols, grouped(of_symbols, files_of(graph)))
        return cls(texts.tokenizer, words, table)


def counted_texts(texts: FieldTexts, rows: slice = slice(None)) -> Iterator[str]:
    """Yield the words of each symbol's name, path and body.

    The tokenizer has split the words already, so the `plain` tokenizer does not change them.
    """
    columns = (texts.qualified_name[rows], texts.path[rows], texts.body[rows])
    return (" ".join(parts) for parts in zip(*columns, strict=True))


def files_of(graph: CodeGraph) -> Integers:
    """Return the document of each symbol."""
    return graph.document[: graph.symbol_count].astype(np.int64)


def symbol_texts(
    graph: CodeGraph,
    documents: Documents,
    tokenizer: TokenizerName = "stemmed",
    *,
    nodes: Sequence[int] | None = None,
) -> FieldTexts:
    """Return the columns of every symbol. Its body excludes the lines of symbols inside it.

    `nodes` limits the result to these symbols: all symbols of some documents, in order.
    """
    nodes, split = range(graph.symbol_count) if nodes is None else nodes, Splitter(tokenizer)
    names, paths = [graph.names[node] for node in nodes], [graph.path(node) for node in nodes]
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
        signature=words(graph.signatures[node] for node in nodes),
        path=words(paths),
        doc=words(graph.docs[node] for node in nodes),
        body=words(own_lines(graph, documents, nodes)),
    )


def own_lines(
    graph: CodeGraph, documents: Documents, nodes: Sequence[int] | None = None
) -> list[str]:
    """Return the text of each symbol without the lines of symbols inside it.

    `nodes` limits the result to these symbols: all symbols of some documents, in order.
    """
    own: dict[int, list[str]] = {}
    of_document: dict[int, list[int]] = {}
    for node in range(graph.symbol_count) if nodes is None else nodes:
        own[node] = []
        of_document.setdefault(int(graph.document[node]), []).append(node)
    for document, inside in of_document.items():
        lines = documents.text(document).split("\n")
        owners = _owners(graph, inside, len(lines))
        for line, owner in zip(lines, owners, strict=True):
            if owner >= 0:
                own[owner].append(line)
    return ["\n".join(lines) for lines in own.values()]


def _owners(graph: CodeGraph, nodes: list[int], lines: int) -> list[int]:
    """Return the innermost symbol of each line, or -1. Inner symbols come later in `nodes`."""
    owners = [-1] * lines
    for node in nodes:
        start, end = int(graph.start_line[node]) - 1, int(graph.end_line[node])
        owners[start:end] = [node] * (min(end, lines) - start)
    return owners
