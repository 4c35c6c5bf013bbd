"""The symbols of a repository: what it defines, by qualified name, and where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from retrievers.interface import Documents
from retrievers.source.parsing import Definition, Parsing, ParsingLimits
from retrievers.source.registry import language_of, module_name

Integers = np.ndarray[Any, np.dtype[np.int32]]

CODE_KINDS = ("class", "function", "method", "overload")
"""Kinds that other code can stand in; `variable` and `type` only name something."""

_DEEPEST = 100
_LONGEST_NAME = 500


def _none() -> Integers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Symbols:
    """The definitions of a repository, in the order of its documents and of their offsets.

    A name that a file defines several times (a property's getter and setter, the signatures of
    an overload, the branches of an `if`) has a row each time. An `overload` is a signature
    that another definition implements.
    """

    names: tuple[str, ...]
    """The path without its extension and the names it is nested in, dotted."""
    kinds: tuple[str, ...]
    document: Integers
    start_line: Integers
    end_line: Integers
    start_byte: Integers
    end_byte: Integers
    parent: Integers
    """The row of the definition around it, or -1."""
    unparsed: Integers = field(default_factory=_none)
    """Documents of a known language that were too much for the parser."""

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    kind: str
    document: int
    start: int
    end: int
    parent: int
    depth: int


def find_symbols(documents: Documents, *, limits: ParsingLimits | None = None) -> Symbols:
    """Return what the documents define; those in no known language define nothing."""
    rows: list[_Row] = []
    unparsed: list[int] = []
    with Parsing(limits or ParsingLimits()) as parsing:
        for document, path in enumerate(documents.paths):
            language = language_of(path)
            if language is None:
                continue
            found = parsing.definitions(language, _source(documents, document))
            if found is None:
                unparsed.append(document)
            else:
                _nest(found, document, module_name(path), rows)
    return _symbols(documents, rows, unparsed)


def _source(documents: Documents, document: int) -> bytes:
    end = int(documents.ends[document])
    return documents.content[end - documents.size(document) : end].tobytes()


def _nest(found: Iterable[Definition], document: int, module: str, rows: list[_Row]) -> None:
    """Add a document's definitions to `rows`, each named after those around it."""
    around: list[int] = []
    for one in sorted(found, key=lambda one: (one.start_byte, -one.end_byte, one.name)):
        while around and rows[around[-1]].end < one.end_byte:
            around.pop()
        parent = around[-1] if around else -1
        depth = rows[parent].depth + 1 if around else 0
        # Nothing real is nested so deeply; names of things that are would fill the memory.
        if not one.name or len(one.name) > _LONGEST_NAME or depth > _DEEPEST:
            continue
        rows.append(_row(one, document, rows[parent] if around else None, module, parent))
        if one.kind in CODE_KINDS:
            around.append(len(rows) - 1)


def _row(one: Definition, document: int, around: _Row | None, module: str, parent: int) -> _Row:
    before = around.name if around else module
    in_class = around is not None and around.kind == "class"
    return _Row(
        name=f"{before}.{one.name}" if before else one.name,
        kind="method" if in_class and one.kind == "function" else one.kind,
        document=document,
        start=one.start_byte,
        end=one.end_byte,
        parent=parent,
        depth=around.depth + 1 if around else 0,
    )


def _symbols(documents: Documents, rows: Sequence[_Row], unparsed: Sequence[int]) -> Symbols:
    document = np.array([row.document for row in rows], np.int32)
    start = np.array([row.start for row in rows], np.int32)
    end = np.array([row.end for row in rows], np.int32)
    return Symbols(
        names=tuple(row.name for row in rows),
        kinds=tuple(row.kind for row in rows),
        document=document,
        start_line=_lines(documents, document, start),
        end_line=_lines(documents, document, end - 1),
        start_byte=start,
        end_byte=end,
        parent=np.array([row.parent for row in rows], np.int32),
        unparsed=np.array(unparsed, np.int32),
    )


def _lines(documents: Documents, document: Integers, offset: Integers) -> Integers:
    """Return the line, counted from 1, that holds each byte offset."""
    lines = np.zeros(len(document), np.int32)
    edges = [0, *(np.flatnonzero(np.diff(document)) + 1).tolist(), len(document)]
    for first, last in pairwise(edges):
        if first == last:
            continue
        starts = documents.line_starts(int(document[first]))
        lines[first:last] = np.searchsorted(starts, offset[first:last], side="right")
    return lines
