"""Namespaces that no file names: what is imported is a namespace, wherever it is declared."""

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.spaces import SPACES
from retrievers.source.edges.values import Value


class SpaceModules:
    """Namespaces by their full names."""

    def __init__(self, tree: Tree) -> None:
        names = tree.names
        self._known = {
            f"{names.qualifier[row]}.{names.simple[row]}".strip(".")
            for document in tree.held
            for row in names.rows_of.get(document, ())
            if names.kinds[row] in SPACES
        }

    def find(self, document: int, module: str) -> Value | None:
        """Return a namespace of the repository."""
        return Value("space", document, "") if module in self._known else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None: what namespaces hold is known by its names."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return a name that nothing can say, because the import binds none."""
        return f"*{module}", module
