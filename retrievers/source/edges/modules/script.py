"""Modules of JavaScript and TypeScript: paths, packages of the same repository, and `@/`."""

import json
import posixpath
from collections.abc import Iterator

from retrievers.source.edges.modules.tree import Tree
from retrievers.source.edges.names import folder_of
from retrievers.source.edges.values import Value


class ScriptModules:
    """Paths relative to the importing file, with or without an extension; and workspaces."""

    _ENDINGS = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
    _COMPILED = ((".js", ".ts"), (".js", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts"))

    def __init__(self, tree: Tree) -> None:
        self._paths = tree.names.paths
        self._files = {self._paths[one]: one for one in tree.held}
        self._packages = dict(_packages(tree))

    def find(self, document: int, module: str) -> Value | None:
        """Return the file of a module."""
        folder = folder_of(self._paths[document])
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(folder, module)))
        if module.startswith(("@/", "~/")):
            return self._aliased(folder, module[2:])
        name = max((one for one in self._packages if _is_in(one, module)), key=len, default="")
        return self._in_package(self._packages[name], module[len(name) + 1 :]) if name else None

    def _in_package(self, folder: str, rest: str) -> Value | None:
        """Return a file of another package of the same repository."""
        places = (rest, f"src/{rest}", f"lib/{rest}") if rest else ("src", "lib", "")
        return next(
            (one for one in (self._at(_joined(folder, place)) for place in places) if one), None
        )

    def _aliased(self, folder: str, rest: str) -> Value | None:
        """Return a file under the nearest `src`, which `@/` stands for by convention."""
        while True:
            found = self._at(posixpath.join(folder, "src", rest)) or self._at(
                posixpath.join(folder, rest)
            )
            if found or not folder:
                return found
            folder = folder_of(folder)

    def _at(self, path: str) -> Value | None:
        path = "" if path == "." else path
        candidates = [path + ending for ending in self._ENDINGS]
        for compiled, written in self._COMPILED:
            if path.endswith(compiled):
                candidates.append(path.removesuffix(compiled) + written)
        candidates += [posixpath.join(path, f"index{ending}") for ending in self._ENDINGS[1:]]
        found = next((self._files[one] for one in candidates if one in self._files), None)
        return None if found is None else Value("module", found)

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None: files hold no files."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return a name that nothing can say, because the import binds none."""
        return f"*{module}", module


def _packages(tree: Tree) -> Iterator[tuple[str, str]]:
    """Return the packages of a repository: name and folder."""
    for path, text in tree.files("package.json"):
        try:
            declared = json.loads(text)
        except (ValueError, RecursionError):
            continue
        name = declared.get("name") if isinstance(declared, dict) else None
        if isinstance(name, str) and name:
            yield name, folder_of(path)


def _is_in(package: str, module: str) -> bool:
    return module == package or module.startswith(f"{package}/")


def _joined(folder: str, rest: str) -> str:
    return posixpath.normpath(posixpath.join(folder, rest))
