"""A suite of several small repositories with labelled queries, for tests of what is asked."""

from collections.abc import Sequence
from pathlib import Path

from bench.settings import SuiteSettings
from bench.settings.suite import parse_suite
from tests.small_study import CART

NAMES = ("shop", "bank")


def write_suite(folder: Path, names: Sequence[str] = NAMES, more: str = "") -> Path:
    """Write repositories with nine queries each, and the suite that lists them; return its file.

    Queries q0 to q7 have the categories a to d and the tags fast and slow in turn.
    """
    lines = ["name: several", "repositories:"]
    for name in names:
        (folder / name).mkdir()
        (folder / name / f"{name}.py").write_text(CART, encoding="utf-8")
        (folder / f"{name}.yaml").write_text(_queries(name), encoding="utf-8")
        source = f"{{kind: local, path: {name}}}"
        lines.append(f"- {{name: {name}, source: {source}, queries: {name}.yaml{more}}}")
    file = folder / "suite.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def suite_of(file: Path, **settings: object) -> SuiteSettings:
    """Return the suite of a file with some settings."""
    return parse_suite({"suite": {"kind": "file", "path": str(file)}, **settings})


def _queries(name: str) -> str:
    rows = [
        f"- {{id: q{number}, query: add up {number} for {name}, category: {'abcd'[number % 4]}, "
        f"tags: [{('fast', 'slow')[number % 2]}], expected_symbols: [{name}.Cart.total]}}"
        for number in range(8)
    ]
    rows.append("- {id: none, query: send a parcel by drone, negative: true}")
    return "\n".join(["queries:", *rows]) + "\n"
