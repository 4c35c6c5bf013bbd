"""Rules that resolve imports, by the name for `modules` in language.toml."""

from collections.abc import Callable, Mapping

from retrievers.source.edges.modules.go import GoModules
from retrievers.source.edges.modules.java import JavaModules
from retrievers.source.edges.modules.native import NativeModules
from retrievers.source.edges.modules.python import PythonModules
from retrievers.source.edges.modules.ruby import RubyModules
from retrievers.source.edges.modules.rust import RustModules
from retrievers.source.edges.modules.script import ScriptModules
from retrievers.source.edges.modules.spaces import SpaceModules
from retrievers.source.edges.modules.tree import Modules, Tree, files_named

STYLES: Mapping[str, Callable[[Tree], Modules]] = {
    "go": GoModules,
    "java": JavaModules,
    "native": NativeModules,
    "python": PythonModules,
    "ruby": RubyModules,
    "rust": RustModules,
    "script": ScriptModules,
    "spaces": SpaceModules,
}

__all__ = ["STYLES", "Modules", "Tree", "files_named"]
