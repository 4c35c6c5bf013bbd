"""Names that Python packages import from their modules, so that `shop.Cart` is found.

Such a name means the class that `shop/__init__.py` imports from a module of the package. Imports
are found by a regular expression, without running code, so text that looks like an import counts
as one. A star import takes every name without a leading underscore.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from retrievers.interface import Documents
from retrievers.source import module_name

_IMPORT = re.compile(
    r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*"
    r"(?:\(([^()]*)\)|((?:[^\n#;(\\]|\\\n)*))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_STAR = "*"


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a package and the name it means.

    The target of an absolute import may lack the leading folders of its module.
    """

    name: str
    target: str
    absolute: bool


@dataclass(frozen=True)
class Aliases:
    """The aliases of a repository, by the last part of their names."""

    by_last_part: dict[str, list[Alias]] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Documents) -> "Aliases":
        """Return the names that the packages of a repository import."""
        found = cls()
        for number, path in enumerate(documents.paths):
            if PurePosixPath(path).name == "__init__.py":
                for alias in _imports(documents.text(number), module_name(path)):
                    last = alias.name.rpartition(".")[2]
                    found.by_last_part.setdefault(last, []).append(alias)
        return found

    def meant_by(self, name: str, *, whole: bool) -> Iterator[Alias]:
        """Yield the aliases with this name.

        Without `whole`, the last parts of an alias are enough.
        """
        before, _, last = name.rpartition(".")
        for alias in self.by_last_part.get(last, ()):
            if alias.name == name or (not whole and alias.name.endswith(f".{name}")):
                yield alias
        if not before or last.startswith("_"):
            return
        for star in self.by_last_part.get(_STAR, ()):
            package = star.name.removesuffix(f".{_STAR}")
            if package == before or (not whole and package.endswith(f".{before}")):
                target = f"{star.target.removesuffix(_STAR)}{last}"
                yield Alias(f"{package}.{last}", target, star.absolute)


def _imports(text: str, package: str) -> Iterator[Alias]:
    for found in _IMPORT.finditer(text):
        dots, module, listed, plain = found.groups()
        source = _module(package, len(dots), module)
        if source is None:
            continue
        names = _COMMENT.sub("", listed if listed is not None else plain.replace("\\\n", " "))
        if names.strip() == _STAR:
            yield Alias(f"{package}.{_STAR}", f"{source}.{_STAR}", not dots)
            continue
        for one in names.split(","):
            name = _NAME.fullmatch(one.strip())
            if name:
                yield Alias(f"{package}.{name[2] or name[1]}", f"{source}.{name[1]}", not dots)


def _module(package: str, dots: int, module: str) -> str | None:
    """Return the module of an import, resolved from a package; None outside the tree."""
    if not dots:
        return module or None
    parts = package.split(".")
    if dots > len(parts):
        return None
    return ".".join([*parts[: len(parts) - dots + 1], *([module] if module else [])])
