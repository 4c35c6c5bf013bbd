"""The weights of a hybrid's channels: given, or the recipe's by kind of query and of model."""

from typing import Any

import pytest

from bench.files import data_folder
from bench.launcher.grid import read_grid
from bench.launcher.points import read_points
from bench.settings.retrieving import Retrieval, parse_retrieval

STATIC = "embedder=static"


def retrieval(*typed: str) -> Retrieval:
    point = read_points(["measure_level=symbol", *typed], data_folder("conf"), multirun=False)[0]
    return parse_retrieval(point.config)


def dense_weights(*typed: str) -> tuple[float, dict[str, float]]:
    """Return the weight of dense, and that of kinds of queries with another."""
    fusion = retrieval(*typed).fusion
    assert fusion is not None
    place = fusion.names.index("dense")
    return fusion.weights[place], {kind: row[place] for kind, row in fusion.of_kind}


@pytest.mark.parametrize(
    ("typed", "weight", "of_kind"),
    [
        ((), 0.5, {"name": 0.35, "error": 0.35}),
        (("weight=0.35",), 0.35, {}),
        (("retriever.issue_weight=0.1",), 0.5, {"name": 0.35, "error": 0.35, "issue": 0.1}),
        (("retriever.error_weight=0.5",), 0.5, {"name": 0.35}),
        (("weight=0.4", "retriever.symbol_weight=0"), 0.4, {"name": 0.0}),
        (("weights=[1,3]",), 0.75, {}),
        (("weights={steps:4}",), 0.5, {}),
        (("weights={steps:4}", "retriever.symbol_weight=0.5"), 0.5, {"name": 0.5}),
        (("retriever=hybrid_graph",), 0.5, {"name": 0.35, "error": 0.35}),
        ((STATIC,), 0.0, {}),
        ((STATIC, "weight=0.2"), 0.2, {}),
        ((STATIC, "retriever.symbol_weight=0.1"), 0.0, {"name": 0.1}),
        ((STATIC, "weights={steps:4}"), 0.5, {}),
        (("retriever.unit=chunk",), 0.6, {"name": 0.35, "error": 0.35}),
        (("retriever.unit=chunk", "retriever=hybrid_graph"), 0.6, {"name": 0.35, "error": 0.35}),
        (("retriever.unit=chunk", "weight=0.5"), 0.5, {}),
        (("retriever.unit=chunk", STATIC), 0.0, {}),
        (("retriever.unit=file",), 0.5, {"name": 0.35, "error": 0.35}),
    ],
)
def test_the_weight_of_dense_follows_the_unit_and_the_kind_of_query_and_of_model(
    typed: tuple[str, ...], weight: float, of_kind: dict[str, float]
) -> None:
    """Unless it is given; a weight that is given holds for every kind."""
    found, found_of_kind = dense_weights(*typed)

    assert found == weight
    assert found_of_kind == pytest.approx(of_kind)


@pytest.mark.parametrize(
    ("typed", "boost"),
    [
        ((), 0.3),
        ((STATIC,), 1.0),
        (("weight=0",), 1.0),
        ((STATIC, "weight=0.2"), 0.3),
        ((STATIC, "retriever.name_boost=0.3"), 0.3),
        (("retriever.channels=[bm25,graph]",), 0.3),
        (("retriever=lexical",), 1.0),
    ],
)
def test_names_count_as_in_lexical_where_no_vectors_do(
    typed: tuple[str, ...], boost: float
) -> None:
    rules = retrieval(*typed).rules

    assert rules is not None
    assert rules.name_boost == boost


@pytest.mark.parametrize("retriever", ["hybrid", "hybrid_graph"])
def test_the_words_of_a_hybrid_are_those_of_lexical(retriever: str) -> None:
    """Its first channel, its rules and its unit are the same."""
    lexical, hybrid = retrieval("retriever=lexical"), retrieval(f"retriever={retriever}", STATIC)

    assert hybrid.channels[0] == lexical.channels[0]
    assert (hybrid.rules, hybrid.listing) == (lexical.rules, lexical.listing)


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ((STATIC,), 1),
        (("embedder=static,minilm", "chunk=256,512"), 1),
        ((), 0),
        ((STATIC, "weight=0.2"), 0),
        (("weight=0",), 0),
        ((STATIC, "retriever=lexical"), 0),
    ],
)
def test_a_model_that_counts_nothing_is_named(typed: tuple[str, ...], lines: int) -> None:
    """Who sets the weight knows it."""
    common: list[Any] = ["measure_level=span", "tracking=none"]
    notes = read_grid(read_points([*common, *typed], data_folder("conf"), multirun=True)).notes

    said = [note for note in notes if note.startswith("static-code-256: dense has weight 0")]
    assert len(said) == lines
