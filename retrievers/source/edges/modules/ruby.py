"""Required files of Ruby, relative to the requiring file or to a folder of the load path."""

import posixpath
import re
from collections import defaultdict

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value


class RubyModules:
    """Files by path and by their path below a `lib` folder."""

    def __init__(self, tree: Tree) -> None:
        self._paths = tree.names.paths
        self._files = {self._paths[one].removesuffix(".rb"): one for one in tree.held}
        self._loaded: dict[str, list[int]] = defaultdict(list)
        for path, one in self._files.items():
            for place in re.finditer("/lib/", path):
                self._loaded[path[place.end() :]].append(one)

    def find(self, document: int, module: str) -> Value | None:
        """Return the required file, or None unless exactly one file matches."""
        folder = folder_of(self._paths[document])
        name = module.removesuffix(".rb")
        wanted = {posixpath.normpath(posixpath.join(folder, name)), f"lib/{name}", name}
        found = [self._files[one] for one in sorted(wanted) if one in self._files]
        if not found:
            found = self._loaded.get(name, [])
        return Value("module", found[0]) if len(found) == 1 else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None, because files do not contain modules."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return an impossible name, because `require` binds none."""
        return f"*{module}", module
