"""The scripts behind the suites `issues` and `tasks`, on a package of two files."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from bench.corpora import LocalSource
from bench.queries import Query, Target
from retrievers.interface import Documents
from retrievers.source import find_symbols

SCRIPTS = Path(__file__).parents[3] / "scripts"
OLDER = {
    "CHANGES": "1.0\n- first\n",
    "cart.py": "def total(cart):\n    return sum(cart)\n\n\ndef empty(cart):\n    cart.clear()\n",
    "test_cart.py": "def test_total():\n    assert total([1]) == 1\n",
}
NEWER = {
    "CHANGES": "1.1\n- sums skip what is None\n1.0\n- first\n",
    "cart.py": OLDER["cart.py"].replace("sum(cart)", "sum(filter(None, cart))"),
    "test_cart.py": "def test_total():\n    assert total([None, 1]) == 1\n",
}


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up the module that they are defined in.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_a_page_has_the_new_entries_and_the_definitions_that_were_changed(tmp_path: Path) -> None:
    for release, files in (("older", OLDER), ("newer", NEWER)):
        (tmp_path / release).mkdir()
        for name, text in files.items():
            (tmp_path / release / name).write_text(text, encoding="utf-8")
    make_issues = script("make_issues")
    older, newer = (LocalSource(str(tmp_path / release)) for release in ("older", "newer"))

    page = make_issues.page(make_issues.Releases("shop", older, newer, "CHANGES"))

    entries, _, code = page.partition("## Changed code")
    assert "sums skip what is None" in entries
    assert "- first" not in entries
    assert "cart.py::total" in code
    assert "cart.py::empty" not in code
    assert "test_cart.py" not in code


def test_the_simple_ranking_puts_names_first_and_tests_behind() -> None:
    baselines = script("measure_simple_baselines")
    documents = Documents.of(list(OLDER.items()))
    targets = (Target("symbol", symbol="cart.py::total"),)
    queries = [Query("sum", "the totals of carts are wrong", targets)]
    symbols = find_symbols(documents)

    by_definition = baselines.scored(documents, symbols, queries, by_file=False)
    by_file = baselines.scored(documents, symbols, queries, by_file=True)

    assert float(by_definition.of("symbol", "mrr")[0]) == 1
    assert float(by_definition.of("symbol", "recall_at_1")[0]) == 1
    assert float(by_definition.of("symbol", "coverage_at_1000_tokens")[0]) == 1
    assert float(by_file.of("file", "acc_at_5")[0]) == 1
