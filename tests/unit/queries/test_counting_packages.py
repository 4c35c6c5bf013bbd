"""Tiers count packages: folders, or the modules of a library that has hardly any folders."""

import pytest

from bench.queries.verification.packages import count_packages

FLAT = (
    *(f"src/flat/{name}.py" for name in ("lexer", "parser", "filters", "loaders")),
    "src/flat/tables/letters.py",
    "tests/test_lexer.py",
    "setup.py",
)
DEEP = (
    "deep/main.py",
    *(f"deep/store/{name}.py" for name in ("disk", "memory")),
    *(f"deep/web/{name}.py" for name in ("server", "client")),
)
GO = ("main.go", "internal/store/disk.go", "internal/store/memory.go", "internal/web/server.go")


@pytest.mark.parametrize(
    ("paths", "answers", "expected"),
    [
        (FLAT, ("src/flat/lexer.py",), 1),
        (FLAT, ("src/flat/lexer.py", "src/flat/filters.py"), 2),
        (FLAT, ("src/flat/lexer.py", "src/flat/tables/letters.py"), 2),
        (DEEP, ("deep/store/disk.py", "deep/store/memory.py"), 1),
        (DEEP, ("deep/store/disk.py", "deep/web/client.py", "deep/main.py"), 3),
        (GO, ("internal/store/disk.go", "internal/store/memory.go"), 1),
        (GO, ("internal/store/disk.go", "internal/web/server.go"), 2),
        (("one.py", "two.py"), ("one.py", "two.py"), 2),
        ((*FLAT, "src/flat/a.txt"), ("src/flat/a.txt", "README.md"), 2),
        (FLAT, (), 0),
    ],
)
def test_a_package_is_a_folder_or_a_module_of_a_flat_library(
    paths: tuple[str, ...], answers: tuple[str, ...], expected: int
) -> None:
    assert count_packages(answers, paths) == expected
