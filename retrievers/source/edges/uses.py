"""Facts of documents by their purpose: bindings, imports, bases, and uses to resolve."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from retrievers.source.edges.expressions import (
    CALLED,
    TAKEN,
    UNKNOWN,
    Path,
    expanded,
    path_of,
    type_of,
    types_in,
)
from retrievers.source.edges.names import Names
from retrievers.source.parsing import Fact
from retrievers.source.rules import EdgeRules

EXPORTS = "exports"
"""The name of a module as one value, as in `module.exports` of JavaScript."""
BINDING = (
    *("import", "export", "extends", "implements", "field", "bound", "returns", "decorator"),
    "package",
)
"""The kinds of facts that can decide what a name means; the others only use names."""
IGNORED = ("None", "null", "undefined", "nil")


class Import(NamedTuple):
    """An imported name; without `name`, the module itself."""

    module: str
    name: str


class Binding(NamedTuple):
    """An assignment to a name: the texts of its type and value, or empty texts."""

    row: int
    type: str
    value: str


class Base(NamedTuple):
    """A base of a type, with the position of its declaration."""

    path: Path
    kind: str
    document: int
    row: int
    line: int


class Use(NamedTuple):
    """A path that a definition uses, and the kind of the use."""

    what: str
    row: int
    line: int
    path: Path
    text: str = ""
    handler: Path = ()


@dataclass(slots=True)
class Uses:
    """The facts of all documents, by their purpose."""

    names: Names
    reader: Callable[[int, "Uses"], None]
    """Adds the facts of a document."""
    unread: set[int]
    """The documents whose facts are not here yet."""
    by_document: dict[int, list[Use]] = field(default_factory=dict)
    imports: dict[int, dict[str, Import]] = field(default_factory=lambda: defaultdict(dict))
    wildcards: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[int, list[tuple[Import, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    exports: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    bound: dict[tuple[int, str], list[Binding]] = field(default_factory=lambda: defaultdict(list))
    """Local bindings by scope and name. A scope is a function's row, or `-1 - document`."""
    attributes: dict[tuple[int, str], list[Binding]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Bindings of attributes, by type and name."""
    given: dict[int, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    """Bindings of values that are symbols, by row."""
    packages: dict[int, str] = field(default_factory=dict)
    """The declared package of each document."""
    accessors: set[int] = field(default_factory=set)
    """Rows of methods that are read like fields."""
    returns: dict[int, str] = field(default_factory=dict)
    bases: dict[int, list[Base]] = field(default_factory=lambda: defaultdict(list))
    """Bases by type."""
    remote_bases: list[tuple[Path, Base]] = field(default_factory=list)
    """Bases that are declared outside of their type, with the type's path."""
    names_before: tuple[str, ...] | None = None
    """The names that imports and exports bind, if they are those of an earlier commit."""

    def read(self, document: int) -> "Uses":
        """Return the facts, with those of a document."""
        if document in self.unread:
            self.unread.discard(document)
            self.reader(document, self)
        return self

    def local_names(self) -> tuple[str, ...]:
        """Return the distinct names that the imports and exports of all documents bind."""
        if self.names_before is not None:
            return self.names_before
        return tuple(sorted(set().union(*self.imports.values(), *self.exports.values())))

    def add(self, document: int, facts: Iterable[tuple[Fact, int, int]]) -> None:
        """Add the facts of a document, each with its innermost definition and its line."""
        rules = self.names.language(document).uses
        sorting = _Sorting(self, document, rules)
        placed = list(facts)
        # A decorator with arguments is a call as well; only the decorator counts.
        decorating = {fact.start for fact, _, _ in placed if fact.what == "decorator"}
        for fact, row, line in placed:
            if fact.what != "call" or fact.start not in decorating:
                sorting.add(fact, row, line)
        self.by_document[document] = sorting.found


class _Sorting:
    """Dispatch of a document's facts by their kind."""

    def __init__(self, uses: Uses, document: int, rules: EdgeRules) -> None:
        self.found: list[Use] = []
        self._uses = uses
        self._names = uses.names
        self._document = document
        self._rules = rules

    def add(self, fact: Fact, row: int, line: int) -> None:
        """Add a fact. Other kinds are uses of a path, unless it begins with a keyword."""
        sort = self._SORTERS.get(fact.what)
        if sort:
            sort(self, fact, row, line)
            return
        path = path_of(fact.said[""])
        if path[0] not in self._rules.keywords:
            self.found.append(Use(fact.what, row, line, path))

    def _import(self, fact: Fact, _row: int, line: int) -> None:
        said, document = fact.said, self._document
        if "tree" in said:
            self._import_tree(said["tree"], line)
            return
        name = "default" if "default" in said else EXPORTS if "whole" in said else ""
        one = Import(said["module"].strip("\"'<>"), said.get("name", name))
        self._uses.imported[document].append((one, line))
        if "all" in said:
            self._uses.wildcards[document].append(one.module)
        else:
            given = said.get("as") or said.get("default") or said.get("whole")
            local = given or one.name or f"*{one.module}"
            self._uses.imports[document].setdefault(local, one)

    def _import_tree(self, text: str, line: int) -> None:
        for parts, local in expanded(text):
            *module, name = parts
            one = Import(".".join(module) if module else name, name if module else "")
            self._uses.imported[self._document].append((one, line))
            if name == "*":
                self._uses.wildcards[self._document].append(one.module)
            else:
                self._uses.imports[self._document].setdefault(local, one)

    def _path(self, said: Mapping[str, str], name: str) -> Path:
        """Return a path after the path of its receiver, if the fact has one."""
        path = path_of(said[name])
        return path_of(said["on"]) + path if "on" in said else path

    def _package(self, fact: Fact, _row: int, _line: int) -> None:
        self._uses.packages[self._document] = fact.said[""]

    def _call(self, fact: Fact, row: int, line: int) -> None:
        path = self._path(fact.said, "")
        if path[0] not in self._rules.keywords:
            self.found.append(Use("call", row, line, path))

    def _export(self, fact: Fact, _row: int, _line: int) -> None:
        name = fact.said["name"]
        self._uses.exports[self._document][fact.said.get("as") or name] = name

    def _base(self, fact: Fact, row: int, line: int) -> None:
        path = path_of(fact.said[""])
        path = path[:-1] if path[-1] in (TAKEN, CALLED) else path
        owner = self._names.type_around(row)
        if "of" in fact.said:
            of = type_of(fact.said["of"], ())
            base = Base(path, fact.what, self._document, row, line)
            self._uses.remote_bases.append((of, base))
        elif owner >= 0:
            around = self._names.owner[owner]
            base = Base(path, fact.what, self._document, around, line)
            self._uses.bases[owner].append(base)

    def _field(self, fact: Fact, row: int, line: int) -> None:
        owner, name = self._names.type_around(row), fact.said[""]
        self._uses.attributes[owner, name].append(Binding(row, fact.said["type"], ""))
        self._hints(fact.said["type"], row, line)

    def _bound(self, fact: Fact, row: int, line: int) -> None:
        said, names = fact.said, self._names
        kind = said.get("type", "")
        kind = "" if kind in self._rules.untyped else kind
        binding = Binding(row, kind, said.get("value", ""))
        self._hints(binding.type, row, line)
        path = path_of(said.get("", "") or said.get("again", ""))
        *before, name = path
        if binding.value in IGNORED or self._is_definition(row, name, binding):
            return
        is_own = before[:1] and before[0] in self._rules.own and not before[1:]
        if is_own or (not before and name.startswith("@")):
            self._uses.attributes[names.type_around(row), name].append(binding)
        elif not before and row >= 0 and names.is_value(row) and names.simple[row] == name:
            self._uses.given[row].append(binding)
        elif not before:
            around = names.function_around(row)
            scope = around if around >= 0 else -1 - self._document
            self._uses.bound[scope, name].append(binding)

    def _is_definition(self, row: int, name: str, binding: Binding) -> bool:
        """Tell whether an assignment is known as an import or a definition already."""
        if path_of(binding.value or UNKNOWN)[0] in self._rules.keywords:
            return True
        names = self._names
        return row >= 0 and names.simple[row] == name and not names.is_value(row)

    def _returns(self, fact: Fact, row: int, line: int) -> None:
        self._uses.returns.setdefault(self._names.function_around(row), fact.said[""])
        self._hints(fact.said[""], row, line)

    def _hint(self, fact: Fact, row: int, line: int) -> None:
        self._hints(fact.said[""], row, line)

    def _hints(self, text: str, row: int, line: int) -> None:
        self.found.extend(Use("type_hint_of", row, line, path) for path in types_in(text))

    def _text(self, fact: Fact, row: int, line: int) -> None:
        path = self._path(fact.said, "of")
        self.found.append(Use(fact.what, row, line, path, fact.said[""]))

    def _route(self, fact: Fact, row: int, line: int) -> None:
        path = path_of(fact.said["of"])
        if path[-1] in self._rules.routes:
            handler = path_of(fact.said["handler"]) if "handler" in fact.said else ()
            address = fact.said[""].strip("rbf\"'`")
            self.found.append(Use("route", row, line, path, address, handler))

    def _decorator(self, fact: Fact, row: int, line: int) -> None:
        path = path_of(fact.said[""])
        path = path[:-1] if path[-1] == CALLED else path
        if path[-1] in self._rules.accessors:
            self._uses.accessors.add(row)
        self.found.append(Use("decorates", row, line, path))

    # A table of bound methods would be a reference cycle with all facts in it, and the garbage
    # collector takes half a second to free a million facts.
    _SORTERS: ClassVar[Mapping[str, Callable[["_Sorting", Fact, int, int], None]]] = {
        "import": _import,
        "export": _export,
        "extends": _base,
        "implements": _base,
        "field": _field,
        "bound": _bound,
        "returns": _returns,
        "hint": _hint,
        "text": _text,
        "endpoint": _text,
        "route": _route,
        "decorator": _decorator,
        "call": _call,
        "package": _package,
    }
