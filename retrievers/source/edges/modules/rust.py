"""Rust modules: a tree of files below the root of each crate, and crates by name."""

import tomllib
from collections.abc import Iterator

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value, symbol

_ROOTS = ("lib.rs", "main.rs")


class RustModules:
    """Modules by their path from a crate root."""

    def __init__(self, tree: Tree) -> None:
        self._names = tree.names
        self._paths = tree.names.paths
        self._files = {self._paths[one]: one for one in tree.held}
        self._crates = dict(_crates(tree, self._files))

    def find(self, document: int, module: str) -> Value | None:
        """Return a module, or a definition at the end of a path."""
        first, *rest = module.split(".")
        value = self._first(document, first)
        for part in rest:
            if value is None:
                return None
            value = self._above(value) if part == "super" else self._in(value, part)
        return value

    def _first(self, document: int, name: str) -> Value | None:
        here = Value("module", document)
        if name == "self":
            return here
        if name == "super":
            return self._above(here)
        if name == "crate":
            return self._root(document)
        return self._in(here, name) or self._crates.get(name)

    def _root(self, document: int) -> Value | None:
        folder = folder_of(self._paths[document])
        while True:
            for name in _ROOTS:
                found = self._files.get(f"{folder}/{name}".lstrip("/"))
                if found is not None:
                    return Value("module", found)
            if not folder:
                return None
            folder = folder_of(folder)

    def _above(self, value: Value) -> Value | None:
        """Return the parent module, `super`. For a definition it is the module of its file."""
        if value.what == "symbol":
            return Value("module", self._names.document[value.row])
        path = self._paths[value.row]
        folder = folder_of(folder_of(path) if path.endswith("/mod.rs") else path)
        names = (f"{folder}/mod.rs", f"{folder}.rs", *(f"{folder}/{one}" for one in _ROOTS))
        found = next((self._files[one] for one in names if one in self._files), None)
        return None if found is None else Value("module", found)

    def _in(self, value: Value, name: str) -> Value | None:
        if value.what == "symbol":
            row = self._names.members.get(value.row, {}).get(name)
            return None if row is None else symbol(row)
        found = self.inside(value, name)
        row = self._names.top.get(value.row, {}).get(name)
        return symbol(row) if found is None and row is not None else found

    def inside(self, value: Value, name: str) -> Value | None:
        """Return the file of a submodule, or None."""
        if value.what != "module":
            return None
        path = self._paths[value.row]
        is_folder = path.endswith("/mod.rs") or path.rpartition("/")[2] in _ROOTS
        folder = folder_of(path) if is_folder else path.removesuffix(".rs")
        names = (f"{folder}/{name}.rs".lstrip("/"), f"{folder}/{name}/mod.rs".lstrip("/"))
        found = next((self._files[one] for one in names if one in self._files), None)
        return None if found is None else Value("module", found)

    def local(self, module: str) -> tuple[str, str]:
        """Return the last part of the path as the local name."""
        return module.rpartition(".")[2], module


def _crates(tree: Tree, files: dict[str, int]) -> Iterator[tuple[str, Value]]:
    """Yield the name and the root file of each crate with a library."""
    for path, text in tree.files("Cargo.toml"):
        try:
            declared = tomllib.loads(text)
        except (ValueError, RecursionError):
            continue
        for table in ("package", "lib"):
            held = declared.get(table)
            name = held.get("name") if isinstance(held, dict) else None
            root = files.get(f"{folder_of(path)}/src/lib.rs".lstrip("/"))
            if isinstance(name, str) and root is not None:
                yield name.replace("-", "_"), Value("module", root)
