"""Files that C and C++ include, and the namespaces that C++ opens."""

import posixpath

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value

_PARTS = 12
"""Of an included path: more than code has."""
_SEVERAL = -1


class NativeModules:
    """Included files, beside the including one or by the end of their paths."""

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
        """Return None: files hold no files."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return a name that nothing can say, because the import binds none."""
        return f"*{module}", module
