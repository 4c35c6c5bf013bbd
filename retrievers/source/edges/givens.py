"""Types of values, from their annotations or from the values that are assigned to them."""

from retrievers.source.edges.expressions import path_of, type_of
from retrievers.source.edges.memos import Memo
from retrievers.source.edges.names import Names
from retrievers.source.edges.paths import Paths
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
        paths: Paths,
    ) -> None:
        self._names = names
        self._uses = uses
        self._paths = paths
        self._bound = Memo[tuple[int, str, str], Value](paths.cycles, UNCLEAR)

    def local(self, scope: int, name: str) -> Value | None:
        """Return the value of a name in a function, or at the top of a document.

        The scope is the row of a function, or `-1 - document`. None if the scope does not bind
        the name.
        """
        uses = self._uses.read(-1 - scope if scope < 0 else self._names.document[scope])
        return (
            self._bound.get((scope, name, "local"), self._given)
            if (scope, name) in uses.bound
            else None
        )

    def attribute(self, row: int, name: str) -> Value | None:
        """Return the value of an attribute of a type's objects, or None if it is never set."""
        uses = self._uses.read(self._names.document[row])
        return (
            self._bound.get((row, name, "attribute"), self._given)
            if (row, name) in uses.attributes
            else None
        )

    def of(self, row: int) -> Value | None:
        """Return the value of a variable, or the result of a function or constructor."""
        names = self._names
        if names.kinds[row] == "constructor":
            return Value("object", names.owner[row])
        uses = self._uses.read(names.document[row])
        if row in uses.returns:
            return self._of_type(uses.returns[row], row)
        return self._bound.get((row, "", "value"), self._given) if row in uses.given else None

    def in_the_end(self, row: int) -> Value | None:
        """Return the value like `of`, after following aliases from variable to variable."""
        for _ in range(_ALIASES):
            held = self.of(row)
            if held is None or held.what != "symbol" or not self._names.is_value(held.row):
                return held
            row = held.row
        return None

    def _given(self, key: tuple[int, str, str]) -> Value:
        """Return the only value of the bindings, or `UNCLEAR` if they differ.

        Bindings with a type annotation override the others.
        """
        row, name, what = key
        uses = self._uses
        if what == "value":
            bindings = uses.given[row]
        else:
            bindings = (uses.bound if what == "local" else uses.attributes)[row, name]
        document = -1 - row if row < 0 else self._names.document[row]
        typed = [one for one in bindings if one.type] or bindings
        values = {self._bound_to(one, document) for one in typed}
        return (values.pop() if len(values) == 1 else None) or UNCLEAR

    def _bound_to(self, one: Binding, document: int) -> Value | None:
        if one.type:
            return self._of_type(one.type, one.row if one.row >= 0 else -1 - document)
        return self._paths.value(path_of(one.value), document, one.row) if one.value else None

    def _of_type(self, text: str, row: int) -> Value | None:
        """Return an object of the type in an annotation, or None for an unknown type."""
        document = self._names.document[row] if row >= 0 else -1 - row
        wrappers = self._names.language(document).uses.wrappers
        found = self._paths.named_type(type_of(text, wrappers), document, max(row, -1))
        if found and found.what == "symbol" and self._names.is_type(found.row):
            return Value("object", found.row)
        return outside(f"{found.name}()") if found and found.what == "outside" else None
