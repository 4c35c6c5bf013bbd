"""The graph holds symbols, files and externals as nodes, and finds a node's edges."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.engine import Record
from retrievers.chunkers import token_ends
from retrievers.graph import CodeGraph
from retrievers.interface import Documents
from retrievers.source import find_symbols

CART = '''class Cart:
    """What a customer buys."""

    def total(self):
        return add(1, 2)


def add(left, right):
    return left + right
'''
TEST = "def test_total():\n    Cart().total()\n"
KINDS = ("contains", "calls")


@dataclass
class Rows:
    """Edges written by hand."""

    source: Any
    target: Any
    kind: Any
    provenance: Any = field(init=False)
    confidence: Any = field(init=False)
    external: tuple[str, ...] = ("operator.add",)

    def __post_init__(self) -> None:
        self.source, self.target = np.array(self.source), np.array(self.target)
        self.kind = np.array(self.kind, np.uint8)
        self.provenance = np.zeros(len(self.source), np.uint8)
        self.confidence = np.full(len(self.source), 0.9, np.float32)


def shop() -> CodeGraph:
    # Symbols: 0 Cart, 1 Cart.total, 2 add, 3 test_total; files 4, 5; outside 6.
    documents = Documents.of([("shop/cart.py", CART), ("tests/test_cart.py", TEST)])
    edges = Rows([3, 0, 1, 1, 1], [1, 1, 2, 2, 6], [1, 0, 1, 1, 1])
    return CodeGraph.of(
        documents,
        find_symbols(documents),
        edges,
        token_ends(documents),
        edge_kinds=KINDS,
        provenances=("resolved", "inferred"),
    )


def test_nodes_are_symbols_then_files_then_what_is_outside() -> None:
    graph = shop()

    assert graph.names[:4] == (
        "shop.cart.Cart",
        "shop.cart.Cart.total",
        "shop.cart.add",
        "tests.test_cart.test_total",
    )
    assert graph.kinds[4:] == ("file", "file", "external")
    assert (graph.symbol_count, graph.external_count, len(graph)) == (4, 1, 7)
    assert graph.path(1) == "shop/cart.py"
    assert graph.path(6) == ""
    assert graph.is_test.tolist() == [False, False, False, True, False, True, False]
    assert graph.is_external.tolist() == [False] * 6 + [True]


def test_an_edge_said_twice_is_one_edge() -> None:
    graph = shop()

    pairs = list(zip(graph.edge_source.tolist(), graph.edge_target.tolist(), strict=True))

    assert pairs == [(0, 1), (1, 2), (1, 6), (3, 1)]


def test_a_node_knows_the_edges_that_leave_and_enter_it() -> None:
    graph = shop()

    assert graph.edge_target[graph.leaving(1)].tolist() == [2, 6]
    assert graph.edge_source[graph.entering(1)].tolist() == [0, 3]
    assert graph.leaving(6).tolist() == []
    assert graph.is_kind("contains").tolist() == [True, False, False, False]
    assert not graph.is_kind("imports").any()


def test_a_node_costs_the_tokens_that_end_in_its_text() -> None:
    graph = shop()
    text = "def add(left, right):\n    return left + right"

    counted = len(token_ends(Documents.of([("a.py", text)])).ends)

    assert int(graph.source_tokens[2]) == counted
    assert int(graph.source_tokens[6]) == 0
    assert int(graph.source_tokens[4]) > int(graph.source_tokens[0])


def test_a_graph_is_stored_and_read_back_whole() -> None:
    graph, codec = shop(), Record(CodeGraph)

    again = codec.decode(codec.encode(graph))

    assert again.names == graph.names
    assert np.array_equal(again.edge_target, graph.edge_target)
    assert codec.encode(again) == codec.encode(graph)
