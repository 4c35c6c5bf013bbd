"""The symbols of a repository by what they are called and what they belong to."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TypeVar

from retrievers.interface import Documents
from retrievers.source.nesting import TYPE_KINDS
from retrievers.source.registry import LANGUAGES, Language, language_of, module_name
from retrievers.source.rules import LOCAL_TO
from retrievers.source.symbols import NAMING_KINDS, Symbols

Key = TypeVar("Key", bound=Hashable)

SPACES = ("module", "namespace")
"""Kinds that only hold other definitions."""
_DEEPEST = 200
"""Definitions in each other: more than the symbols nest."""
_ANNOUNCING = ("declaration", "overload")


class Names:
    """What each symbol is called, is in, and holds."""

    def __init__(self, documents: Documents, symbols: Symbols, folder: Path = LANGUAGES) -> None:
        self.paths = documents.paths
        self.symbols = symbols
        self.kinds = symbols.kinds
        self.parent: list[int] = symbols.parent.tolist()
        self.document: list[int] = symbols.document.tolist()
        self.languages = [language_of(path, folder) for path in documents.paths]
        self.simple: list[str] = []
        self.qualifier: list[str] = []
        """The names between the module's and a symbol's own, if no symbol around has them."""
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
        """Return the language of a document that has symbols or facts."""
        language = self.languages[document]
        if language is None:
            message = f"{self.paths[document]} is in no known language"
            raise ValueError(message)
        return language

    def line(self, row: int) -> int:
        """Return the line that a symbol starts in."""
        return int(self.symbols.start_line[row])

    def is_type(self, row: int) -> bool:
        """Tell whether a symbol is a type, so that values may have it."""
        return self.kinds[row] in TYPE_KINDS or self.kinds[row] == "type"

    def is_mixed_in(self, row: int) -> bool:
        """Tell whether a symbol can be a base."""
        return self.is_type(row) or self.kinds[row] == "module"

    def is_method(self, row: int) -> bool:
        """Tell whether a member is called, even if it is only announced."""
        return self.is_function(row) or self.kinds[row] == "declaration"

    def defined(self, row: int) -> int:
        """Return where something is defined that may only be announced here."""
        if self.kinds[row] not in _ANNOUNCING:
            return row
        document = self.document[row]
        if self.language(document).uses.shares != "everything":
            return row
        found = self.in_space(document, self.space_of(row) or "", self.simple[row])
        return row if found is None or found < 0 else found

    def is_interface(self, row: int) -> bool:
        """Tell whether a symbol is a type that has no objects of its own."""
        return self.kinds[row] in ("interface", "trait")

    def is_function(self, row: int) -> bool:
        """Tell whether a symbol is one that is called, and has names of its own."""
        return self.kinds[row] in LOCAL_TO or self.kinds[row] == "macro"

    def is_value(self, row: int) -> bool:
        """Tell whether a symbol names a value, which may have a type."""
        return self.kinds[row] in NAMING_KINDS and self.kinds[row] != "type"

    @cached_property
    def rows_of(self) -> Mapping[int, range]:
        """The rows of each document that has any."""
        rows: dict[int, range] = {}
        for row, document in enumerate(self.document):
            first = rows[document].start if document in rows else row
            rows[document] = range(first, row + 1)
        return rows

    @cached_property
    def top(self) -> Mapping[int, Mapping[str, int]]:
        """What each document defines outside of anything else."""
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
        """The row that each symbol is a member of, or -1; also when it stands elsewhere."""
        owners = [
            self._owner(row) if self.qualifier[row] else parent
            for row, parent in enumerate(self.parent)
        ]
        for row, qualifier in enumerate(self.qualifier):
            if qualifier and not _ends(owners, row):
                owners[row] = -1  # what says it belongs to itself in the end
        return owners

    def _owner(self, row: int) -> int:
        """Return the type that a definition says itself it belongs to."""
        document = self.document[row]
        wanted = self.qualifier[row].split(".")
        family = self.language(document).uses.family
        candidates = [
            one
            for one in self._types.get((family, wanted[-1]), ())
            if self._ends_with(one, wanted)
        ]
        return _nearest(candidates, self.document, self.paths, document)

    def _ends_with(self, row: int, wanted: list[str]) -> bool:
        parts = [*self.qualifier[row].split("."), self.simple[row]]
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
        """What each symbol holds, by name."""
        return _best(
            (
                (owner, self.simple[row], row)
                for row, owner in enumerate(self.owner)
                if owner >= 0 and not self._is_named_after(row, owner)
            ),
            self.kinds,
        )

    def _is_named_after(self, row: int, owner: int) -> bool:
        """Tell if a constructor has the name of its type, which is what the name then means."""
        is_constructor = self.kinds[row] in ("constructor", "declaration", "method")
        return is_constructor and self.simple[row] == self.simple[owner] and self.is_type(owner)

    @cached_property
    def methods(self) -> Mapping[tuple[str, str], list[int]]:
        """The functions of types, by family and name, each owner once."""
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
        """What the files of each folder define together, by family and folder."""
        return _best(
            (
                ((self.language(document).uses.family, folder_of(self.paths[document])), name, row)
                for document, held in self.top.items()
                for name, row in held.items()
            ),
            self.kinds,
        )

    @cached_property
    def spaces(self) -> Mapping[tuple[str, str], Mapping[str, list[int]]]:
        """What each namespace holds in all files together, by family and dotted name.

        The namespace without a name is what files define at their tops.
        """
        found: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for row, simple in enumerate(self.simple):
            space = self.space_of(row)
            if space is not None:
                family = self.language(self.document[row]).uses.family
                found[family, space][simple].append(row)
                if self.kinds[row] in SPACES:
                    found.setdefault((family, f"{space}.{simple}".strip(".")), defaultdict(list))
        return found

    def space_of(self, row: int) -> str | None:
        """Return the namespace that a definition is in, or None if it is in something else."""
        owner = self.owner[row]
        if owner < 0:
            return self.qualifier[row]
        if self.kinds[owner] not in SPACES:
            return None
        around = self.space_of(owner)
        return None if around is None else f"{around}.{self.simple[owner]}".strip(".")

    def in_space(self, document: int, space: str, name: str) -> int | None:
        """Return what a namespace means by a name, -1 if that is unclear, None if nothing."""
        family = self.language(document).uses.family
        rows = [
            row
            for row in self.spaces.get((family, space), {}).get(name, ())
            if self.document[row] == document or self.symbols.visibility[row] != "private"
        ]
        made = [row for row in rows if self.kinds[row] not in _ANNOUNCING]
        return _nearest(made or rows, self.document, self.paths, document) if rows else None

    def around(self, row: int) -> Iterator[int]:
        """Return a row and what it is in, from the inside."""
        while row >= 0:
            yield row
            row = self.owner[row]

    def type_around(self, row: int) -> int:
        """Return the innermost type that a row is or is in, or -1."""
        return next((one for one in self.around(row) if self.is_type(one)), -1)

    def function_around(self, row: int) -> int:
        """Return the innermost function that a row is or is in, or -1."""
        return next((one for one in self.around(row) if self.is_function(one)), -1)


def _ends(owners: list[int], row: int) -> bool:
    """Tell whether the owners of owners come to an end."""
    for _ in range(_DEEPEST):
        if row < 0:
            return True
        row = owners[row]
    return False


def folder_of(path: str) -> str:
    """Return the folder of a path, as in other paths."""
    return path.rpartition("/")[0]


def _best(
    found: Iterable[tuple[Key, str, int]], kinds: tuple[str, ...]
) -> dict[Key, dict[str, int]]:
    """Return rows by key and name: the first, but what is defined before what is announced."""
    best: dict[Key, dict[str, int]] = defaultdict(dict)
    for key, name, row in found:
        known = best[key].setdefault(name, row)
        if kinds[known] in _ANNOUNCING and kinds[row] not in _ANNOUNCING:
            best[key][name] = row
    return dict(best)


def _nearest(rows: list[int], documents: list[int], paths: tuple[str, ...], document: int) -> int:
    """Return the only row, or the only one that shares most of its path with a document."""
    if len(rows) <= 1:
        return rows[0] if rows else -1
    ranked = sorted((-_shared(paths[documents[row]], paths[document]), row) for row in rows)
    return ranked[0][1] if ranked[0][0] < ranked[1][0] else -1


def _shared(left: str, right: str) -> int:
    if left == right:
        return 1_000
    pairs = zip(PurePosixPath(left).parts[:-1], PurePosixPath(right).parts[:-1], strict=False)
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count
