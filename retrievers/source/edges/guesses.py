"""Guesses for calls on a receiver of unknown type: the only method with this name."""

from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from retrievers.source.edges.memos import Memo
from retrievers.source.edges.names import Names
from retrievers.source.edges.resolver import Resolver

_FEW = 40
_SHORTEST = 3


class Guesses:
    """Methods that can be resolved by their name alone."""

    def __init__(self, names: Names, resolver: Resolver) -> None:
        self._names = names
        self._resolver = resolver
        self._known = Memo[tuple[str, str, bool], int | None](resolver.cycles, None)

    def method(self, name: str, document: int) -> int | None:
        """Return the only method with a name, -1 if there are several, or None without any.

        Common and very short names are -1, because they are often methods of external types.
        """
        uses = self._names.language(document).uses
        is_common = name in uses.common or len(name) < _SHORTEST
        return self._known.get((uses.family, name, is_common), self._only)

    def _only(self, wanted: tuple[str, str, bool]) -> int | None:
        *_, is_common = wanted
        key = wanted[:2]
        rows = [row for row in self._names.methods.get(key, []) if not self._is_announced(row)]
        if not rows:
            return None
        if is_common or len(rows) > _FEW:
            return -1
        # Methods that override each other count as one: the topmost. Implementations come before
        # methods of interfaces, unless only an interface relates the implementations.
        made = [row for row in rows if not self._names.is_interface(self._names.owner[row])]
        tops = {self._top(row, key[1], made or rows) for row in made or rows}
        if len(tops) > 1:
            tops = {self._top(row, key[1], rows) for row in rows}
        return tops.pop() if len(tops) == 1 else -1

    def _is_announced(self, row: int) -> bool:
        document = self._names.document[row]
        name = PurePosixPath(self._names.paths[document]).name
        patterns = self._names.language(document).uses.announces
        return any(fnmatchcase(name, one) for one in patterns)

    def _top(self, row: int, name: str, among: list[int]) -> int:
        """Return the topmost method of `among` that this one overrides, or the method itself."""
        owner = self._names.owner[row]
        owners = [owner, *self._resolver.lineage.ancestors(owner)]
        held = (self._names.members.get(owner, {}).get(name) for owner in owners)
        return [one for one in held if one in among][-1]
