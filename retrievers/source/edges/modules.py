"""Where imports lead: the rules of each language, told apart by the name a language gives."""

import posixpath
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol

from retrievers.source.edges.names import Names, folder_of
from retrievers.source.edges.values import Value
from retrievers.source.registry import module_name


class Modules(Protocol):
    """How a language finds modules."""

    def find(self, document: int, module: str) -> Value | None:
        """Return what a document means by a module's name, or None if it is not here."""
        ...

    def inside(self, value: Value, name: str) -> Value | None:
        """Return the module of that name in another one."""
        ...

    def local(self, module: str) -> tuple[str, str]:
        """Return the name that importing a module gives it, and the module it then means."""
        ...


class Nowhere:
    """A language whose imports lead to no file that could be known."""

    def find(self, document: int, module: str) -> Value | None:
        """Return None."""
        return None

    def inside(self, value: Value, name: str) -> Value | None:
        """Return None."""
        return None

    def local(self, module: str) -> tuple[str, str]:
        """Return the last part of a module's path."""
        return module.rpartition("/")[2], module


class PythonModules:
    """Packages are folders; dots in front of a name go up from the importing file."""

    def __init__(self, names: Names, documents: Sequence[int]) -> None:
        self._paths = names.paths
        self._files = {_dotted(self._paths[one]): one for one in documents}
        self._packages = {
            ".".join(parts[:depth])
            for parts in (name.split(".") for name in self._files)
            for depth in range(1, len(parts))
        }
        self._known: dict[tuple[str, str], Value | None] = {}

    @cached_property
    def _roots(self) -> dict[str, list[str]]:
        """The folders that hold packages, by the packages' names."""
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
        return self._at(f"{_dotted(self._paths[value.row])}.{name}".strip("."))

    def local(self, module: str) -> tuple[str, str]:
        """Return the first part, which is all that `import a.b` binds."""
        first = module.partition(".")[0]
        return first, first


def _dotted(path: str) -> str:
    return module_name(path)


def _above(folder: str) -> list[str]:
    parts = folder.split(".")
    return [".".join(parts[:depth]) for depth in range(len(parts) - 1, -1, -1)]


class ScriptModules:
    """Paths relative to the importing file, with or without an extension; and workspaces."""

    _ENDINGS = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
    _COMPILED = ((".js", ".ts"), (".js", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts"))

    def __init__(self, names: Names, documents: Sequence[int]) -> None:
        self._paths = names.paths
        self._files = {self._paths[one]: one for one in documents}

    def find(self, document: int, module: str) -> Value | None:
        """Return the file of a module."""
        folder = folder_of(self._paths[document])
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(folder, module)))
        if module.startswith(("@/", "~/")):
            return self._aliased(folder, module[2:])
        return None

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


STYLES: dict[str, Callable[[Names, Sequence[int]], Modules]] = {
    "none": lambda _names, _documents: Nowhere(),
    "python": PythonModules,
    "script": ScriptModules,
}
