"""The graph as an index of chunks, from real sources to scores."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from retrievers.chunkers import File, Symbol, token_ends
from retrievers.errors import GraphError
from retrievers.graph import (
    CodeGraph,
    Graph,
    GraphIndex,
    NodeFacts,
    Observation,
    open_graph,
    read_observations,
)
from retrievers.graph.scoring import Scoring
from retrievers.graph.seeding import ChannelWeights, EquivalenceClass, Seeding
from retrievers.interface import Documents, Floats
from retrievers.source import find_symbols
from retrievers.source.edges import EDGE_KINDS, PROVENANCES, find_edges
from tests.unit.retrievers.graph.small_sources import seed_texts

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
    retriever = open_graph(graph, seed_texts(graph, documents), Graph())
    if whole_files:
        return GraphIndex(retriever, symbols, File().cut(documents, tokens))
    return GraphIndex(retriever, symbols, Symbol().cut(documents, tokens, symbols))


def ranked(task: str, settings: Graph) -> list[str]:
    """Return the names of what a shop with a door answers, best first."""
    door = "def let_in(name):\n    pass\n\n\ndef authenticate(name):\n    pass\n"
    documents = Documents.of([*FILES, ("shop/door.py", door)])
    symbols, tokens = find_symbols(documents), token_ends(documents)
    kinds = {"edge_kinds": EDGE_KINDS, "provenances": PROVENANCES}
    graph = CodeGraph.of(documents, symbols, find_edges(documents, symbols), tokens, **kinds)
    answer = open_graph(graph, seed_texts(graph, documents), settings).for_task(task)
    return [graph.names[node] for node in answer.scored.node.tolist()]


def found(scores: Floats) -> int:
    return int(np.count_nonzero(scores > 0))


def test_what_is_named_comes_before_what_it_calls_before_what_is_only_near() -> None:
    # The chunks: an import, `total`, `cut` that it calls, and `mint` of the imported file.
    imported, total, cut, mint = index(FILES).scores("total")

    assert total > cut > mint > imported == 0


def test_what_was_seen_running_and_changed_counts_for_every_question() -> None:
    documents = Documents.of(FILES)
    symbols, tokens = find_symbols(documents), token_ends(documents)
    kinds = {"edge_kinds": EDGE_KINDS, "provenances": PROVENANCES}
    edges = find_edges(documents, symbols)
    graph = CodeGraph.of(documents, symbols, edges, tokens, **kinds)
    texts = seed_texts(graph, documents)
    seen = read_observations(
        '{"symbol": "shop.money.cut", "seen": "2026-01-31T12:00:00+00:00"}\n\n'
        '{"symbol": "shop.money.cut", "seen": "2025-01-31T12:00:00+00:00"}\n'
        '{"symbol": "shop.cart.total", "seen": "2026-01-21T12:00:00+00:00"}\n',
        place="seen.jsonl",
    )
    settings = Graph(scoring=Scoring(commit_recency=0.1), observations=seen)

    found = open_graph(graph, texts, settings, changed_days={"shop/cart.py": 0.0})
    ranked = found.for_task("total", facts=NodeFacts(session=np.ones(len(graph)))).scored

    parts = {
        graph.names[node]: {name: float(part[row]) for name, part in ranked.components.items()}
        for row, node in enumerate(ranked.node.tolist())
    }
    assert parts["shop.money.cut"]["recency"] == pytest.approx(0.15 * 1.0)
    assert parts["shop.cart.total"]["recency"] == pytest.approx(0.15 * 0.5)
    assert parts["shop.money.mint"]["recency"] == pytest.approx(0.15 * 0.3)
    assert parts["shop.cart.total"]["commit recency"] == pytest.approx(0.1)
    assert parts["shop.money.cut"]["commit recency"] == pytest.approx(0.03)
    assert parts["shop.money.cut"]["session"] == pytest.approx(0.2)
    assert Observation("shop.money.cut", 1769860800.0) in seen


@pytest.mark.parametrize("line", ["{", "[]", '{"symbol": "a"}', '{"symbol": "a", "seen": "no"}'])
def test_a_line_that_is_no_observation_is_refused_with_its_place(line: str) -> None:
    with pytest.raises(GraphError, match=r'seen.jsonl: line 2: is not {"symbol": NAME, "seen": '):
        read_observations(f"\n{line}\n", place="seen.jsonl")


def test_an_idea_finds_what_no_word_of_the_task_does() -> None:
    """`sign in` is a phrase of all programs; `haggle` is what this project says."""
    off = Graph(seeding=Seeding(weights=ChannelWeights(equivalence=0)))
    own = Graph(classes=(EquivalenceClass("PRICE", ("haggle",), ("mint",), 1.0, "project"),))

    assert ranked("let customers sign in", off)[0] == "shop.door.let_in"
    assert ranked("customers sign in", off) == []
    assert ranked("customers sign in", Graph())[0] == "shop.door.authenticate"
    assert ranked("haggle", Graph()) == []
    assert ranked("haggle", own)[0] == "shop.money.mint"


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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cart.lua", "local Cart = {}\n\nfunction Cart.total(prices)\n  return 1\nend\n"),
        (
            "Cart.kt",
            "class Cart {\n    fun total(prices: List<Int>): Int {\n        return 1\n    }\n}\n",
        ),
        ("cart.sh", "open() {\n  echo 1\n}\n\ntotal() {\n  echo 2\n}\n"),
        ("Cart.pm", "package Cart;\n\nsub total {\n    return 1;\n}\n"),
        ("cart.f90", "subroutine total(prices)\n  x = 1\nend subroutine\n"),
        ("cart.sql", "CREATE FUNCTION total(prices int) RETURNS int AS 'x';\n"),
    ],
)
def test_the_graph_answers_in_languages_of_which_only_definitions_are_known(
    name: str, text: str
) -> None:
    assert found(index([(name, text)]).scores("total")) > 0
