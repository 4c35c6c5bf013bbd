"""Included files of C and C++, and namespaces of C++."""

import posixpath

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value

_PARTS = 12
"""Maximum number of parts of an included path that are compared; code uses fewer."""
_SEVERAL = -1


class NativeModules:
    """Included files, relative to the including file or by a unique end of their path."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._files = {tree.names.paths[one]: one for one in tree.held}
        self._ends: dict[str, int] = {}
        for path, one in self._files.items():
            parts = path.split("/")[-_PARTS:]
            for first in range(len(parts)):
                ending = "/".join(parts[first:])
                self._ends[ending] = _SEVERAL if ending in self._ends else one

    def find(self, document: int, module: str) -> Value | None:
        """Return an included file or an opened namespace."""
        folder = folder_of(self._names.paths[document])
        beside = posixpath.normpath(posixpath.join(folder, module))
        if beside in self._files:
            return Value("module", self._files[beside])
        found = self._ends.get(module.lstrip("./"), _SEVERAL)
        if found != _SEVERAL:
            return Value("module", found)
        space = module.replace("::", ".")
        return Value("space", document, space) if self._names.spaces.has(document, space) else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None, because files do not contain modules."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return an impossible name, because an include binds none."""
        return f"*{module}", module
