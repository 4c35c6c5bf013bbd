"""The graph as an index of chunks, from real sources to scores."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from retrievers.chunkers import File, Symbol, token_ends
from retrievers.graph import CodeGraph, Graph, GraphIndex, open_graph
from retrievers.graph.seeding import symbol_texts
from retrievers.interface import Documents, Floats
from retrievers.source import find_symbols
from retrievers.source.edges import EDGE_KINDS, PROVENANCES, find_edges

ROOT = Path(__file__).parents[4]
FILES = [
    (
        "shop/cart.py",
        "from shop.money import cut\n\n\ndef total(prices):\n    return cut(prices)\n",
    ),
    (
        "shop/money.py",
        "def cut(amount):\n    return round(amount, 2)\n\n\ndef mint():\n    pass\n",
    ),
]
SCORES = (
    "from tests.unit.retrievers.graph.test_graph_index import FILES, index; "
    "print(index(FILES).scores('total').tolist())"
)


def index(files: list[tuple[str, str]], *, whole_files: bool = False) -> GraphIndex:
    documents = Documents.of(files)
    symbols, tokens = find_symbols(documents), token_ends(documents)
    edges = find_edges(documents, symbols)
    kinds = {"edge_kinds": EDGE_KINDS, "provenances": PROVENANCES}
    graph = CodeGraph.of(documents, symbols, edges, tokens, **kinds)
    retriever = open_graph(graph, symbol_texts(graph, documents), Graph())
    if whole_files:
        return GraphIndex(retriever, symbols, File().cut(documents, tokens))
    return GraphIndex(retriever, symbols, Symbol().cut(documents, tokens, symbols))


def found(scores: Floats) -> int:
    return int(np.count_nonzero(scores > 0))


def test_what_is_named_comes_before_what_it_calls_before_what_is_only_near() -> None:
    # The chunks: an import, `total`, `cut` that it calls, and `mint` of the imported file.
    imported, total, cut, mint = index(FILES).scores("total")

    assert total > cut > mint > imported == 0


def test_files_have_the_score_of_the_best_in_them() -> None:
    of_files = index(FILES, whole_files=True).scores("total")

    assert of_files.tolist() == index(FILES).scores("total")[[1, 2]].tolist()


def test_a_query_that_names_nothing_finds_nothing() -> None:
    assert found(index(FILES).scores("zyzzyva")) == 0
    assert found(index(FILES).scores("")) == 0


def test_sources_without_symbols_and_no_sources_at_all_are_borne() -> None:
    assert index([("notes.txt", "Total.\n")], whole_files=True).scores("total").tolist() == [0]
    assert index([], whole_files=True).scores("total").tolist() == []


def test_another_process_gives_the_same_scores() -> None:
    command = [sys.executable, "-c", SCORES]

    other = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert other.stdout.strip() == str(index(FILES).scores("total").tolist())
