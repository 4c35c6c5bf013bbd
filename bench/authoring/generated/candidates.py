"""Candidates for generated queries, and the parsed repository that they come from."""

import ast
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from bench.authoring.generated.plain import name_words
from bench.authoring.mining import is_test
from bench.queries import Target
from bench.queries.resolution import Tree
from retrievers.interface import Documents
from retrievers.rules.file_kinds import FILE_KINDS, file_kinds
from retrievers.source import CODE_KINDS, EDGE_KINDS, Edges, Symbols, find_edges, find_symbols

SourceName = Literal["documentation", "tests", "guides", "messages", "commits", "issues"]
SOURCES: tuple[SourceName, ...] = get_args(SourceName)

Rejection = Literal[
    "too short",
    "too long",
    "not a sentence",
    "names its answer",
    "names other code",
    "only words of its answer",
    "boilerplate",
    "near duplicate",
    "too many answers",
    "copied elsewhere",
    "shares its lines with code",
    "only declares its answer",
    "only hands out a value",
    "internal or generated",
    "not its documentation",
    "several answers fit",
    "may mean something else",
    "no longer there",
]
_NOT_ASKED = ("module", "namespace", "constructor", "overload")
"""Kinds of definitions that often share the name or documentation of their type."""
_NAME = re.compile(r"\w+")
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
"""Suffixes of declaration files, whose names are defined in other files."""


@dataclass(frozen=True)
class Candidate:
    """A question with its answers and the lines that it was made from."""

    source: SourceName
    text: str
    rows: tuple[int, ...]
    """Rows of the symbols that answer the question."""
    path: str
    start: int
    end: int
    hidden: tuple[Target, ...] = ()
    """Lines and files that are hidden from all trials."""
    said: str = ""
    """Commit with this message, for the sources of history."""

    @property
    def evidence(self) -> str:
        """Place of the source, for people."""
        if self.said:
            return f"{self.source} at {self.said}"
        return f"{self.source} at {self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Reading:
    """A parsed repository, ready for the generator."""

    documents: Documents
    symbols: Symbols
    edges: Edges
    tree: Tree

    @classmethod
    def of(cls, documents: Documents) -> "Reading":
        """Parse the documents of a repository."""
        symbols = find_symbols(documents)
        edges = find_edges(documents, symbols)
        return cls(documents, symbols, edges, Tree.of(documents, symbols))

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Unambiguous name of each definition, by row."""
        return {one.row: one.asked for one in self.tree.definitions.all()}

    @cached_property
    def asked(self) -> frozenset[int]:
        """Rows that may be an answer: code outside of tests with an unambiguous name."""
        symbols, tests = self.symbols, self.tests
        return frozenset(
            row
            for row, kind in enumerate(symbols.kinds)
            if kind in CODE_KINDS
            and kind not in _NOT_ASKED
            and row in self.names
            and int(symbols.document[row]) not in tests
        )

    @cached_property
    def by_document(self) -> Mapping[int, list[int]]:
        """Rows that may be an answer, by document."""
        found: dict[int, list[int]] = defaultdict(list)
        for row in sorted(self.asked):
            found[int(self.symbols.document[row])].append(row)
        return found

    @cached_property
    def tests(self) -> frozenset[int]:
        """Numbers of the test files."""
        paths = enumerate(self.documents.paths)
        return frozenset(number for number, path in paths if is_test(path))

    @cached_property
    def only_declared(self) -> frozenset[int]:
        """The rows of a file of declarations whose names have a body elsewhere.

        Whoever asks what does something wants the body, or either; only one would be right.
        """
        declares = {
            number
            for number, path in enumerate(self.documents.paths)
            if path.endswith(_DECLARATIONS)
        }
        of = self.symbols.document
        bodies = {self.simple(row) for row in self.asked if int(of[row]) not in declares}
        return frozenset(
            row for row in self.asked if int(of[row]) in declares and self.simple(row) in bodies
        )

    def is_empty(self, row: int) -> bool:
        """Whether a definition is a Python function without a body, which others have to write."""
        document = int(self.symbols.document[row])
        if not self.documents.paths[document].endswith((".py", ".pyi")):
            return False
        source = self.documents.source(document)
        start = source.rfind(b"\n", 0, int(self.symbols.start_byte[row])) + 1
        code = self.documents.slice(document, start, int(self.symbols.end_byte[row]))
        try:
            (found,) = ast.parse(textwrap.dedent(code)).body
        except (SyntaxError, ValueError):
            return False
        if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        return all(map(_does_nothing, found.body))

    @cached_property
    def is_manual(self) -> bool:
        """True if the repository has more prose than code."""
        letters: Counter[str] = Counter()
        for number, kind in enumerate(file_kinds(self.documents).tolist()):
            letters[FILE_KINDS[kind]] += len(self.documents.source(number))
        return letters["prose"] > letters.total() - letters["prose"] - letters["data"]

    def pairs(self, kind: str) -> Mapping[int, list[tuple[int, int]]]:
        """Return the target and the line of each edge of a kind, by its source."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for place in np.flatnonzero(self.edges.kind == EDGE_KINDS.index(kind)):
            source, target = int(self.edges.source[place]), int(self.edges.target[place])
            found[source].append((target, int(self.edges.line[place])))
        return found

    @cached_property
    def _compounds(self) -> frozenset[str]:
        """Names of definitions that are not ordinary words."""
        simple = (name.rpartition(".")[2] for name in self.symbols.names)
        return frozenset(name for name in simple if len(name_words(name)) > 1)

    def has_names(self, text: str) -> bool:
        """Return whether a text names a definition, which only readers of the code know."""
        return not self._compounds.isdisjoint(_NAME.findall(text))

    def simple(self, row: int) -> str:
        """Return the last part of a definition's name."""
        return self.symbols.names[row].rpartition(".")[2]

    def path(self, row: int) -> str:
        """Return the file of a definition."""
        return self.documents.paths[int(self.symbols.document[row])]

    def text(self, row: int) -> str:
        """Return the code of a definition without its documentation."""
        symbols, document = self.symbols, int(self.symbols.document[row])
        start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        first, last = int(symbols.doc_start[row]), int(symbols.doc_end[row])
        slice_of = self.documents.slice
        if not start <= first < last <= end:
            return slice_of(document, start, end)
        return slice_of(document, start, first) + slice_of(document, last, end)


def _does_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, `pass`, `...` or `raise NotImplementedError`."""
    if isinstance(statement, ast.Raise):
        return statement.exc is not None and "NotImplementedError" in ast.dump(statement.exc)
    is_literal = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_literal or isinstance(statement, ast.Pass)


def lines_alone(reading: Reading, document: int, start: int, end: int) -> tuple[int, int] | None:
    """Return the lines of a part of a document, or nothing if other text is on them."""
    source = reading.documents.source(document)
    before = source[source.rfind(b"\n", 0, start) + 1 : start]
    stop = source.find(b"\n", end)
    behind = source[end : stop if stop >= 0 else len(source)]
    if before.strip() or behind.strip():
        return None
    offsets = reading.tree.offsets(document)
    return offsets.lines_of_bytes(start, end)


def spread(items: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with the files in turn, so that no file dominates."""
    turns: dict[str, int] = defaultdict(int)
    placed = []
    for number, one in enumerate(items):
        turns[one.path] += 1
        placed.append((turns[one.path], number))
    return [items[number] for _, number in sorted(placed)]
