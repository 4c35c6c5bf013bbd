"""The symbols of a repository by their names and owners."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from retrievers.interface import Documents
from retrievers.source.edges.nearest import Nearest, folder_of
from retrievers.source.edges.spaces import ANNOUNCING, SPACES, Spaces
from retrievers.source.nesting import TYPE_KINDS
from retrievers.source.registry import LANGUAGES, Language, language_of, module_name
from retrievers.source.rules import LOCAL_TO
from retrievers.source.symbols import NAMING_KINDS, Symbols

Key = TypeVar("Key", bound=Hashable)

_DEEPEST = 200
"""Maximum nesting of definitions; symbols nest less deeply."""
_NAMESAKES = 500
"""Maximum number of types with one name among which the owner of a method is searched."""


class Names:
    """Names, owners and members of all symbols, by row."""

    def __init__(self, documents: Documents, symbols: Symbols, folder: Path = LANGUAGES) -> None:
        self.paths = documents.paths
        self.symbols = symbols
        self.kinds = symbols.kinds
        self.parent: list[int] = symbols.parent.tolist()
        self.document: list[int] = symbols.document.tolist()
        self.languages = [language_of(path, folder) for path in documents.paths]
        self.simple: list[str] = []
        self.qualifier: list[str] = []
        """The names between the enclosing symbol or module and the symbol's own name.

        A method outside of its type, such as Go's, has the name of the type here.
        """
        modules = [module_name(path, folder) for path in documents.paths]
        for row, name in enumerate(symbols.names):
            self._split(row, name, modules[self.document[row]])

    def _split(self, row: int, name: str, module: str) -> None:
        parent = self.parent[row]
        around = self.symbols.names[parent] if parent >= 0 else module
        inner = name[len(around) + 1 :] if around and name.startswith(f"{around}.") else name
        language = self.languages[self.document[row]]
        whole = language.names.whole if language else ""
        qualifier, _, simple = ("", "", inner) if whole and " " in inner else inner.rpartition(".")
        self.simple.append(simple)
        self.qualifier.append(qualifier)

    def __len__(self) -> int:
        return len(self.simple)

    def language(self, document: int) -> Language:
        """Return the language of a document. Documents with symbols or facts have one."""
        language = self.languages[document]
        if language is None:
            message = f"{self.paths[document]} is not in a known language"
            raise ValueError(message)
        return language

    def line(self, row: int) -> int:
        """Return the first line of a symbol, from 1."""
        return int(self.symbols.start_line[row])

    def is_type(self, row: int) -> bool:
        """Tell whether a symbol is a type."""
        return self.kinds[row] in TYPE_KINDS or self.kinds[row] == "type"

    def is_mixed_in(self, row: int) -> bool:
        """Tell whether a symbol can be a base: a type, or a mixed-in module."""
        return self.is_type(row) or self.kinds[row] == "module"

    def is_method(self, row: int) -> bool:
        """Tell whether a member can be called; it may be only a declaration."""
        return self.is_function(row) or self.kinds[row] == "declaration"

    def defined(self, row: int) -> int:
        """Return the row of the definition that a declaration announces, or `row` itself."""
        if self.kinds[row] not in ANNOUNCING:
            return row
        document = self.document[row]
        if self.language(document).uses.shares != "everything":
            return row
        found = self.spaces.meant(document, self.spaces.around(row) or "", self.simple[row])
        return row if found is None or found < 0 else found

    def is_interface(self, row: int) -> bool:
        """Tell whether a symbol is an interface or a trait."""
        return self.kinds[row] in ("interface", "trait")

    def is_function(self, row: int) -> bool:
        """Tell whether a symbol can be called and has local names."""
        return self.kinds[row] in LOCAL_TO or self.kinds[row] == "macro"

    def is_value(self, row: int) -> bool:
        """Tell whether a symbol is a value, such as a constant or a field."""
        return self.kinds[row] in NAMING_KINDS and self.kinds[row] != "type"

    @cached_property
    def rows_of(self) -> Mapping[int, range]:
        """The rows of each document with symbols."""
        rows: dict[int, range] = {}
        for row, document in enumerate(self.document):
            first = rows[document].start if document in rows else row
            rows[document] = range(first, row + 1)
        return rows

    @cached_property
    def top(self) -> Mapping[int, Mapping[str, int]]:
        """The definitions at the top of each document, by name."""
        return _best(
            (
                (self.document[row], self.simple[row], row)
                for row in range(len(self))
                if self.parent[row] < 0 and not self.qualifier[row]
            ),
            self.kinds,
        )

    @cached_property
    def owner(self) -> list[int]:
        """The row that each symbol is a member of, or -1. It may be in another document."""
        known: dict[tuple[int, str], int] = {}
        owners = list(self.parent)
        for row, qualifier in enumerate(self.qualifier):
            if qualifier:
                key = (self.document[row], qualifier)
                if key not in known:
                    known[key] = self._owner(*key)
                owners[row] = known[key]
        for row, qualifier in enumerate(self.qualifier):
            if qualifier and not _ends(owners, row):
                owners[row] = -1  # a cycle of owners
        return owners

    def _owner(self, document: int, qualifier: str) -> int:
        """Return the type or namespace that a qualifier names, nearest to the document, or -1."""
        wanted = qualifier.split(".")
        family = self.language(document).uses.family
        namesakes = self._types.get((family, wanted[-1]), [])
        if len(namesakes) > _NAMESAKES:
            return -1
        rows = [one for one in namesakes if self._ends_with(one, wanted)]
        paths = {one: self.paths[self.document[one]] for one in rows}
        return Nearest(rows, paths).to(self.paths[document])

    def _ends_with(self, row: int, wanted: list[str]) -> bool:
        parts = [*filter(None, self.qualifier[row].split(".")), self.simple[row]]
        parent = self.parent[row]
        while parent >= 0 and len(parts) < len(wanted):
            parts.insert(0, self.simple[parent])
            parent = self.parent[parent]
        return parts[-len(wanted) :] == wanted

    @cached_property
    def _types(self) -> Mapping[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in range(len(self)):
            if self.is_type(row) or self.kinds[row] in SPACES:
                family = self.language(self.document[row]).uses.family
                found[family, self.simple[row]].append(row)
        return found

    @cached_property
    def members(self) -> Mapping[int, Mapping[str, int]]:
        """The members of each symbol, by name."""
        return _best(
            (
                (owner, self.simple[row], row)
                for row, owner in enumerate(self.owner)
                if owner >= 0 and not self._is_named_after(row, owner)
            ),
            self.kinds,
        )

    def _is_named_after(self, row: int, owner: int) -> bool:
        """Tell whether a member is a constructor with the name of its type.

        The name then refers to the type.
        """
        is_constructor = self.kinds[row] in ("constructor", "declaration", "method")
        return is_constructor and self.simple[row] == self.simple[owner] and self.is_type(owner)

    @cached_property
    def methods(self) -> Mapping[tuple[str, str], list[int]]:
        """The methods of types, by family and name; at most one per type."""
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for owner, held in self.members.items():
            if self.is_type(owner):
                family = self.language(self.document[owner]).uses.family
                for name, row in held.items():
                    if self.is_method(row):
                        found[family, name].append(row)
        return found

    @cached_property
    def documents_in(self) -> Mapping[tuple[str, str], list[int]]:
        """The documents of each folder, by family and folder."""
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for document, language in enumerate(self.languages):
            if language:
                found[language.uses.family, folder_of(self.paths[document])].append(document)
        return found

    @cached_property
    def folders(self) -> Mapping[tuple[str, str], Mapping[str, int]]:
        """The top-level definitions of all files in a folder, by family and folder, and name."""
        return _best(
            (
                ((self.language(document).uses.family, folder_of(self.paths[document])), name, row)
                for document, held in self.top.items()
                for name, row in held.items()
            ),
            self.kinds,
        )

    @cached_property
    def spaces(self) -> Spaces:
        """The namespaces."""
        return Spaces(self)

    def around(self, row: int) -> Iterator[int]:
        """Yield a row and its owners, from the innermost to the outermost."""
        while row >= 0:
            yield row
            row = self.owner[row]

    def type_around(self, row: int) -> int:
        """Return the row itself or its innermost owner that is a type, or -1."""
        return next((one for one in self.around(row) if self.is_type(one)), -1)

    def function_around(self, row: int) -> int:
        """Return the row itself or its innermost owner that is a function, or -1."""
        return next((one for one in self.around(row) if self.is_function(one)), -1)


def _ends(owners: list[int], row: int) -> bool:
    """Tell whether a chain of owners ends, instead of forming a cycle."""
    for _ in range(_DEEPEST):
        if row < 0:
            return True
        row = owners[row]
    return False


def _best(
    found: Iterable[tuple[Key, str, int]], kinds: tuple[str, ...]
) -> dict[Key, dict[str, int]]:
    """Return the best row by key and name: the first definition, or else the first declaration."""
    best: dict[Key, dict[str, int]] = defaultdict(dict)
    for key, name, row in found:
        known = best[key].setdefault(name, row)
        if kinds[known] in ANNOUNCING and kinds[row] not in ANNOUNCING:
            best[key][name] = row
    return dict(best)
