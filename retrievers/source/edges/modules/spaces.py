"""Imports of namespaces, which are independent of files."""

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
        """Return the root namespace if the repository declares a namespace, else None.

        Names of symbols omit the namespaces of such languages, so all types are in the root.
        """
        return Value("space", document, "") if module in self._known else None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None, because the resolver finds the members of namespaces itself."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return an impossible name, because such an import binds none."""
        return f"*{module}", module
