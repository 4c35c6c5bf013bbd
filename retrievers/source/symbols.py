"""The symbols of a repository: its definitions, with qualified names and positions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from retrievers.interface import Documents, Input, Named
from retrievers.source.answers import Answers
from retrievers.source.nesting import Nesting, Row
from retrievers.source.parsing import Found, Parsing, ParsingLimits
from retrievers.source.patterns import find_by_patterns
from retrievers.source.registry import LANGUAGES, Language, language_of, languages, module_name
from retrievers.unchanged import Run, Splice, new_documents, runs, spliced_starts, starts_of

Integers = np.ndarray[Any, np.dtype[np.int32]]

CODE_KINDS = (
    "class",
    "interface",
    "struct",
    "enum",
    "trait",
    "module",
    "namespace",
    "function",
    "method",
    "constructor",
    "property",
    "macro",
    "overload",
)
"""Kinds with a body, which can contain other code."""

NAMING_KINDS = ("constant", "variable", "type", "field", "variant", "declaration")
"""Kinds without such a body. A `field` belongs to a type, a `variant` to an enumeration, and a
`declaration` announces a definition elsewhere, such as a prototype in C."""

MINOR_KINDS = ("constructor", "field", "variant", "declaration")
"""Kinds that often share a name with a more important definition, which the name alone refers
to: a constructor with its class, a declaration with its definition."""

VISIBILITIES = ("public", "protected", "internal", "private")
"""From most to least visible. `internal` means the package, crate or assembly."""


def _none() -> Integers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True)
class Symbols:
    """The definitions of a repository, in the order of its documents and of their offsets.

    A name that a file defines several times (a property's getter and setter, overloaded
    methods, the branches of an `if`) has several rows with different `occurrence`. An `overload`
    is a signature whose implementation is another definition.
    """

    names: tuple[str, ...]
    """Dotted qualified names: the path without its extension, outer names, and the name."""
    kinds: tuple[str, ...]
    signatures: tuple[str, ...]
    """Declarations up to the body, on one line, without attributes."""
    docs: tuple[str, ...]
    """Docstrings, or comments directly above, without their marks; often empty."""
    visibility: tuple[str, ...]
    document: Integers
    start_line: Integers
    """The first line, including attributes and the comment directly above."""
    end_line: Integers
    start_byte: Integers
    end_byte: Integers
    parent: Integers
    """The row of the definition around it, or -1."""
    occurrence: Integers
    """Number of earlier rows in the same document with the same name."""
    declared_byte: Integers
    """The start of the declaration, after attributes and the comment above."""
    named_byte: Integers
    """The end of the name in the declaration."""
    signature_end: Integers
    doc_start: Integers
    doc_end: Integers
    """The end of the doc; equal to its start without a doc."""
    path_parts: Integers
    """Number of the first parts of the name that come from the path."""
    own_parts: Integers
    """Number of the last parts of the name that come from the declaration. The parts between come
    from the definitions around it."""
    unparsed: Integers = field(default_factory=_none)
    """Documents of a known language that exceeded a limit of the parser."""

    def __len__(self) -> int:
        return len(self.names)


SYMBOLS: Input[Symbols] = Named("symbols")


def find_symbols(
    documents: Documents,
    *,
    limits: ParsingLimits | None = None,
    folder: Path = LANGUAGES,
    answers: Answers | None = None,
    before: tuple[Symbols, Documents] | None = None,
) -> Symbols:
    """Return the symbols of documents in the languages of `folder`.

    Documents whose parse is in `answers` are not parsed again. `before` has the symbols and the
    documents of an earlier tree. The symbols of unchanged documents are reused from there.
    """
    limits = limits or ParsingLimits()
    if before and not len(before[0].unparsed):
        kept = runs(documents, before[1])
        changed = new_documents(kept).tolist()
        with Parsing(limits, languages(folder), answers) as parsing:
            new = _symbols_in(documents, changed, parsing, folder)
        # The time that a document wastes may exclude later documents. The result then depends on
        # all documents, so that all of them have to be parsed.
        if not len(new.unparsed) and not parsing.has_wasted:
            return _spliced(kept, len(documents), before, new)
    with Parsing(limits, languages(folder), answers) as parsing:
        return _symbols_in(documents, range(len(documents)), parsing, folder)


def _symbols_in(
    documents: Documents, numbers: Iterable[int], parsing: Parsing, folder: Path
) -> Symbols:
    """Return the symbols of some documents."""
    rows: dict[int, tuple[Row, ...]] = {}
    unparsed: list[int] = []
    known = [(number, language_of(documents.paths[number], folder)) for number in numbers]
    ours = [(number, language) for number, language in known if language]
    parsed = ((one, documents.source(n)) for n, one in ours if not one.patterns)
    parsing.expect("definitions", parsed)
    for document, language in ours:
        source = documents.source(document)
        found = _found(parsing, language, source)
        if found is None:
            unparsed.append(document)
        else:
            module = module_name(documents.paths[document], folder)
            rows[document] = _LATELY.rows(found, language, module, source)
    return _symbols(documents, rows, unparsed)


def _spliced(
    kept: Sequence[Run], documents: int, before: tuple[Symbols, Documents], new: Symbols
) -> Symbols:
    """Return the symbols of the kept documents of an earlier tree, and `new` ones, in order."""
    symbols = before[0]
    starts_before = starts_of(symbols.document, len(before[1]))
    counts = np.bincount(new.document, minlength=documents)[new_documents(kept)]
    starts = spliced_starts(kept, counts, starts_before)
    splice = Splice.of(kept, starts, starts_before)
    columns: dict[str, Any] = {}
    for column in fields(Symbols):
        own, others = getattr(new, column.name), getattr(symbols, column.name)
        is_text = isinstance(own, tuple)
        columns[column.name] = splice.texts(others, own) if is_text else splice.array(others, own)
    document = np.repeat(np.arange(documents, dtype=np.int32), np.diff(starts))
    inside = splice.array(
        symbols.parent - starts_before[symbols.document],
        new.parent - starts_of(new.document, documents)[new.document],
    )
    parent = np.where(columns["parent"] < 0, -1, inside + starts[document]).astype(np.int32)
    return Symbols(**{**columns, "document": document, "parent": parent, "unparsed": _none()})


def _found(parsing: Parsing, language: Language, source: bytes) -> Found | None:
    if language.patterns is None:
        return parsing.found(language, source)
    limits = parsing.limits
    if len(source) > limits.document_bytes:
        return None
    return find_by_patterns(language.patterns, source, limits.definitions)


class _Lately:
    """A cache of the rows of recent documents in this process.

    The next commit of a repository has mostly the same documents.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[Language, bytes], tuple[Row, ...]] = {}
        self._count = 0

    def rows(
        self, found: Found, language: Language, module: str, source: bytes
    ) -> tuple[Row, ...]:
        """Return the rows of a source, given its definitions and marks."""
        about = f"{len(found.definitions)} {module}\0"
        digest = sha256(about.encode("utf-8", "surrogatepass") + source).digest()
        key = (language, digest)
        if key not in self._rows:
            rows = tuple(Nesting(language, module, source).rows(found))
            self._count += 1 + len(rows)
            if self._count > _MOST_ROWS:
                self._rows, self._count = {}, 1 + len(rows)
            self._rows[key] = rows
        return self._rows[key]


