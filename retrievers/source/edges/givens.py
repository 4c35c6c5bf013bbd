"""Types of values, from their annotations or from the values that are assigned to them."""

from collections.abc import Callable

from retrievers.source.edges.expressions import Path, path_of, type_of
from retrievers.source.edges.names import Names
from retrievers.source.edges.uses import Binding, Uses
from retrievers.source.edges.values import UNCLEAR, Value, outside

_ALIASES = 10
"""Maximum length of a chain of aliases; code has shorter ones."""


class Givens:
    """Types of variables and attributes, and of the results of functions."""

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
        """Return the value of a name in a function, or at the top of a document.

        The scope is the row of a function, or `-1 - document`. None if the scope does not bind
        the name.
        """
        bindings = self._uses.bound.get((scope, name))
        return None if bindings is None else self._one((scope, name), bindings)

    def attribute(self, row: int, name: str) -> Value | None:
        """Return the value of an attribute of a type's objects, or None if it is never set."""
        bindings = self._uses.attributes.get((row, name))
        return None if bindings is None else self._one((row, f".{name}"), bindings)

    def of(self, row: int) -> Value | None:
        """Return the value of a variable, or the result of a function or constructor."""
        names = self._names
        if names.kinds[row] == "constructor":
            return Value("object", names.owner[row])
        if row in self._uses.returns:
            return self._of_type(self._uses.returns[row], row)
        if row in self._uses.given:
            return self._one((row, ""), self._uses.given[row])
        return None

    def in_the_end(self, row: int) -> Value | None:
        """Return the value like `of`, after following aliases from variable to variable."""
        for _ in range(_ALIASES):
            held = self.of(row)
            if held is None or held.what != "symbol" or not self._names.is_value(held.row):
                return held
            row = held.row
        return None

    def _one(self, key: tuple[int, str], bindings: list[Binding]) -> Value:
        """Return the only value of the bindings, or `UNCLEAR` if they differ.

        Bindings with a type annotation override the others.
        """
        if key not in self._bound:
            self._bound[key] = UNCLEAR  # the result if a binding refers to itself
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
        """Return an object of the type in an annotation, or None for an unknown type."""
        document = self._names.document[row] if row >= 0 else -1 - row
        wrappers = self._names.language(document).uses.wrappers
        found = self._named_type(type_of(text, wrappers), document, max(row, -1))
        if found and found.what == "symbol" and self._names.is_type(found.row):
            return Value("object", found.row)
        return outside(f"{found.name}()") if found and found.what == "outside" else None
