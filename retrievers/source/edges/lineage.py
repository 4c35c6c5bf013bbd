"""Bases and ancestors of types."""

from collections.abc import Callable

from retrievers.source.edges.expressions import Path
from retrievers.source.edges.names import Names
from retrievers.source.edges.uses import Base, Uses
from retrievers.source.edges.values import Value, symbol

_ANCESTORS = 100
"""Maximum number of ancestors of a type; code has fewer."""


class Lineage:
    """The resolved bases of types."""

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
        self._bases: dict[int, tuple[Value, ...]] = {}
        self._above: dict[int, tuple[Value, ...]] = {}

    def place_remote(self) -> None:
        """Add bases that are declared outside of their types, such as `impl Trait for Type`."""
        for path, base in self._uses.remote_bases:
            value = self._value(path, base.document, base.row)
            if value and value.what == "symbol" and self._names.is_type(value.row):
                self._uses.bases[value.row].append(base)

    def bases(self, row: int) -> tuple[Value, ...]:
        """Return the direct bases of a type, without unresolved ones."""
        if row not in self._bases:
            self._bases[row] = ()  # the result for a cycle of bases
            said = self._uses.bases.get(row, ())[:_ANCESTORS]
            self._bases[row] = tuple(one for one in map(self.base, said) if one)
        return self._bases[row]

    def base(self, one: Base) -> Value | None:
        """Return the type or mixed-in module that a base refers to, or None."""
        value = self._named_type(one.path, one.document, one.row)
        if value and value.what == "space":
            around, _, name = value.name.rpartition(".")
            row = self._names.spaces.meant(value.row, around, name)
            return None if row is None or row < 0 else symbol(row)
        is_type = value and value.what == "symbol" and self._names.is_mixed_in(value.row)
        return value if value and (is_type or value.what == "outside") else None

    def above(self, row: int) -> tuple[Value, ...]:
        """Return the ancestors of a type in the order of name lookup.

        An external type is the last one, because its members are unknown.
        """
        if row not in self._above:
            self._above[row] = self._found_above(row)
        return self._above[row]

    def _found_above(self, row: int) -> tuple[Value, ...]:
        found: dict[Value, None] = {}
        left = [*reversed(self.bases(row))]
        while left and len(found) < _ANCESTORS:
            one = left.pop()
            if one in found or one.row == row:
                continue
            found[one] = None
            if one.what == "outside":
                break
            left.extend(reversed(self.bases(one.row)))
        return tuple(found)

    def ancestors(self, row: int) -> list[int]:
        """Return the ancestors of a type that the repository defines, the nearest first."""
        seen = {row: None}
        level = [row]
        while level and len(seen) < _ANCESTORS:
            bases = (base for one in level for base in self.bases(one))
            level = [base.row for base in bases if base.what == "symbol" and base.row not in seen]
            seen |= dict.fromkeys(level)
        return [*seen][1 : _ANCESTORS + 1]
