"""Edges within small projects whose every relation is known."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from bench.engine import Record
from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, PROVENANCES, Edges, Symbols, find_edges, find_symbols

Shown = tuple[str, str]

SHOP = {
    "shop/__init__.py": "from .cart import Cart as Cart\nfrom shop.prices import rounded\n",
    "shop/prices.py": "import math\n\ndef rounded(value):\n    return math.floor(value)\n",
    "shop/base.py": (
        "class Base:\n"
        "    name: str = ''\n"
        "    def save(self):\n"
        "        self.check()\n"
        "    def check(self): ...\n"
        "    def _hidden(self): ...\n"
    ),
    "shop/cart.py": (
        "import os\n"
        "import subprocess\n"
        "from shop import rounded\n"
        "from .base import Base\n"
        "from . import prices as p\n"
        "\n"
        "class Cart(Base):\n"
        "    def __init__(self, owner: Base):\n"
        "        self.owner = owner\n"
        "    def check(self):\n"
        "        super().check()\n"
        "        self.owner.save()\n"
        "        return self.name\n"
        "    def total(self, convert):\n"
        "        convert(rounded(p.rounded(1)))\n"
        "        subprocess.run(['git', 'log'])\n"
        "        raise Missing(os.environ['SHOP'])\n"
        "\n"
        "class Missing(ValueError): ...\n"
        "\n"
        "def make() -> Cart:\n"
        "    return Cart(Base())\n"
    ),
    "tests/test_cart.py": (
        "from shop import Cart\n"
        "import shop.cart\n"
        "\n"
        "def test_total():\n"
        "    cart = shop.cart.make()\n"
        "    cart.total(print)\n"
        "    for one in [cart]:\n"
        "        one._hidden()\n"
    ),
}


def parsed(files: dict[str, str]) -> tuple[Documents, Symbols, Edges]:
    documents = Documents.of(list(files.items()))
    symbols = find_symbols(documents)
    return documents, symbols, find_edges(documents, symbols)


def shown(files: dict[str, str], kind: str, provenance: str = "") -> set[Shown]:
    """Return the edges of a kind by the names of their ends."""
    documents, symbols, edges = parsed(files)
    names = [*symbols.names, *documents.paths, *(f"<{name}>" for name in edges.external)]
    return {
        (names[edges.source[one]], names[edges.target[one]])
        for one in range(len(edges))
        if EDGE_KINDS[edges.kind[one]] == kind
        and provenance in ("", PROVENANCES[edges.provenance[one]])
    }


def test_calls_follow_imports_reexports_types_and_bases() -> None:
    found = shown(SHOP, "calls", "resolved")

    assert found == {
        ("shop.prices.rounded", "<math.floor>"),
        ("shop.base.Base.save", "shop.base.Base.check"),
        ("shop.cart.Cart.check", "shop.base.Base.check"),
        ("shop.cart.Cart.check", "shop.base.Base.save"),
        ("shop.cart.Cart.total", "shop.prices.rounded"),
        ("shop.cart.Cart.total", "<subprocess.run>"),
        ("shop.cart.Cart.total", "shop.cart.Missing"),
        ("shop.cart.make", "shop.cart.Cart"),
        ("shop.cart.make", "shop.base.Base"),
        ("tests.test_cart.test_total", "shop.cart.make"),
        ("tests.test_cart.test_total", "shop.cart.Cart.total"),
    }


def test_a_call_on_something_unknown_is_inferred_from_a_name_that_only_one_method_has() -> None:
    found = shown(SHOP, "calls", "inferred")

    assert found == {("tests.test_cart.test_total", "shop.base.Base._hidden")}


def test_a_parameter_is_not_taken_for_the_function_of_that_name() -> None:
    files = {"a.py": "def run(): ...\n\ndef start(run):\n    run()\n    run.stop_it()\n"}

    assert shown(files, "calls") == {("a.start", "<*.stop_it>")}


def test_a_method_that_several_unrelated_types_have_is_not_guessed() -> None:
    files = {
        "a.py": "class A:\n    def ring(self): ...\nclass B:\n    def ring(self): ...\n",
        "b.py": "def use(bell):\n    bell.ring()\n",
    }

    assert shown(files, "calls") == set()


def test_a_method_that_others_override_stands_for_them() -> None:
    files = {
        "a.py": "class A:\n    def ring(self): ...\nclass B(A):\n    def ring(self): ...\n",
        "b.py": "def use(bell):\n    bell.ring()\n",
    }

    assert shown(files, "calls", "inferred") == {("b.use", "a.A.ring")}


def test_a_callback_is_an_inferred_call() -> None:
    files = {"a.py": "def work(): ...\n\ndef start(pool):\n    pool.submit(work, key=work)\n"}

    assert ("a.start", "a.work") in shown(files, "calls", "inferred")


def test_what_a_nested_function_or_a_lambda_calls_is_a_call() -> None:
    """Of the nested function, which has a name; of what is around a lambda, which has none."""
    files = {
        "a.py": (
            "def work(): ...\n"
            "def send(value): ...\n"
            "def outer():\n"
            "    def inner():\n"
            "        work()\n"
            "    inner()\n"
            "    return lambda one: send(one)\n"
        ),
        "b.ts": (
            "function draw() {}\n"
            "function outer() {\n"
            "  function inner() { draw(); }\n"
            "  return () => inner();\n"
            "}\n"
        ),
    }

    assert shown(files, "calls") == {
        ("a.outer.inner", "a.work"),
        ("a.outer", "a.outer.inner"),
        ("a.outer", "a.send"),
        ("b.outer.inner", "b.draw"),
        ("b.outer", "b.outer.inner"),
    }


def test_a_name_with_two_values_is_not_decided() -> None:
    files = {
        "a.py": (
            "class A:\n    def one_way(self): ...\n"
            "class B:\n    def one_way(self): ...\n"
            "def use(flag):\n"
            "    it = A()\n"
            "    if flag:\n"
            "        it = B()\n"
            "    it.one_way()\n"
        )
    }

    assert shown(files, "calls") == {("a.use", "a.A"), ("a.use", "a.B")}


def test_types_hold_their_members_and_files_what_is_at_their_top() -> None:
    contains, member_of = shown(SHOP, "contains"), shown(SHOP, "member_of")

    assert ("shop.cart.Cart", "shop.cart.Cart.total") in contains
    assert ("shop/cart.py", "shop.cart.Cart") in contains
    assert {(held, holder) for holder, held in contains} == member_of


def test_bases_overridden_methods_and_inherited_ones() -> None:
    assert shown(SHOP, "extends") == {
        ("shop.cart.Cart", "shop.base.Base"),
        ("shop.cart.Missing", "<ValueError>"),
    }
    assert shown(SHOP, "overrides") == {("shop.cart.Cart.check", "shop.base.Base.check")}
    assert shown(SHOP, "inherits") == {("shop.cart.Cart", "shop.base.Base.save")}


def test_imports_lead_to_files_definitions_and_the_outside() -> None:
    found = shown(SHOP, "imports")

    assert ("shop/cart.py", "shop/base.py") in found
    assert ("shop/cart.py", "shop.base.Base") in found
    assert ("shop/cart.py", "shop.prices.rounded") in found
    assert ("shop/cart.py", "<subprocess>") in found
    assert ("tests/test_cart.py", "shop/cart.py") in found


@pytest.mark.parametrize(
    ("kind", "edge"),
    [
        ("reads_env", ("shop.cart.Cart.total", "<env:SHOP>")),
        ("executes_process", ("shop.cart.Cart.total", "<process:git>")),
        ("throws", ("shop.cart.Cart.total", "shop.cart.Missing")),
        ("type_hint_of", ("shop.cart.Cart.__init__", "shop.base.Base")),
        ("accesses_field", ("shop.cart.Cart.check", "shop.base.Base.name")),
        ("tests", ("tests.test_cart.test_total", "shop.cart.make")),
        ("tested_by", ("shop.cart.make", "tests.test_cart.test_total")),
        ("co_tested_with", ("shop.cart.make", "shop.cart.Cart.total")),
    ],
)
def test_what_a_definition_does_becomes_an_edge(kind: str, edge: Shown) -> None:
    assert edge in shown(SHOP, kind)


def test_decorators_and_the_addresses_that_they_bind() -> None:
    files = {
        "app.py": (
            "from flask import Flask\n"
            "from django.urls import path\n"
            "app = Flask(__name__)\n"
            "def traced(f): return f\n"
            "@traced\n"
            "@app.get('/carts')\n"
            "def carts(): ...\n"
            "def goods(): ...\n"
            "urls = [path('goods/', goods)]\n"
        )
    }

    assert ("app.carts", "app.traced") in shown(files, "decorates")
    assert shown(files, "handles_route") == {
        ("app.carts", "<route:GET /carts>"),
        ("app.goods", "<route:goods/>"),
    }


def test_every_edge_says_where_and_how_sure() -> None:
    documents, symbols, edges = parsed(SHOP)

    nodes = len(symbols) + len(documents) + len(edges.external)
    assert edges.source.max() < len(symbols) + len(documents)
    assert edges.target.max() < nodes
    sure = np.array([0.9, 0.7], np.float32)
    assert np.array_equal(edges.confidence, sure[edges.provenance])
    for source, line in zip(edges.source.tolist(), edges.line.tolist(), strict=True):
        of = symbols.document[source] if source < len(symbols) else source - len(symbols)
        assert 1 <= line <= max(1, len(documents.line_starts(int(of))))


def test_edges_are_ordered_each_once_and_the_same_every_time() -> None:
    _, _, edges = parsed(SHOP)
    _, _, again = parsed(SHOP)

    table = np.stack([edges.source, edges.kind.astype(int), edges.target, edges.line], axis=1)
    rows = [tuple(row) for row in table.tolist()]
    assert rows == sorted(set(rows))
    for one in fields(Edges):
        assert np.array_equal(getattr(edges, one.name), getattr(again, one.name))


def test_edges_survive_being_stored() -> None:
    _, _, edges = parsed(SHOP)
    codec: Record[Edges] = Record(Edges)

    back: Any = codec.decode(codec.encode(edges))

    assert back.external == edges.external
    assert np.array_equal(back.target, edges.target)


def test_nothing_gives_no_edges() -> None:
    _, _, edges = parsed({})

    assert len(edges) == 0
