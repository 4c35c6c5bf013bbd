"""Namespaces across files, and the choice among definitions of the same name in one of them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from retrievers.source.edges.nearest import Nearest

if TYPE_CHECKING:
    from retrievers.source.edges.names import Names

SPACES = ("module", "namespace")
"""Kinds that only contain other definitions."""
ANNOUNCING = ("declaration", "overload")
"""Kinds that declare a definition elsewhere."""

_Key = tuple[str, str, str]
"""Family, dotted name of a namespace, and a name in it."""


class Spaces:
    """The namespaces of a repository. Top-level definitions are in a namespace without a name."""

    def __init__(self, names: "Names") -> None:
        self._names = names
        self._known: set[tuple[str, str]] = set()
        self._rows: dict[_Key, list[int]] = defaultdict(list)
        self._nearest: dict[_Key, _Namesakes] = {}
        for row, simple in enumerate(names.simple):
            space = self.around(row)
            if space is None:
                continue
            family = names.language(names.document[row]).uses.family
            self._known.add((family, space))
            self._rows[family, space, simple].append(row)
            if names.kinds[row] in SPACES:
                self._known.add((family, inner(space, simple)))

    def has(self, document: int, space: str) -> bool:
        """Tell whether the language family of a document has a namespace."""
        return (self._names.language(document).uses.family, space) in self._known

    def around(self, row: int) -> str | None:
        """Return the full name of a definition's namespace, or None inside a type or function."""
        names = self._names
        parts: list[str] = []
        while names.owner[row] >= 0:
            row = names.owner[row]
            if names.kinds[row] not in SPACES:
                return None
            parts.append(names.simple[row])
        return ".".join([part for part in (names.qualifier[row], *reversed(parts)) if part])

    def opened(self, row: int) -> str:
        """Return the full name of the namespace that a row opens."""
        return inner(self.around(row) or "", self._names.simple[row])

    def meant(self, document: int, space: str, name: str) -> int | None:
        """Return the row of a name in a namespace, -1 if it is unclear, or None without one."""
        key = (self._names.language(document).uses.family, space, name)
        if key not in self._rows:
            return None
        if key not in self._nearest:
            self._nearest[key] = _Namesakes(self._names, self._rows[key])
        return self._nearest[key].to(document)


class _Namesakes:
    """The definitions of a name in a namespace. Private ones are visible only in their file."""

    def __init__(self, names: "Names", rows: list[int]) -> None:
        self._names = names
        self._own: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            if self._is_private(row):
                self._own[names.document[row]].append(row)
        shared = [row for row in rows if not self._is_private(row)]
        made = list(self._made(shared))
        paths = {row: names.paths[names.document[row]] for row in shared}
        self._is_made = bool(made)
        self._shared = Nearest(made or shared, paths) if shared else None

    def _is_private(self, row: int) -> bool:
        return self._names.symbols.visibility[row] == "private"

    def _made(self, rows: list[int]) -> Iterator[int]:
        return (row for row in rows if self._names.kinds[row] not in ANNOUNCING)

    def to(self, document: int) -> int | None:
        """Return the definition for a document, -1 if it is unclear, or None if none is visible.

        Definitions come before declarations, and private ones before those of other files.
        """
        path = self._names.paths[document]
        own = self._own.get(document, [])
        made = list(self._made(own))
        if not made and (self._is_made or not own):
            return self._shared.to(path) if self._shared else None
        rivals = self._shared if self._is_made or not made else None
        is_alone = len(made or own) == 1 and not (rivals and rivals.holds(path))
        return (made or own)[0] if is_alone else -1


def inner(space: str, name: str) -> str:
    """Return the full name of a member of a namespace."""
    return f"{space}.{name}".strip(".")
