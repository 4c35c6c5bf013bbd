"""Imports, re-exports and wildcard imports between documents."""

from collections.abc import Mapping
from functools import cached_property

from retrievers.source.edges.expressions import path_of
from retrievers.source.edges.memos import NOTHING, Memo
from retrievers.source.edges.modules import Modules
from retrievers.source.edges.names import Names
from retrievers.source.edges.paths import Paths
from retrievers.source.edges.uses import EXPORTS, Import, Uses
from retrievers.source.edges.values import UNCLEAR, Value, outside, symbol

_STEPS = 2_000_000
"""Maximum number of steps through wildcard imports, for all names of a repository together. The
time grows with the square of the number of modules that import everything from each other."""
_SURE_STEPS = _STEPS * 19 // 20
"""With more steps left, the next commits do not reach the maximum."""
_DEEPEST = 60
"""Maximum number of re-exports of a name: more than code has, below Python's recursion limit."""


class Imports:
    """Resolution of imported names."""

    def __init__(
        self,
        names: Names,
        uses: Uses,
        modules: Mapping[str, Modules],
        paths: Paths,
    ) -> None:
        self._names = names
        self._uses = uses
        self._modules = modules
        self._paths = paths
        self._exported = Memo[tuple[int, str], Value | None](paths.cycles, None)
        self._imported = Memo[tuple[int, Import], Value | None](paths.cycles, NOTHING)
        self._local: dict[int, dict[str, str]] = {}
        self._opened: dict[int, tuple[Value, ...]] = {}
        self._depth = 0
        self._steps = _STEPS

    def _modules_of(self, document: int) -> Modules:
        return self._modules[self._names.language(document).uses.family]

    def found(self, document: int, module: str) -> Value | None:
        """Return the module that a name in an import of a document refers to, or None."""
        return self._modules_of(document).find(document, module)

    def named(self, name: str, document: int) -> Value | None:
        """Return the target of an imported name, or None if the document does not import it.

        The target of an import from outside the repository is external.
        """
        imported = self._uses.read(document).imports.get(document, {}).get(name)
        if imported is not None:
            return self.imported(imported, document) or outside(_outer(imported))
        module = self._locals(document).get(name)
        return None if module is None else self.found(document, module) or outside(module)

    def _locals(self, document: int) -> dict[str, str]:
        """Return the modules that a document imports as a whole, by their local names."""
        if document not in self._local:
            local = self._modules_of(document).local
            imports = self._uses.read(document).imports.get(document, {})
            pairs = (local(one.module) for key, one in imports.items() if key[0] == "*")
            self._local[document] = dict(pairs)
        return self._local[document]

    def imported(self, one: Import, document: int) -> Value | None:
        """Return the target of an import, or None if the module is external."""
        return self._imported.get((document, one), self._import)

    def _import(self, key: tuple[int, Import]) -> Value | None:
        document, one = key
        found = self.found(document, one.module)
        return found and self._taken(found, one.name)

    def _taken(self, module: Value, name: str) -> Value:
        """Return the imported name of a module, or the module itself without a name."""
        if name in ("", EXPORTS):
            return (name and self.exports(module, name)) or module
        given = self.exports(module, name)
        if given is None and name == "default":
            return self.exports(module, EXPORTS) or module
        return given or UNCLEAR

    def exports(self, module: Value, name: str) -> Value | None:
        """Return the target of a name that a module exports, or None."""
        if module.what != "module":
            return self._paths.of(module, name)
        return self._exported.get((module.row, name), self._export)

    def _export(self, key: tuple[int, str]) -> Value | None:
        self._depth += 1
        self._paths.cycles.is_limited |= self._depth >= _DEEPEST
        found = self._export_of(*key) if self._depth < _DEEPEST else None
        self._depth -= 1
        return found

    def _export_of(self, document: int, name: str) -> Value | None:
        uses = self._uses.read(document)
        exported = uses.exports.get(document, {}).get(name)
        if exported is not None and exported != name:
            found = self._paths.value(path_of(exported), document, -1)
            if found and found.what != "outside":
                return found
        top = self._names.top.get(document, {}).get(name)
        if top is not None:
            return symbol(top)
        if name in uses.imports.get(document, {}):
            return self.named(name, document)
        return self.inside(Value("module", document), name) or self.from_wildcards(name, document)

    def inside(self, module: Value, name: str) -> Value | None:
        """Return a submodule of a module, or a member of a package, by its name."""
        document = module.row
        if document >= 0:
            return self._modules_of(document).inside(module, name)
        found = (modules.inside(module, name) for modules in self._modules.values())
        return next((one for one in found if one), None)

    def from_wildcards(self, name: str, document: int) -> Value | None:
        """Return the target of a name that a wildcard import brings, or None."""
        if name not in self._given:
            return None
        for module in self._wildcards(document):
            self._steps -= 1
            self._paths.cycles.is_limited |= self._steps < _SURE_STEPS
            found = self.exports(module, name) if self._steps >= 0 else None
            # A type with an external base may not have this name: its members are unknown.
            if found and (found.what != "outside" or module.what != "symbol"):
                return found
        return None

    def _wildcards(self, document: int) -> tuple[Value, ...]:
        """Return the distinct modules of a document's wildcard imports."""
        if document not in self._opened:
            said = self._uses.read(document).wildcards.get(document, ())
            found = (self.found(document, module) for module in said)
            self._opened[document] = tuple(dict.fromkeys(one for one in found if one))
        return self._opened[document]

    @cached_property
    def _given(self) -> frozenset[str]:
        """All names that any document can export. Wildcard imports cannot bring other names."""
        names = self._names
        given = set(names.simple)
        given.update(self._uses.local_names())
        given.update(part for text in set(names.qualifier) for part in text.split("."))
        given.update(part.partition(".")[0] for path in names.paths for part in path.split("/"))
        return frozenset(given)


def _outer(one: Import) -> str:
    """Return the full name of an external import."""
    return one.module if one.name in ("", "default", EXPORTS) else f"{one.module}.{one.name}"
