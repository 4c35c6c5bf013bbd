"""What names are given: the type that a value is said to have, or that its value shows."""

from collections.abc import Callable

from retrievers.source.edges.expressions import Path, path_of, type_of
from retrievers.source.edges.names import Names
from retrievers.source.edges.uses import Binding, Uses
from retrievers.source.edges.values import UNCLEAR, Value, outside

_ALIASES = 10
"""Names that are given other names: more than code has."""


class Givens:
    """What values are and what functions return."""

    def __init__(
        self,
        names: Names,
        uses: Uses,
        value: Callable[[Path, int, int], Value | None],
        named_type: Callable[[Path, int, int], Value | None],
    ) -> None:
        self._names = names
        self._uses = uses
        self._value = value
        self._named_type = named_type
        self._bound: dict[tuple[int, str], Value | None] = {}

    def local(self, scope: int, name: str) -> Value | None:
        """Return what a name is given in a function, or at the top of a document.

        A scope is the function's row, or minus the document and one; None if the name is given
        nothing there.
        """
        bindings = self._uses.bound.get((scope, name))
        return None if bindings is None else self._one((scope, name), bindings)

    def attribute(self, row: int, name: str) -> Value | None:
        """Return what the objects of a type are given under a name, or None if nothing."""
        bindings = self._uses.attributes.get((row, name))
        return None if bindings is None else self._one((row, f".{name}"), bindings)

    def of(self, row: int) -> Value | None:
        """Return what a value is, or what a function returns."""
        names = self._names
        if names.kinds[row] == "constructor":
            return Value("object", names.owner[row])
        if row in self._uses.returns:
            return self._of_type(self._uses.returns[row], row)
        if row in self._uses.given:
            return self._one((row, ""), self._uses.given[row])
        return None

    def in_the_end(self, row: int) -> Value | None:
        """Return what a value is, also when it is another value, or what a function returns."""
        for _ in range(_ALIASES):
            held = self.of(row)
            if held is None or held.what != "symbol" or not self._names.is_value(held.row):
                return held
            row = held.row
        return None

    def _one(self, key: tuple[int, str], bindings: list[Binding]) -> Value:
        """Return the one thing that a name is given, if there is only one."""
        if key not in self._bound:
            self._bound[key] = UNCLEAR
            document = -1 - key[0] if key[0] < 0 else self._names.document[key[0]]
            typed = [one for one in bindings if one.type] or bindings
            values = {self._bound_to(one, document) for one in typed}
            self._bound[key] = values.pop() if len(values) == 1 else UNCLEAR
        return self._bound[key] or UNCLEAR

    def _bound_to(self, one: Binding, document: int) -> Value | None:
        if one.type:
            return self._of_type(one.type, one.row if one.row >= 0 else -1 - document)
        return self._value(path_of(one.value), document, one.row) if one.value else None

    def _of_type(self, text: str, row: int) -> Value | None:
        """Return an object of the type that a text names."""
        document = self._names.document[row] if row >= 0 else -1 - row
        wrappers = self._names.language(document).uses.wrappers
        found = self._named_type(type_of(text, wrappers), document, max(row, -1))
        if found and found.what == "symbol" and self._names.is_type(found.row):
            return Value("object", found.row)
        return outside(f"{found.name}()") if found and found.what == "outside" else None
