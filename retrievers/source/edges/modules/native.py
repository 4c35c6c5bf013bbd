"""Files that C and C++ include, and the namespaces that C++ opens."""

import posixpath
from collections import defaultdict

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.names import folder_of
from retrievers.source.edges.values import Value


class NativeModules:
    """Included files, beside the including one or by the end of their paths."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._files = {tree.names.paths[one]: one for one in tree.held}
        self._ends: dict[str, list[str]] = defaultdict(list)
        for path in self._files:
            self._ends[path.rpartition("/")[2]].append(path)

    def find(self, document: int, module: str) -> Value | None:
        """Return an included file or an opened namespace."""
        folder = folder_of(self._names.paths[document])
        beside = posixpath.normpath(posixpath.join(folder, module))
        if beside in self._files:
            return Value("module", self._files[beside])
        found = [
            path
            for path in self._ends[module.rpartition("/")[2]]
            if f"/{path}".endswith(f"/{module.lstrip('./')}")
        ]
        if len(found) == 1:
            return Value("module", self._files[found[0]])
        space = module.replace("::", ".")
        family = self._names.language(document).uses.family
        known = (family, space) in self._names.spaces
        return Value("space", document, space) if known else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None: files hold no files."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return a name that nothing can say, because the import binds none."""
        return f"*{module}", module
