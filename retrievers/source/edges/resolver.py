"""Resolution of paths: names by scope and import, members by type, and types by assignment."""

from collections.abc import Callable, Mapping

from retrievers.source.edges.expressions import CALLED, TAKEN, UNKNOWN, Path
from retrievers.source.edges.givens import Givens
from retrievers.source.edges.importing import Imports
from retrievers.source.edges.lineage import Lineage
from retrievers.source.edges.memos import Cycles, Memo
from retrievers.source.edges.modules import Modules
from retrievers.source.edges.names import Names
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.spaces import SPACES, inner
from retrievers.source.edges.uses import Uses
from retrievers.source.edges.values import UNCLEAR, Value, outside, symbol

_DEEPEST = 60
"""Maximum depth of resolution: more than code needs, below Python's recursion limit."""


class Resolver:
    """Resolution of paths to values.

    None is an unresolved path. `UNCLEAR` also ends the search in outer scopes.
    """

    def __init__(self, names: Names, uses: Uses, modules: Mapping[str, Modules]) -> None:
        self._names = names
        self._uses = uses
        self.cycles = Cycles()
        self.imports = Imports(names, uses, modules, self)
        self.lineage = Lineage(names, uses, self)
        self._givens = Givens(names, uses, self)
        self._members = Memo[tuple[int, str], Value | None](self.cycles, None)
        self._values: dict[tuple[int, Path], Value | None] = {}
        self._heads: dict[tuple[int, str], Value | None] = {}
        self._depth = 0
        self._steps: dict[str, Callable[[Value, str], Value | None]] = {
            "outside": lambda value, name: outside(f"{value.name}.{name}"),
            "module": self.imports.exports,
            "package": self.imports.inside,
            "space": self._in_space,
            "object": lambda value, name: self._of_object(value.row, name),
            "above": lambda value, name: self._above(value.row, name),
            "symbol": self._in_symbol,
            "same": lambda _value, _name: None,
            "unknown": lambda _value, _name: None,
        }

    def close(self) -> None:
        """Release everything. The parts refer to each other, so their facts would not be freed."""
        self.__dict__.clear()

    def used(self, path: Path, document: int, row: int) -> Value | None:
        """Return the value of a path that is used, like `value`, but find each path only once.

        Not for paths that are found on the way to another value: in a cycle, their values differ.
        """
        scope = row if row >= 0 else -1 - document
        key = (scope, path)
        if key not in self._values:
            start = (scope, path[0])
            if start not in self._heads:
                self._heads[start] = self.value(path[:1], document, row)
            self._depth += 1
            self._values[key] = self._along(self._heads[start], path)
            self._depth -= 1
        return self._values[key]

    def value(self, path: Path, document: int, row: int) -> Value | None:
        """Return the value of a path in a definition, or at the top of a document for `row` -1."""
        if path[0] == UNKNOWN:
            return None
        self._depth += 1
        self.cycles.is_limited |= self._depth >= _DEEPEST
        value = self._head(path[0], document, row) if self._depth < _DEEPEST else None
        value = self._along(value, path)
        self._depth -= 1
        return value

    def _along(self, value: Value | None, path: Path) -> Value | None:
        """Return the value at the end of a path whose first name has a value."""
        for part in path[1:]:
            if value is None:
                break
            value = self._step(value, part)
        return value

    def named_type(self, path: Path, document: int, row: int) -> Value | None:
        """Return the value of a path in a type annotation, where local variables do not count."""
        names = self._names
        for around in names.around(row):
            inner = names.members.get(around, {}).get(path[0], -1)
            is_local = inner >= 0 and names.is_type(inner)
            if is_local or names.is_type(around) or names.kinds[around] in SPACES:
                return self.value(path, document, around)
        return self.value(path, document, -1)

    # Names by themselves.

    def _head(self, name: str, document: int, row: int) -> Value | None:
        uses = self._names.language(document).uses
        if name in uses.own or name in uses.own_type or name in uses.above:
            owner = self._names.type_around(row)
            if owner >= 0:
                what = "above" if name in uses.above else "object"
                return Value("symbol" if name in uses.own_type else what, owner)
        if name in uses.makers and self._names.type_around(row) >= 0:
            return symbol(self._names.type_around(row))
        if name.startswith("@") and row >= 0:
            return self._of_object(self._names.type_around(row), name)
        if name in uses.roots:
            return self.imports.found(document, name)
        found = self._in_scope(name, document, row) or self._in_document(name, document)
        if found is None:
            return outside(name)
        return None if found is UNCLEAR else found

    def of(self, value: Value, name: str) -> Value | None:
        """Return the member of a value."""
        return self._steps[value.what](value, name)

    def _in_scope(self, name: str, document: int, row: int) -> Value | None:
        names = self._names
        is_open = True
        for around in names.around(row):
            found = None
            if names.is_function(around):
                # Outside of functions, a type's body sees its members in every language. Inside
                # of them, only languages with an implicit receiver do.
                is_open = names.language(document).uses.implicit
                found = self._in_function(around, name)
            elif names.is_type(around) and is_open:
                found = self.member(around, name)
                found = None if found and found.what == "outside" else found
            elif names.kinds[around] in SPACES:
                found = self._around_space(around, name)
            if found:
                return found
        return None

    def _in_function(self, row: int, name: str) -> Value | None:
        given = self._givens.local(row, name)
        held = self._names.members.get(row, {}).get(name)
        return given or (None if held is None else symbol(held))

    def _around_space(self, row: int, name: str) -> Value | None:
        """Return the member of a namespace, or of one around it, or None."""
        names = self._names
        if name in names.members.get(row, {}):
            return symbol(names.members[row][name])
        if names.language(names.document[row]).uses.shares != "everything":
            return None
        space = names.spaces.opened(row)
        while space:
            held = self._in_space(Value("space", names.document[row], space), name)
            if held:
                return held
            space = space.rpartition(".")[0]
        return None

    def _in_space(self, space: Value, name: str) -> Value | None:
        row = self._names.spaces.meant(space.row, space.name, name)
        if row is not None and row >= 0 and self._names.kinds[row] not in SPACES:
            return symbol(row)
        held = inner(space.name, name)
        if self._names.spaces.has(space.row, held):
            return Value("space", space.row, held)
        return UNCLEAR if row is not None else None

    def _in_document(self, name: str, document: int) -> Value | None:
        names = self._names
        top = names.top.get(document, {}).get(name)
        imported = self.imports.named(name, document)
        if imported is not None and (top is None or names.is_value(top)):
            return imported
        if top is not None:
            is_given = (-1 - document, name) in self._uses.read(document).bound
            return UNCLEAR if is_given else symbol(names.defined(top))
        given = self._givens.local(-1 - document, name)
        if given:
            return given
        found = self.imports.from_wildcards(name, document) or self._shared(name, document)
        if found is None and names.language(document).uses.roots:
            return self.imports.inside(Value("module", document), name)
        return found

    def _shared(self, name: str, document: int) -> Value | None:
        """Return a name from another file that needs no import, such as in a Go package."""
        names = self._names
        uses = names.language(document).uses
        if uses.shares == "folder":
            folder = (uses.family, folder_of(names.paths[document]))
            row = names.folders.get(folder, {}).get(name)
            return None if row is None else symbol(row)
        if uses.shares == "package":
            package = Value("package", document, self._uses.packages.get(document, ""))
            return self.imports.inside(package, name)
        if uses.shares == "everything":
            return self._in_space(Value("space", document, ""), name)
        return None

    # Members and types.

    def _step(self, value: Value, part: str) -> Value | None:
        if part == TAKEN:
            return None
        return self._called(value) if part == CALLED else self.of(value, part)

    def _called(self, value: Value) -> Value | None:
        if value.what == "outside":
            return outside(value.name + CALLED)
        if value.what in ("above", "same"):
            return Value("object", value.row) if value.what == "same" else value
        if value.what == "symbol" and self._names.is_value(value.row):
            held = self._givens.in_the_end(value.row)
            return self._called(held) if held and held.what == "symbol" else None
        if value.what != "symbol":
            return None
        if self._names.is_type(value.row):
            return Value("object", value.row)
        return self._givens.of(value.row)

    def _in_symbol(self, value: Value, name: str) -> Value | None:
        names = self._names
        if names.is_type(value.row):
            makers = names.language(names.document[value.row]).uses.makers
            found = self.member(value.row, name)
            is_own = found is not None and found.what == "symbol"
            return value if name in makers and not is_own else found
        if names.kinds[value.row] in SPACES:
            return self._in_module(value.row, name)
        held = self._givens.in_the_end(value.row)
        if held is None or (held.what == "symbol" and not names.is_type(held.row)):
            return None
        return self.of(held, name)

    def _in_module(self, row: int, name: str) -> Value | None:
        """Return the member of a namespace, from this or another file that opens it."""
        names = self._names
        held = names.members.get(row, {}).get(name)
        if held is not None:
            return symbol(held)
        document = names.document[row]
        if names.language(document).uses.shares != "everything":
            return None
        return self._in_space(Value("space", document, names.spaces.opened(row)), name)

    def _of_object(self, row: int, name: str) -> Value | None:
        """Return a member of an object. A method that returns its receiver is `same`."""
        if row < 0:
            return None
        found = self.member(row, name)
        if found is None or found.what == "outside":
            same = self._names.language(self._names.document[row]).uses.same
            return Value("same", row) if name in same else found
        return found

    def member(self, row: int, name: str) -> Value | None:
        """Return the member or attribute of a type's objects, its own or an inherited one."""
        return self._members.get((row, name), self._member)

    def _member(self, key: tuple[int, str]) -> Value | None:
        return self._own(*key) or self._above(*key)

    def _own(self, row: int, name: str) -> Value | None:
        own = self._names.members.get(row, {}).get(name)
        return symbol(own) if own is not None else self._givens.attribute(row, name)

    def _above(self, row: int, name: str) -> Value | None:
        """Return the member of the nearest ancestor that has it, or None."""
        for one in self.lineage.above(row):
            found = outside(f"{one.name}.{name}") if one.what == "outside" else None
            found = found or self._own(one.row, name)
            if found:
                return found
        return None
