"""A name that a package imports means the definition it was imported from."""

import pytest

from bench.queries import Offsets, Query, Target, resolution_problems, resolve
from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols

FILES = {
    "src/shop/__init__.py": (
        "from .carts import Cart as Basket, add\n"
        "from .stores.sql import (  # the one to use\n"
        "    Store,  # not the other\n"
        "    connect,\n"
        ")\n"
        "from . import carts\n"
        "from .stars import *\n"
        "from .chain import Link\n"
        "from ..else_where import nothing\n"
        "import os.path as path\n"
    ),
    "src/shop/carts.py": "class Cart:\n    def total(self): ...\n\n\ndef add(): ...\n",
    "src/shop/stores/sql.py": "class Store: ...\n\n\ndef connect(): ...\n",
    "src/shop/stores/memory.py": "class Store: ...\n",
    "src/shop/stars.py": "def visible(): ...\n\n\ndef _hidden(): ...\n",
    "src/shop/chain/__init__.py": "from .first import *\n",
    "src/shop/chain/first.py": "class Link: ...\n",
    "src/front/__init__.py": (
        "from shop.stores.sql import Store as Shelf\nfrom shop import \\\n  add\n"
    ),
    "src/loop/__init__.py": "from .inner import Name\n",
    "src/loop/inner/__init__.py": "from .. import Name\n",
    "src/twice/__init__.py": (
        "try:\n    from .one import Thing\nexcept ImportError:\n    from .two import Thing\n"
    ),
    "src/twice/one.py": "class Thing: ...\n",
    "src/twice/two.py": "class Thing: ...\n",
}


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents.of(list(FILES.items()))


@pytest.fixture(scope="module")
def symbols(documents: Documents) -> Symbols:
    return find_symbols(documents)


NAMES = {
    "under another name": ("shop.Basket", "src/shop/carts.py", 1, 2),
    "the new name alone": ("Basket", "src/shop/carts.py", 1, 2),
    "something nested in it": ("shop.Basket.total", "src/shop/carts.py", 2, 2),
    "the one of two that the package imports": ("shop.Store", "src/shop/stores/sql.py", 1, 1),
    "by a star": ("shop.visible", "src/shop/stars.py", 1, 1),
    "through two packages": ("shop.Link", "src/shop/chain/first.py", 1, 1),
    "by an absolute import": ("front.Shelf", "src/shop/stores/sql.py", 1, 1),
    "through a package by an absolute import": ("front.add", "src/shop/carts.py", 5, 5),
}


@pytest.mark.parametrize(("name", "path", "start", "end"), NAMES.values(), ids=NAMES.keys())
def test_an_imported_name_means_its_definition(
    name: str, path: str, start: int, end: int, documents: Documents, symbols: Symbols
) -> None:
    query = Query("q", "?", (Target("symbol", symbol=name),))

    found = resolve([query], documents, symbols)

    assert documents.paths[found.document[1]] == path
    offsets = Offsets(documents, int(found.document[1]))
    assert offsets.lines_of_bytes(found.start_byte[1], found.end_byte[1]) == (start, end)


def problem(name: str, documents: Documents, symbols: Symbols) -> str:
    query = Query("q", "?", (Target("symbol", symbol=name),))
    (found,) = resolution_problems([query], documents, symbols)
    return str(found)


def test_imports_that_lead_to_several_definitions_decide_nothing(
    documents: Documents, symbols: Symbols
) -> None:
    assert "means 2 definitions" in problem("twice.Thing", documents, symbols)


@pytest.mark.parametrize("name", ["loop.Name", "shop.nothing", "front._hidden", "shop.path"])
def test_imports_that_lead_nowhere_mean_nothing(
    name: str, documents: Documents, symbols: Symbols
) -> None:
    assert "is not in the source" in problem(name, documents, symbols)


def test_a_definition_of_that_name_comes_before_an_import() -> None:
    documents = Documents.of(
        [
            ("shop/__init__.py", "from .other import Cart\n\n\nclass Cart: ...\n"),
            ("shop/other.py", "class Cart: ...\n"),
        ]
    )
    query = Query("q", "?", (Target("symbol", symbol="shop.Cart"),))

    found = resolve([query], documents, find_symbols(documents))

    assert documents.paths[found.document[1]] == "shop/__init__.py"


def test_names_are_imported_by_packages_only() -> None:
    documents = Documents.of(
        [("a.py", "from b import Name as Other\n"), ("b.py", "class Name: ...\n")]
    )

    assert "is not in the source" in problem("a.Other", documents, find_symbols(documents))


def test_a_hostile_list_of_imports_is_read_in_no_time() -> None:
    """A search that looked for the end of each list to the end of the file would take hours."""
    text = "from . import (\n" * 100_000
    documents = Documents.of([("p/__init__.py", text), ("p/m.py", "x = 1\n")])
    empty = find_symbols(Documents.of([]))

    assert "is not in the source" in problem("p.y", documents, empty)
