"""A graph whose first symbols are ordered by a real model's vectors, beside the graph itself."""

import numpy as np

from bench.models import load_encoder
from bench.stages import Model, Parse, RepositoryStages, Tokenize
from bench.stages.symbols import symbol_parts
from retrievers.dense import EmbeddingModel, joined
from retrievers.graph import RepositoryGraph
from retrievers.graph.reordering import symbol_passages
from retrievers.interface import Rankings
from tests.contract.choices import FILES, QUERIES, Repository, Trying, repository_trial


def rankings(trying: Trying, *typed: str) -> Rankings:
    """Return the rankings of a graph over the symbols of the contract's files."""
    stages = repository_trial(trying.retriever("graph", "chunker=symbol", *typed))
    found: Rankings = trying.made(stages.ranking)
    return found


def test_the_vectors_order_what_the_graph_finds_and_nothing_else(trying: Trying) -> None:
    plain = rankings(trying)
    found = rankings(trying, "retriever.reordering.weight=0.6")

    moved = 0
    for query in range(len(QUERIES)):
        (before, scores), (after, same) = plain.of_query(query), found.of_query(query)
        assert sorted(before.tolist()) == sorted(after.tolist())
        assert scores.tolist() == same.tolist()
        moved += before.tolist() != after.tolist()
    assert moved


def test_symbols_below_the_depth_stay_where_they_are(trying: Trying) -> None:
    plain = rankings(trying)
    first = rankings(trying, "retriever.reordering.weight=1", "retriever.reordering.depth=1")

    assert np.array_equal(plain.chunk, first.chunk)


def test_each_symbol_has_the_vector_of_its_own_text(trying: Trying) -> None:
    files, model = Repository(), EmbeddingModel(dtype="float32")
    graph = RepositoryStages(files, Tokenize(files), Parse(files)).built(RepositoryGraph())

    vectors = joined([trying.made(one) for one in symbol_parts(files, graph, Model.of(model))])

    passages = symbol_passages(trying.made(graph), FILES)
    assert len(passages) > 1
    assert np.array_equal(vectors, load_encoder(model).passages(passages))
