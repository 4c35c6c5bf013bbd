"""Go's packages: a folder each, imported by the module's path and the folder's."""

import re
from collections import defaultdict

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.names import folder_of
from retrievers.source.edges.values import Value, symbol

_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_VERSION = re.compile(r"v\d+")


class GoModules:
    """Folders by import path."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._folders = {folder_of(tree.names.paths[one]) for one in tree.held}
        self._family = tree.names.language(tree.held[0]).uses.family
        self._modules = [
            (found.group(1).strip('"'), folder_of(path))
            for path, text in tree.files("go.mod")
            if (found := _MODULE.search(text))
        ]
        self._ends: dict[str, list[str]] = defaultdict(list)
        for folder in self._folders:
            self._ends[folder.rpartition("/")[2]].append(folder)

    def find(self, document: int, module: str) -> Value | None:
        """Return the folder of a package."""
        for name, folder in self._modules:
            if module == name or module.startswith(f"{name}/"):
                wanted = f"{folder}/{module[len(name) + 1 :]}".strip("/")
                if wanted in self._folders:
                    return Value("package", document, wanted)
        if self._modules:
            return None
        found = [
            folder
            for folder in self._ends[module.rpartition("/")[2]]
            if "/" in module and f"/{module}".endswith(f"/{folder}")
        ]
        return Value("package", document, max(found, key=len)) if found else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return what any file of a package defines."""
        if value.what != "package":
            return None
        row = self._names.folders.get((self._family, value.name), {}).get(name)
        return None if row is None else symbol(row)

    def local(self, module: str) -> tuple[str, str]:
        """Return the last part of the path that is no version."""
        parts = [part for part in module.split("/") if not _VERSION.fullmatch(part)]
        return (parts or [module])[-1].rpartition(".")[0] or (parts or [module])[-1], module
