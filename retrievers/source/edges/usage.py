"""Edges from uses: calls, references, exceptions, type hints and imports."""

from collections.abc import Callable, Collection, Sequence

from retrievers.source.edges.collecting import Collecting
from retrievers.source.edges.expressions import CALLED, TAKEN, UNKNOWN
from retrievers.source.edges.guesses import Guesses
from retrievers.source.edges.literals import Literals
from retrievers.source.edges.names import Names
from retrievers.source.edges.relations import is_test
from retrievers.source.edges.resolver import Resolver
from retrievers.source.edges.spaces import SPACES
from retrievers.source.edges.uses import Import, Use, Uses
from retrievers.source.edges.values import Value

_FILES = 30
_FIELDS = ("field", "property", "constant", "variable", "variant")


class Usage:
    """Conversion of uses to edges."""

    def __init__(self, names: Names, uses: Uses, resolver: Resolver, found: Collecting) -> None:
        self._names = names
        self._uses = uses
        self._resolver = resolver
        self._guesses = Guesses(names, resolver)
        self._literals = Literals(names, resolver, found)
        self._found = found

    def add(self, documents: Collection[int]) -> None:
        """Add the edges of the uses and imports in documents."""
        cycles, handlers = self._resolver.cycles, self._handlers()
        for document in documents:
            self._found.document = document
            for use in self._uses.by_document.get(document, ()):
                handlers[use.what](use, document)
            cycles.note(document)
        self._literals.add_asked()
        for document in documents:
            self._found.document = document
            for one, line in self._uses.imported.get(document, ()):
                self._import(one, document, line)
            cycles.note(document)

    def _handlers(self) -> dict[str, Callable[[Use, int], None]]:
        # Not an attribute: bound methods there would be a reference cycle with all facts in it.
        return {
            "call": self._call,
            "argument": self._argument,
            "reference": self._reference,
            "access": self._access,
            "type_hint_of": self._hint,
            "decorates": self._named,
            "throws": self._named,
            "text": self._literals.add_text,
            "route": self._literals.add_route,
            "endpoint": self._literals.add_endpoint,
        }

    def _value(self, use: Use, document: int) -> Value | None:
        return self._resolver.used(use.path, document, use.row)

    def _add(self, kind: str, use: Use, document: int, target: int, *, is_inferred: bool) -> None:
        source = self._found.source(use.row, document)
        self._found.add(kind, source, target, use.line, is_inferred=is_inferred)

    def _call(self, use: Use, document: int) -> None:
        value = self._value(use, document)
        if value is None:
            self._guess(use, document)
        elif value.what in ("symbol", "above"):
            row = value.row if value.what == "symbol" else self._above(value.row)
            if row >= 0 and self._names.kinds[row] not in SPACES:
                self._add("calls", use, document, row, is_inferred=False)
        elif value.what == "outside" and CALLED not in use.path[-1:]:
            self._outside(use, document, value.name)

    def _above(self, row: int) -> int:
        bases = self._resolver.lineage.bases(row)
        return bases[0].row if bases and bases[0].what == "symbol" else -1

    def _outside(self, use: Use, document: int, name: str) -> None:
        target = self._found.external(name)
        self._add("calls", use, document, target, is_inferred=False)
        if name in self._names.language(document).uses.executes_process:
            self._add("executes_process", use, document, target, is_inferred=False)

    def _guess(self, use: Use, document: int) -> None:
        name = use.path[-1]
        if not use.path[:-1] or name in (CALLED, TAKEN, UNKNOWN):
            return
        row = self._guesses.method(name, document)
        if row is None:
            target = self._found.external(f"*.{name}")
            self._add("calls", use, document, target, is_inferred=True)
        elif row >= 0:
            self._add("calls", use, document, row, is_inferred=True)

    def _argument(self, use: Use, document: int) -> None:
        """Add an inferred call of a function that is passed as an argument, or a reference."""
        value = self._value(use, document)
        if value is None or value.what != "symbol":
            return
        if self._names.is_function(value.row) and not self._is_accessor(value.row):
            self._add("calls", use, document, value.row, is_inferred=True)
        else:
            self._refer(use, document, value.row)

    def _reference(self, use: Use, document: int) -> None:
        value = self._value(use, document)
        if value and value.what == "symbol":
            self._refer(use, document, value.row)

    def _access(self, use: Use, document: int) -> None:
        value = self._value(use, document)
        if value and value.what == "symbol" and self._is_read(value.row):
            self._refer(use, document, value.row)

    def _is_read(self, row: int) -> bool:
        return self._names.kinds[row] in _FIELDS or self._is_accessor(row)

    def _is_accessor(self, row: int) -> bool:
        return row in self._uses.read(self._names.document[row]).accessors

    def _refer(self, use: Use, document: int, row: int) -> None:
        """Add a use without a call: `accesses_field` for a field of a type, else `references`."""
        owner = self._names.owner[row]
        is_member = owner >= 0 and self._names.is_type(owner)
        kind = "accesses_field" if is_member and self._is_read(row) else "references"
        if self._names.kinds[row] not in SPACES:
            self._add(kind, use, document, row, is_inferred=False)

    def _hint(self, use: Use, document: int) -> None:
        value = self._resolver.named_type(use.path, document, use.row)
        if value is None:
            return
        if value.what == "symbol" and self._names.is_type(value.row):
            self._add("type_hint_of", use, document, value.row, is_inferred=False)
        elif value.what == "outside" and "." in value.name:
            target = self._found.external(value.name)
            self._add("type_hint_of", use, document, target, is_inferred=False)

    def _named(self, use: Use, document: int) -> None:
        path = use.path[:-1] if use.path[-1] == CALLED else use.path
        value = self._resolver.used(path, document, use.row)
        if value is None:
            return
        if value.what == "symbol":
            self._add(use.what, use, document, value.row, is_inferred=False)
        elif value.what == "outside":
            target = self._found.external(value.name)
            self._add(use.what, use, document, target, is_inferred=False)

    def _import(self, one: Import, document: int, line: int) -> None:
        source = self._found.file(document)
        value = self._resolver.imports.imported(one, document)
        if value is None:
            self._found.add("imports", source, self._found.external(one.module), line)
        elif value.what == "symbol":
            self._found.add("imports", source, value.row, line)
            self._found.add(
                "imports", source, self._found.file(self._names.document[value.row]), line
            )
        elif value.what == "module":
            self._found.add("imports", source, self._found.file(value.row), line)
        elif value.what == "package":
            for other in self._files_of(value, document):
                self._found.add("imports", source, self._found.file(other), line)

    def _files_of(self, package: Value, document: int) -> Sequence[int]:
        """Return the files of a package that is a folder, without tests; at most `_FILES`."""
        names = self._names
        rules = names.language(document).uses
        if rules.shares != "folder":
            return ()
        held = names.documents_in.get((rules.family, package.name), ())
        return [one for one in held if not is_test(names, one)][:_FILES]
