"""Names that a Python package takes from its modules, so that `shop.Cart` may mean the cart
that `shop/__init__.py` imports from its own module.

Imports are found by their form alone; nothing is run, and what looks like an import in a text is
one. A star takes every name that does not begin with an underscore.
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
    """A name of a package, and the name it means; absolute imports lack the way there."""

    name: str
    target: str
    absolute: bool


@dataclass(frozen=True)
class Aliases:
    """The aliases of a repository, by the last part of their names."""

    by_last_part: dict[str, list[Alias]] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Documents) -> "Aliases":
        """Return what the packages of a repository import by name."""
        found = cls()
        for number, path in enumerate(documents.paths):
            if PurePosixPath(path).name == "__init__.py":
                for alias in _imports(documents.text(number), module_name(path)):
                    last = alias.name.rpartition(".")[2]
                    found.by_last_part.setdefault(last, []).append(alias)
        return found

    def meant_by(self, name: str, *, whole: bool) -> Iterator[Alias]:
        """Return the aliases that a name means, as a whole or as their last parts."""
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
    """Return the module that an import names, seen from a package."""
    if not dots:
        return module or None
    parts = package.split(".")
    if dots > len(parts):
        return None
    return ".".join([*parts[: len(parts) - dots + 1], *([module] if module else [])])
