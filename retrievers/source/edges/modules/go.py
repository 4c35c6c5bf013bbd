"""Go packages. A package is a folder, imported by the paths of its module and folder."""

import re

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value, symbol

_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_VERSION = re.compile(r"v\d+")


class GoModules:
    """Package folders by import path."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._folders = {folder_of(tree.names.paths[one]) for one in tree.held}
        self._family = tree.names.language(tree.held[0]).uses.family
        self._modules = {
            found.group(1).strip('"'): folder_of(path)
            for path, text in tree.files("go.mod")
            if (found := _MODULE.search(text))
        }

    def find(self, document: int, module: str) -> Value | None:
        """Return the folder of a package."""
        wanted = self._declared(module) if self._modules else self._ending(module)
        return None if wanted is None else Value("package", document, wanted)

    def _declared(self, module: str) -> str | None:
        """Return the folder below the longest matching module path in a `go.mod`, or None."""
        name = module
        while name:
            if name in self._modules:
                folder = f"{self._modules[name]}/{module[len(name) + 1 :]}".strip("/")
                if folder in self._folders:
                    return folder
            name = name.rpartition("/")[0]
        return None

    def _ending(self, module: str) -> str | None:
        """Return the longest folder at the end of a path, for repositories without `go.mod`."""
        ending = module if "/" in module else ""
        while ending and ending not in self._folders:
            ending = ending.partition("/")[2]
        return ending or None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return a definition from any file of a package."""
        if value.what != "package":
            return None
        row = self._names.folders.get((self._family, value.name), {}).get(name)
        return None if row is None else symbol(row)

    def local(self, module: str) -> tuple[str, str]:
        """Return the last part of the path that is not a version, without a suffix like `.v3`."""
        parts = [part for part in module.split("/") if not _VERSION.fullmatch(part)]
        return (parts or [module])[-1].rpartition(".")[0] or (parts or [module])[-1], module
