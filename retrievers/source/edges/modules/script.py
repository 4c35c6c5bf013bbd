"""Modules of JavaScript and TypeScript: paths, packages of the repository, and `@/` aliases."""

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.nearest import folder_of
from retrievers.source.edges.values import Value


class ScriptModules:
    """Files by path, with or without an extension, and packages by name."""

    _ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
    _COMPILED = ((".js", ".ts"), (".js", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts"))

    def __init__(self, tree: Tree) -> None:
        self._paths = tree.names.paths
        self._files = {self._paths[one]: one for one in tree.held}
        self._written = dict(_without_endings(self._files, self._ENDINGS))
        self._packages = dict(_packages(tree))

    def find(self, document: int, module: str) -> Value | None:
        """Return the file of a module."""
        folder = folder_of(self._paths[document])
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(folder, module)))
        if module.startswith(("@/", "~/")):
            return self._aliased(folder, module[2:])
        name = module
        while name and name not in self._packages:
            name = name.rpartition("/")[0]
        return self._in_package(self._packages[name], module[len(name) + 1 :]) if name else None

    def _in_package(self, folder: str, rest: str) -> Value | None:
        """Return a file of a package in this repository, or None."""
        places = (rest, f"src/{rest}", f"lib/{rest}") if rest else ("src", "lib", "")
        return next(
            (one for one in (self._at(_joined(folder, place)) for place in places) if one), None
        )

    def _aliased(self, folder: str, rest: str) -> Value | None:
        """Return a file in the nearest `src` folder, the usual meaning of `@/`, or beside it."""
        while True:
            found = self._at(posixpath.join(folder, "src", rest)) or self._at(
                posixpath.join(folder, rest)
            )
            if found or not folder:
                return found
            folder = folder_of(folder)

    def _at(self, path: str) -> Value | None:
        path = "" if path == "." else path
        places = [self._files.get(path), self._written.get(path)]
        # TypeScript imports the compiled file, which the repository has only as its source.
        for compiled, written in self._COMPILED:
            if path.endswith(compiled):
                places.append(self._files.get(path.removesuffix(compiled) + written))
        places.append(self._written.get(posixpath.join(path, "index")))
        found = next((one for one in places if one is not None), None)
        return None if found is None else Value("module", found)

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None, because files do not contain modules."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return an impossible name, because such an import binds none."""
        return f"*{module}", module


def _without_endings(
    files: Mapping[str, int], endings: Sequence[str]
) -> Iterator[tuple[str, int]]:
    """Yield files by their paths without extension, in ascending priority of the extensions."""
    for ending in reversed(endings):
        for path, one in files.items():
            if path.endswith(ending):
                yield path.removesuffix(ending), one


def _packages(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the name and folder of each package."""
    for path, text in tree.files("package.json"):
        try:
            declared = json.loads(text)
        except (ValueError, RecursionError):
            continue
        name = declared.get("name") if isinstance(declared, dict) else None
        if isinstance(name, str) and name:
            yield name, folder_of(path)


def _joined(folder: str, rest: str) -> str:
    return posixpath.normpath(posixpath.join(folder, rest))
