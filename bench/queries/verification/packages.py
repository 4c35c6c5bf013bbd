"""Number of packages that the answers of a task span, which determines its tier.

A package is a folder. In a library with most of its modules in a single folder, each module counts
as a package, like in the names of its symbols (`filters.do_sort`). In languages with one name
space per folder (Go, Java, C#, C), the folder stays one package.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

_MODULES = frozenset(
    (".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".rs")
)
"""Suffixes of files with a name space of their own."""
_ROOT = PurePosixPath()


def count_packages(answers: Iterable[str], paths: Sequence[str]) -> int:
    """Return the number of packages of `answers`; `paths` are all paths of the tree."""
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
    """Return whether a folder is the top of a library and directly holds most of its modules."""
    if folder.parent not in (folder, _ROOT) and folder.parent in modules:
        return False
    deeper = sum(count for other, count in modules.items() if folder in other.parents)
    return modules.get(folder, 0) > deeper
