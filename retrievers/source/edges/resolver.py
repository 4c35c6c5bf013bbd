"""What paths lead to: names by scope and import, members by type, and types by what is given."""

from collections.abc import Callable, Mapping

from retrievers.source.edges.expressions import CALLED, TAKEN, UNKNOWN, Path, path_of, type_of
from retrievers.source.edges.modules import Modules
from retrievers.source.edges.names import SPACES, Names, folder_of
from retrievers.source.edges.uses import EXPORTS, Binding, Import, Uses
from retrievers.source.edges.values import Value, outside, symbol

_DEEPEST = 60
"""Steps from one definition to the next: more than code has, less than Python can recurse."""
_ALIASES = 10
_FUTURE: Value = Value("unknown")
"""What is being worked out, or cannot be."""


class Resolver:
    """Leads from paths to what they mean."""

    def __init__(self, names: Names, uses: Uses, modules: Mapping[str, Modules]) -> None:
        self._names = names
        self._uses = uses
        self._modules = modules
        self._members: dict[tuple[int, str], Value | None] = {}
        self._bases: dict[int, tuple[Value, ...]] = {}
        self._bound: dict[tuple[int, str], Value | None] = {}
        self._exported: dict[tuple[int, str], Value | None] = {}
        self._imported: dict[tuple[int, Import], Value | None] = {}
        self._local: dict[int, dict[str, str]] = {}
        self._depth = 0
        self._steps: dict[str, Callable[[Value, str], Value | None]] = {
            "outside": lambda value, name: outside(f"{value.name}.{name}"),
            "module": self._exports,
            "package": self._exports,
            "object": lambda value, name: self.member(value.row, name),
            "above": lambda value, name: self._first(self.bases(value.row), name),
            "symbol": self._in_symbol,
            "unknown": lambda _value, _name: None,
        }

    def value(self, path: Path, document: int, row: int) -> Value | None:
        """Return what a path means in a definition, or at the top of a document."""
        if path[0] == UNKNOWN:
            return None
        self._depth += 1
        value = self._head(path[0], document, row) if self._depth < _DEEPEST else None
        for part in path[1:]:
            if value is None:
                break
            value = self._step(value, part)
        self._depth -= 1
        return value

    # Names by themselves.

    def _head(self, name: str, document: int, row: int) -> Value | None:
        uses = self._names.language(document).uses
        if name in uses.own or name in uses.own_type or name in uses.above:
            owner = self._names.type_around(row)
            if owner >= 0:
                what = "above" if name in uses.above else "object"
                return Value("symbol" if name in uses.own_type else what, owner)
        found = self._in_scope(name, document, row) or self._in_document(name, document)
        if found is None:
            return outside(name)
        return None if found is _FUTURE else found

    def _in_scope(self, name: str, document: int, row: int) -> Value | None:
        names = self._names
        implicit = names.language(document).uses.implicit
        crossed = False
        for around in names.around(row):
            if names.is_function(around):
                crossed = True
                if (around, name) in self._uses.bound:
                    return self._binding((around, name), self._uses.bound[around, name])
                inner = names.members.get(around, {}).get(name)
                if inner is not None:
                    return symbol(inner)
            elif names.is_type(around) and (implicit or not crossed):
                member = self.member(around, name)
                if member and member.what != "outside":
                    return member
            elif names.kinds[around] in SPACES and name in names.members.get(around, {}):
                return symbol(names.members[around][name])
        return None

    def _in_document(self, name: str, document: int) -> Value | None:
        names = self._names
        top = names.top.get(document, {}).get(name)
        imported = self._uses.imports.get(document, {}).get(name)
        if imported is not None and (top is None or names.is_value(top)):
            return self.imported(imported, document) or outside(_outer(imported))
        if top is not None:
            return _FUTURE if (-1 - document, name) in self._uses.bound else symbol(top)
        if name in self._locals(document):
            module = self._locals(document)[name]
            return self._found(document, module) or outside(module)
        if (-1 - document, name) in self._uses.bound:
            key = (-1 - document, name)
            return self._binding(key, self._uses.bound[key])
        return self._from_wildcards(name, document) or self._shared(name, document)

    def _from_wildcards(self, name: str, document: int) -> Value | None:
        for module in self._uses.wildcards.get(document, ()):
            found = self._found(document, module)
            inside = self._exports(found, name) if found else None
            if inside:
                return inside
        return None

    def _shared(self, name: str, document: int) -> Value | None:
        """Return what other files share with a document without being imported."""
        names = self._names
        uses = names.language(document).uses
        if uses.shares == "folder":
            folder = (uses.family, folder_of(names.paths[document]))
            row = names.folders.get(folder, {}).get(name)
            return None if row is None else symbol(row)
        if uses.shares == "everything":
            rows = names.everywhere.get((uses.family, name), [])
            row = names.nearest(rows, document)
            return symbol(row) if row >= 0 else _FUTURE if rows else None
        return None

    # Imports.

    def _modules_of(self, document: int) -> Modules:
        return self._modules[self._names.language(document).uses.family]

    def _found(self, document: int, module: str) -> Value | None:
        return self._modules_of(document).find(document, module)

    def _locals(self, document: int) -> dict[str, str]:
        """Return the modules that a document binds by importing nothing from them."""
        if document not in self._local:
            local = self._modules_of(document).local
            imports = self._uses.imports.get(document, {})
            pairs = (local(one.module) for key, one in imports.items() if key[0] == "*")
            self._local[document] = dict(pairs)
        return self._local[document]

    def imported(self, one: Import, document: int) -> Value | None:
        """Return what an import brings, or None if it is from outside."""
        key = (document, one)
        if key not in self._imported:
            found = self._found(document, one.module)
            self._imported[key] = found and self._taken(found, one.name)
        return self._imported[key]

    def _taken(self, module: Value, name: str) -> Value:
        """Return what an import takes from a module; without a name, the module."""
        if name in ("", EXPORTS):
            return (name and self._exports(module, name)) or module
        given = self._exports(module, name)
        if given is None and name == "default":
            return self._exports(module, EXPORTS) or module
        return given or _FUTURE

    def _exports(self, module: Value, name: str) -> Value | None:
        """Return what a module gives under a name."""
        if module.what == "package":
            return self._inside(module, name)
        key = (module.row, name)
        if key not in self._exported:
            self._exported[key] = None  # what imports itself gives nothing
            self._depth += 1
            if self._depth < _DEEPEST:
                self._exported[key] = self._export(module, name)
            self._depth -= 1
        return self._exported[key]

    def _export(self, module: Value, name: str) -> Value | None:
        document = module.row
        exported = self._uses.exports.get(document, {}).get(name)
        if exported is not None and exported != name:
            found = self.value(path_of(exported), document, -1)
            if found and found.what != "outside":
                return found
        top = self._names.top.get(document, {}).get(name)
        if top is not None:
            return symbol(top)
        imported = self._uses.imports.get(document, {}).get(name)
        if imported is not None:
            return self.imported(imported, document) or outside(_outer(imported))
        return self._inside(module, name) or self._from_wildcards(name, document)

    def _inside(self, module: Value, name: str) -> Value | None:
        for modules in self._modules.values():
            found = modules.inside(module, name)
            if found:
                return found
        return None

    # Members and types.

    def _step(self, value: Value, part: str) -> Value | None:
        if part == TAKEN:
            return None
        return self._called(value) if part == CALLED else self._steps[value.what](value, part)

    def _called(self, value: Value) -> Value | None:
        if value.what == "outside":
            return outside(value.name + CALLED)
        if value.what == "above":
            return value
        if value.what == "symbol" and self._names.is_value(value.row):
            held = self._held(value)
            return self._called(held) if held and held.what == "symbol" else None
        if value.what != "symbol":
            return None
        if self._names.is_type(value.row):
            return Value("object", value.row)
        return self.type_given(value.row)

    def _in_symbol(self, value: Value, name: str) -> Value | None:
        names = self._names
        if names.is_type(value.row):
            return self.member(value.row, name)
        if names.kinds[value.row] in SPACES:
            row = names.members.get(value.row, {}).get(name)
            return None if row is None else symbol(row)
        held = self._held(value)
        if held is None or (held.what == "symbol" and not names.is_type(held.row)):
            return None
        return self._steps[held.what](held, name)

    def _held(self, value: Value) -> Value | None:
        """Return what a value is given in the end, or what a function returns."""
        for _ in range(_ALIASES):
            held = self.type_given(value.row)
            if held is None or held.what != "symbol" or not self._names.is_value(held.row):
                return held
            value = held
        return None

    def type_given(self, row: int) -> Value | None:
        """Return what a value is, or what a function returns."""
        names = self._names
        if names.kinds[row] == "constructor":
            return Value("object", names.owner[row])
        if row in self._uses.returns:
            return self._of_type(self._uses.returns[row], row)
        if row in self._uses.given:
            return self._binding((row, ""), self._uses.given[row])
        return None

    def _of_type(self, text: str, row: int) -> Value | None:
        """Return an object of the type that a text names."""
        document = self._names.document[row] if row >= 0 else -1 - row
        wrappers = self._names.language(document).uses.wrappers
        found = self.value(type_of(text, wrappers), document, max(row, -1))
        if found and found.what == "symbol" and self._names.is_type(found.row):
            return Value("object", found.row)
        return outside(f"{found.name}()") if found and found.what == "outside" else None

    def _binding(self, key: tuple[int, str], bindings: list[Binding]) -> Value | None:
        """Return the one thing that a name is given, if there is only one."""
        if key not in self._bound:
            self._bound[key] = _FUTURE
            document = -1 - key[0] if key[0] < 0 else self._names.document[key[0]]
            typed = [one for one in bindings if one.type] or bindings
            values = {self._bound_to(one, document) for one in typed}
            self._bound[key] = values.pop() if len(values) == 1 else _FUTURE
        return self._bound[key] or _FUTURE

    def _bound_to(self, one: Binding, document: int) -> Value | None:
        if one.type:
            return self._of_type(one.type, one.row if one.row >= 0 else -1 - document)
        return self.value(path_of(one.value), document, one.row) if one.value else None

    def member(self, row: int, name: str) -> Value | None:
        """Return what a type's objects have under a name, of its own or of its bases."""
        key = (row, name)
        if key not in self._members:
            self._members[key] = None
            self._depth += 1
            if self._depth < _DEEPEST:
                self._members[key] = self._member(row, name)
            self._depth -= 1
        return self._members[key]

    def _member(self, row: int, name: str) -> Value | None:
        own = self._names.members.get(row, {}).get(name)
        if own is not None:
            return symbol(own)
        if (row, name) in self._uses.attributes:
            return self._binding((row, f".{name}"), self._uses.attributes[row, name])
        return self._first(self.bases(row), name)

    def _first(self, bases: tuple[Value, ...], name: str) -> Value | None:
        for base in bases:
            if base.what == "outside":
                return outside(f"{base.name}.{name}")
            found = self.member(base.row, name)
            if found:
                return found
        return None

    def bases(self, row: int) -> tuple[Value, ...]:
        """Return the types that a type is made from, as far as they are known."""
        if row not in self._bases:
            self._bases[row] = ()
            document = self._names.document[row]
            parent = self._names.owner[row]
            paths = (path for path, _, _ in self._uses.bases.get(row, ()))
            found = [self.value(path, document, parent) for path in paths]
            self._bases[row] = tuple(one for one in found if one and self._is_base(one))
        return self._bases[row]

    def _is_base(self, value: Value) -> bool:
        return value.what == "outside" or (
            value.what == "symbol" and self._names.is_type(value.row)
        )


def _outer(one: Import) -> str:
    """Return the name of what an import brings from outside."""
    return one.module if one.name in ("", "default", EXPORTS) else f"{one.module}.{one.name}"
