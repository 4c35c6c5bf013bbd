"""Bases and ancestors of types."""

from retrievers.source.edges.memos import NOTHING, Memo
from retrievers.source.edges.names import Names
from retrievers.source.edges.paths import Paths
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
        paths: Paths,
    ) -> None:
        self._names = names
        self._uses = uses
        self._paths = paths
        self._bases = Memo[int, tuple[Value, ...]](paths.cycles, ())
        self._above = Memo[int, tuple[Value, ...]](paths.cycles, NOTHING)

    def place_remote(self) -> None:
        """Add bases that are declared outside of their types, such as `impl Trait for Type`."""
        for path, base in self._uses.remote_bases:
            value = self._paths.value(path, base.document, base.row)
            if value and value.what == "symbol" and self._names.is_type(value.row):
                self._uses.bases[value.row].append(base)

    def bases(self, row: int) -> tuple[Value, ...]:
        """Return the direct bases of a type, without unresolved ones."""
        return self._bases.get(row, self._found_bases)

    def _found_bases(self, row: int) -> tuple[Value, ...]:
        said = self._uses.read(self._names.document[row]).bases.get(row, ())[:_ANCESTORS]
        return tuple(one for one in map(self.base, said) if one)

    def base(self, one: Base) -> Value | None:
        """Return the type or mixed-in module that a base refers to, or None."""
        value = self._paths.named_type(one.path, one.document, one.row)
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
        return self._above.get(row, self._found_above)

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
