"""Imports of namespaces and of the types in them, which are independent of files."""

from collections import defaultdict
from collections.abc import Iterator

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.names import Names
from retrievers.source.edges.nearest import Nearest
from retrievers.source.edges.spaces import SPACES
from retrievers.source.edges.values import UNCLEAR, Value, symbol


class SpaceModules:
    """Namespaces and types by their full names."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._spaces: set[str] = set()
        self._types: dict[str, list[int]] = defaultdict(list)
        for document in tree.held:
            for row, full in _full_names(tree.names, tree.names.rows_of.get(document, range(0))):
                if tree.names.kinds[row] in SPACES:
                    self._spaces.add(full)
                else:
                    self._types[full].append(row)

    def find(self, document: int, module: str) -> Value | None:
        """Return the root namespace for a namespace of the repository, a type, or None.

        Names of symbols omit the namespaces of such languages, so all types are in the root.
        """
        if module in self._spaces:
            return Value("space", document, "")
        if module not in self._types:
            return None
        rows, names = self._types[module], self._names
        paths = {row: names.paths[names.document[row]] for row in rows}
        nearest = Nearest(rows, paths).to(names.paths[document])
        return symbol(nearest) if nearest >= 0 else UNCLEAR

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None, because the resolver finds the members of namespaces itself."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return an impossible name, because such an import binds none."""
        return f"*{module}", module


def _full_names(names: Names, rows: range) -> Iterator[tuple[int, str]]:
    """Yield the namespaces and types of a document with their full names.

    The namespaces around a definition are known by their bytes only.
    """
    symbols = names.symbols
    around: list[tuple[int, str]] = []
    for row in rows:
        start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        while around and around[-1][0] <= start:
            around.pop()
        if names.kinds[row] not in SPACES and not names.is_type(row):
            continue
        own = (names.qualifier[row], names.simple[row])
        full = ".".join([*(space for _, space in around[-1:]), *filter(None, own)])
        yield row, full
        # Without a block, a namespace has the rest of its file.
        has_block = end > symbols.signature_end[row]
        if names.is_type(row) or has_block:
            around.append((end, full))
        else:
            around = [(int(symbols.end_byte[rows].max()) + 1, full)]