_MOST_ROWS = 100_000
_LATELY = _Lately()


def _symbols(
    documents: Documents, found: Mapping[int, tuple[Row, ...]], unparsed: Sequence[int]
) -> Symbols:
    counts = [len(rows) for rows in found.values()]
    rows = [row for own in found.values() for row in own]
    document = np.repeat(np.array(list(found), np.int32), counts)
    first = np.repeat(np.cumsum([0, *counts[:-1]], dtype=np.int32)[: len(counts)], counts)
    parent = np.array([row.parent for row in rows], np.int32)
    start = np.array([row.start for row in rows], np.int32)
    end = np.array([row.end for row in rows], np.int32)
    return Symbols(
        names=tuple(row.name for row in rows),
        kinds=tuple(row.kind for row in rows),
        signatures=tuple(row.signature for row in rows),
        docs=tuple(row.doc for row in rows),
        visibility=tuple(row.visibility for row in rows),
        document=document,
        start_line=_lines(documents, document, start),
        end_line=_lines(documents, document, end - 1),
        start_byte=start,
        end_byte=end,
        parent=np.where(parent < 0, -1, parent + first).astype(np.int32),
        occurrence=np.array([row.occurrence for row in rows], np.int32),
        declared_byte=np.array([row.told.declared for row in rows], np.int32),
        named_byte=np.array([row.told.named for row in rows], np.int32),
        signature_end=np.array([row.told.signature_end for row in rows], np.int32),
        doc_start=np.array([row.told.doc_start for row in rows], np.int32),
        doc_end=np.array([row.told.doc_end for row in rows], np.int32),
        path_parts=np.array([row.told.path_parts for row in rows], np.int32),
        own_parts=np.array([row.told.own_parts for row in rows], np.int32),
        unparsed=np.array(unparsed, np.int32),
    )


def _lines(documents: Documents, document: Integers, offset: Integers) -> Integers:
    """Return the line of each byte offset, from 1."""
    lines = np.zeros(len(document), np.int32)
    edges = [0, *(np.flatnonzero(np.diff(document)) + 1).tolist(), len(document)]
    for first, last in pairwise(edges):
        if first == last:
            continue
        starts = documents.line_starts(int(document[first]))
        lines[first:last] = np.searchsorted(starts, offset[first:last], side="right")
    return lines
