"""Java packages, by the package declarations of files."""

from collections import defaultdict

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.values import Value, symbol


class JavaModules:
    """Top-level types by package."""

    def __init__(self, tree: Tree) -> None:
        self._types: dict[str, dict[str, int]] = defaultdict(dict)
        for document in tree.held:
            package = tree.packages.get(document, "")
            for name, row in tree.names.top.get(document, {}).items():
                self._types[package].setdefault(name, row)

    def find(self, document: int, module: str) -> Value | None:
        """Return a package, or a type by its full name."""
        if module in self._types:
            return Value("package", document, module)
        package, _, name = module.rpartition(".")
        row = self._types[package].get(name) if package in self._types else None
        return None if row is None else symbol(row)

    def inside(self, value: Value, name: str) -> Value | None:
        """Return a type of a package."""
        if value.what != "package":
            return None
        row = self._types.get(value.name, {}).get(name)
        return None if row is None else symbol(row)

    def local(self, module: str) -> tuple[str, str]:
        """Return the last part of the name as the local name."""
        return module.rpartition(".")[2], module
