"""A name is suggested where it was meant, and only there."""

import pytest

from bench.errors import nearest
from bench.near_names import close_names

SUITES = ("beir", "docs", "file", "full", "own", "polyglot", "python", "quick", "tiered")
RETRIEVERS = ("bm25", "dense", "exact", "fields", "graph", "grep", "hybrid", "late", "random")
SETTINGS = ("budget_tokens", "chunk", "chunker", "max_shown_tokens", "reranker", "retriever")
WALK = (
    "retriever.graph.walk.hops",
    "retriever.walk",
    "retriever.walk.alpha",
    "retriever.walk.hops",
)


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("fil", SUITES, ["file"]),
        ("onw", SUITES, ["own"]),
        ("pythn", SUITES, ["python"]),
        ("Quick", SUITES, ["quick"]),
        ("foo", SUITES, []),
        ("all", SUITES, []),
        ("none", SUITES, []),
        ("", SUITES, []),
        ("BM25", RETRIEVERS, ["bm25"]),
        ("bm_25", RETRIEVERS, ["bm25"]),
        ("bm26", RETRIEVERS, ["bm25"]),
        ("gerp", RETRIEVERS, ["grep"]),
        ("k2", ("k1", "b", "kind"), ["k1"]),
        ("vector", RETRIEVERS, []),
        ("semantic", RETRIEVERS, []),
        ("splade", RETRIEVERS, []),
        ("retriver", SETTINGS, ["retriever"]),
        ("chunk_size", SETTINGS, ["chunk"]),
        ("chunksize", SETTINGS, ["chunk"]),
        ("tokens", SETTINGS, ["budget_tokens", "max_shown_tokens"]),
        ("workers", SETTINGS, []),
        ("x" * 10_000, SETTINGS, []),
    ],
)
def test_only_a_name_that_may_be_meant_is_near(
    typed: str, known: tuple[str, ...], meant: list[str]
) -> None:
    assert close_names(typed, known) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("retriever.walk.hosp", ["retriever.walk.hops", "retriever.graph.walk.hops"]),
        ("retriever.wlak.alpha", ["retriever.walk.alpha"]),
        ("retriever.walk.zzz", []),
    ],
)
def test_of_dotted_names_only_the_end_is_compared(typed: str, meant: list[str]) -> None:
    """The beginning is that of every name of the group."""
    assert close_names(typed, WALK, by_end=True) == meant


def test_all_names_are_listed_where_they_are_few() -> None:
    many = [f"name{number}" for number in range(30)]

    assert nearest("onn", ["on", "off"]) == "did you mean on? There are off, on"
    assert nearest("foo", ["on", "off"]) == "there are off, on"
    assert nearest("zzz", many, page="rankgrid bench --help") == "rankgrid bench --help lists all"
    assert nearest("nam7", many) == "did you mean name7?"
    assert nearest("foo", []) == "there are none"
