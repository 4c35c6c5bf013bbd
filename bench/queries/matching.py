"""Definitions by the names of symbols.

From strict to permissive, the first rule with a result decides:

1. a path and the names nested in that file: `src/lexer.py::Lexer.next` (or `.`, `:`, `#`);
2. the whole qualified name;
3. its last parts: `context.Engine` means `internal.context.Engine`, not `subcontext.Engine`;
4. a name that a package imports, with names nested in it, if it means one definition;
5. a package, then the symbol, with types or sub-packages in between: `store.find` means
   `internal.store.SqlStore.find`.

A name without a result is looked up again without type parameters and the like, see `spellings`.
`Cart.<init>` is the constructor of a type, or the type itself if it has none.

Several definitions of a name in one file count as one: the first that is not just a signature
(`overload`). A property's getter thus represents its setter, and an implementation its overloads.
Separate targets would require finding the same thing twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bench.queries.reexports import Alias, Aliases
from bench.queries.spellings import constructed_type, plain_name
from bench.queries.targets import normal_path
from retrievers.interface import Documents
from retrievers.source import MINOR_KINDS, Symbols, module_name

_SEPARATORS = (".", ":", "#")


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol as a target: its row in the symbols, its name and its file."""

    row: int
    name: str
    module: str
    path: str

    @property
    def asked(self) -> str:
        """The unambiguous name of this definition."""
        nested = self.name.removeprefix(self.module).removeprefix(".")
        return f"{self.path}::{nested}"


@dataclass(frozen=True)
class Definitions:
    """All definitions of a repository. Only those that a name could mean are looked at."""

    documents: Documents
    symbols: Symbols
    _known: dict[str, list[Definition]] = field(default_factory=dict, repr=False)
    _modules: dict[int, str] = field(default_factory=dict, repr=False)

    def ending(self, last_part: str) -> list[Definition]:
        """Return the definitions with this last part of their names."""
        if last_part not in self._known:
            rows = _one_row_each(self.symbols, self._rows.get(last_part, []))
            self._known[last_part] = [*map(self._definition, rows)]
        return self._known[last_part]

    @cached_property
    def aliases(self) -> Aliases:
        """The names that packages import."""
        return Aliases.of(self.documents)

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """The rows of the symbols by the last part of their names."""
        found: dict[str, list[int]] = {}
        for row, name in enumerate(self.symbols.names):
            found.setdefault(_last_part(name), []).append(row)
        return found

    def _definition(self, row: int) -> Definition:
        document = int(self.symbols.document[row])
        path = self.documents.paths[document]
        if document not in self._modules:
            self._modules[document] = module_name(path)
        return Definition(row, self.symbols.names[row], self._modules[document], path)

    def _is_minor(self, one: Definition) -> bool:
        """Return whether a definition gives way to others with the same name.

        A constructor gives way to its class, a declaration to its definition.
        """
        return self.symbols.kinds[one.row] in MINOR_KINDS

    def meant_by(self, asked: str) -> list[Definition]:
        """Return the definitions that a name means, without minor ones if there are others."""
        owner = constructed_type(asked)
        if owner:
            types = self.meant_by(owner)
            return [one for owned in types for one in self._constructors(owned)] or types
        meant = self._meant_by(asked) or self._meant_by(plain_name(asked))
        return [one for one in meant if not self._is_minor(one)] or meant

    def _constructors(self, owner: Definition) -> list[Definition]:
        """Return the constructors defined in a type, under the names that languages use."""
        names = (_last_part(owner.name), "constructor")
        found = [self._named(f"{owner.name}.{name}") for name in names]
        return [one for same in found for one in same if one.path == owner.path]

    def _meant_by(self, asked: str) -> list[Definition]:
        exact = self._in_file(asked)
        if exact:
            return exact
        name = dotted(asked)
        near = self.ending(_last_part(name))
        for rule in (_is_whole, _ends_so):
            meant = [one for one in near if rule(one, name)]
            if meant:
                return meant
        imported = self._imported(name)
        if len(imported) == 1:
            return imported
        return [one for one in near if _has_package(one, name)]

    def all(self) -> Iterator[Definition]:
        """Yield all definitions."""
        return (one for last_part in self._rows for one in self.ending(last_part))

    def _imported(self, name: str) -> list[Definition]:
        """Return the definitions that a name means through the imports of packages."""
        parts = name.split(".")
        found: dict[int, Definition] = {}
        for cut in range(len(parts), 0, -1):
            head, nested = ".".join(parts[:cut]), "".join(f".{one}" for one in parts[cut:])
            for alias in self.aliases.meant_by(head, whole=False):
                for one in self._behind(alias, {alias.name}):
                    wanted = one.name + nested
                    found.update((same.row, same) for same in self._named(wanted))
            if found:
                break
        return list(found.values())

    def _behind(self, alias: Alias, seen: set[str]) -> Iterator[Definition]:
        """Yield the definitions that an alias means, following further aliases if necessary."""
        meant = self._named(alias.target)
        if not meant and alias.absolute:
            near = self.ending(_last_part(alias.target))
            meant = [one for one in near if _ends_so(one, alias.target)]
        yield from meant
        if meant:
            return
        for further in self.aliases.meant_by(alias.target, whole=not alias.absolute):
            if further.name not in seen:
                seen.add(further.name)
                yield from self._behind(further, seen)

    def _named(self, name: str) -> list[Definition]:
        return [one for one in self.ending(_last_part(name)) if one.name == name]

    def _in_file(self, asked: str) -> list[Definition]:
        written = normal_path(asked)
        for place, letter in enumerate(written):
            path = written[:place]
            if letter in _SEPARATORS and path in self.documents.places:
                nested = dotted(written[place:])
                near = self.ending(_last_part(nested))
                wanted = f"{module_name(path)}.{nested}".removeprefix(".")
                return [one for one in near if one.path == path and one.name == wanted]
        return []


def dotted(asked: str) -> str:
    """Return a name with `.` as the separator of all its parts."""
    name = normal_path(asked).replace("/", ".").replace(":", ".").replace("#", ".")
    return ".".join(part for part in name.split(".") if part)


def _one_row_each(symbols: Symbols, rows: Sequence[int]) -> Iterator[int]:
    chosen: dict[tuple[int, str], int] = {}
    for row in rows:
        key = int(symbols.document[row]), symbols.names[row]
        first = chosen.setdefault(key, row)
        if symbols.kinds[first] == "overload" and symbols.kinds[row] != "overload":
            chosen[key] = row
    return iter(chosen.values())


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _is_whole(one: Definition, name: str) -> bool:
    return one.name == name


def _ends_so(one: Definition, name: str) -> bool:
    return one.name.endswith(f".{name}")


def _has_package(one: Definition, name: str) -> bool:
    parts = name.split(".")
    return any(
        _stands_in(".".join(parts[:cut]), ".".join(parts[cut:]), one)
        for cut in range(1, len(parts))
    )


def _stands_in(package: str, symbol: str, one: Definition) -> bool:
    if not one.name.endswith(f".{symbol}"):
        return False
    before = one.name.removesuffix(f".{symbol}")
    path = min(before, one.module, key=len)
    return f".{package}." in f".{path}."
