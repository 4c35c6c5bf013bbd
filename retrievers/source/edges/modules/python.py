"""Python modules. Packages are folders, and names may be relative to the importing file."""

import sys
from functools import cached_property

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value
from retrievers.source.registry import module_name


class PythonModules:
    """Files and folders by dotted name. Leading dots go up from the importing file."""

    def __init__(self, tree: Tree) -> None:
        self._paths = tree.names.paths
        self._files = {module_name(self._paths[one]): one for one in tree.held}
        self._packages = {
            ".".join(parts[:depth])
            for parts in (name.split(".") for name in self._files)
            for depth in range(1, len(parts))
        }
        self._known: dict[tuple[str, str], Value | None] = {}

    @cached_property
    def _roots(self) -> dict[str, list[str]]:
        """Parent folders of the top-level packages, by package name."""
        roots: dict[str, list[str]] = {}
        for name, one in self._files.items():
            parent, _, last = name.rpartition(".")
            if self._paths[one].endswith("/__init__.py") and parent not in self._files:
                roots.setdefault(last, []).append(parent)
        return roots

    def find(self, document: int, module: str) -> Value | None:
        """Return the file or folder of a module."""
        folder = folder_of(self._paths[document]).replace("/", ".")
        key = (folder, module)
        if key not in self._known:
            self._known[key] = self._find(folder, module)
        return self._known[key]

    def _find(self, folder: str, module: str) -> Value | None:
        name = module.lstrip(".")
        level = len(module) - len(name)
        if level:
            above = folder.split(".") if folder else []
            kept = above[: len(above) - level + 1]
            return self._at(".".join([*kept, name]).strip("."))
        places = [folder, *_above(folder), "src", "lib"]
        # A folder with the name of a standard module would capture the imports of this module.
        head = name.partition(".")[0]
        if head not in sys.stdlib_module_names and len(self._roots.get(head, ())) == 1:
            places.extend(self._roots[head])
        for place in places:
            if place in self._files:
                continue  # imports do not begin inside of a package
            found = self._at(f"{place}.{name}".strip("."))
            if found:
                return found
        return None

    def _at(self, name: str) -> Value | None:
        if name in self._files:
            return Value("module", self._files[name])
        return Value("package", name=name) if name in self._packages else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return a file or folder in a package."""
        if value.what == "package":
            return self._at(f"{value.name}.{name}")
        if not self._paths[value.row].endswith("__init__.py"):
            return None
        return self._at(f"{module_name(self._paths[value.row])}.{name}".strip("."))

    def local(self, module: str) -> tuple[str, str]:
        """Return the first part: `import a.b` binds only `a`."""
        first = module.partition(".")[0]
        return first, first


def _above(folder: str) -> list[str]:
    parts = folder.split(".")
    return [".".join(parts[:depth]) for depth in range(len(parts) - 1, -1, -1)]
