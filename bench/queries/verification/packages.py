"""How many packages the answers of a task span, which is what its tier says.

A package is a folder. But a library whose modules mostly lie in one folder has no packages that
could be told apart: there each module counts as one, like in the names of its symbols
(`filters.do_sort`). Where a folder is one name space (Go, Java, C#, C), it stays one package.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

_MODULES = frozenset(
    (".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".rs")
)
"""Endings of files that are each a name space of their own."""
_ROOT = PurePosixPath()


def count_packages(answers: Iterable[str], paths: Sequence[str]) -> int:
    """Return how many packages answers lie in, `paths` being all of their tree."""
    modules = _modules_by_folder(tuple(paths))
    return len({_package(PurePosixPath(path), modules) for path in answers})


@lru_cache(maxsize=2)
def _modules_by_folder(paths: tuple[str, ...]) -> Mapping[PurePosixPath, int]:
    files = map(PurePosixPath, paths)
    return Counter(file.parent for file in files if file.suffix in _MODULES)


def _package(file: PurePosixPath, modules: Mapping[PurePosixPath, int]) -> PurePosixPath:
    folder = file.parent
    is_module = file.suffix in _MODULES
    return file if is_module and _holds_most_of_its_library(folder, modules) else folder


def _holds_most_of_its_library(
    folder: PurePosixPath, modules: Mapping[PurePosixPath, int]
) -> bool:
    """Tell whether a folder is the top of a library, and most of its modules lie right there."""
    if folder.parent not in (folder, _ROOT) and folder.parent in modules:
        return False
    deeper = sum(count for other, count in modules.items() if folder in other.parents)
    return modules.get(folder, 0) > deeper
