"""What every choice of `retriever=` promises, whatever is behind it.

The choices are the files of conf/retriever/, of which every row of the catalogue has one: a new
retriever is held to the contract by being there. Each is composed, planned and carried out as in a
study, and asked as it would be served.
"""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import yaml

from bench.queries import Query
from bench.stages import BOUNDS
from bench.study.repository_trial import RepositoryTrial
from retrievers.catalogue import RETRIEVERS as ROWS
from retrievers.external import LiveEngine
from retrievers.interface import Rankings
from tests.contract.choices import (
    CONF,
    FILES,
    QUERIES,
    TEXTS,
    WANTED,
    AskServed,
    Trying,
    check,
    repository_trial,
)
from tests.contract.qdrant_server import KEY_VARIABLE, Server

ENGINES = tuple(name for name, row in ROWS.items() if issubclass(row, LiveEngine))
pytestmark = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
RETRIEVERS = [
    *sorted(path.stem for path in (CONF / "retriever").glob("*.yaml") if path.stem != "run"),
    *(f"hybrid of {engine}" for engine in ENGINES),
    "graph with vectors",
]
OF_GROUPS = {"embedder", "vectors"}
"""Fields that are filled with what was chosen for the whole trial."""
UNNAMED = {"classes", "observations", "digest"}
"""Fields that are read from the files that other settings name."""
FAILING = "crash of the cart"
# A file of rankings knows its own queries only: tests/integration/test_imported_runs.py has it.
every_retriever = pytest.mark.parametrize("kind", RETRIEVERS)
every_served = pytest.mark.parametrize("kind", [k for k in RETRIEVERS if k not in BOUNDS])


def ties_go_to_the_lower(rankings: Rankings) -> bool:
    """Tell whether equal scores stand in the order of the chunks."""
    for query in range(len(rankings)):
        found, scores = rankings.of_query(query)
        level = np.diff(scores) == 0
        if (np.diff(found)[level] <= 0).any():
            return False
    return True


def conf(kind: str) -> dict[str, Any]:
    """Return the settings of the file that describes a row."""
    text = (CONF / "retriever" / f"{kind}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


@pytest.mark.parametrize("kind", [*ROWS, *BOUNDS])
def test_every_row_of_the_catalogue_has_a_file_with_its_settings(kind: str) -> None:
    """What can be typed is what the row has; a setting without a row's field is refused."""
    row: Any = {**ROWS, **BOUNDS}[kind]

    assert conf(kind)["kind"] == kind
    assert {field.name for field in fields(row)} - OF_GROUPS <= {*conf(kind), *UNNAMED}


@every_retriever
def test_a_ranking_is_sorted_whole_and_inside_the_tree(trying: Trying, kind: str) -> None:
    """Of queries with and without known words, in any script, and of hostile ones."""
    stages = repository_trial(trying.retriever(kind))

    rankings, chunks = trying.made(stages.ranking), trying.made(stages.chunks)

    check(rankings, chunks, queries=len(QUERIES), depth=1000)
    assert ties_go_to_the_lower(rankings)


@every_retriever
def test_the_same_question_has_the_same_answer(trying: Trying, kind: str) -> None:
    """Built again, asked twice or asked alone: equal to the last bit."""
    settings = trying.retriever(kind)
    whole, alone = repository_trial(settings), repository_trial(settings, QUERIES[2:3])

    rankings = trying.made(whole.ranking)
    again = trying.made(whole.ranking, is_fresh=True)

    assert whole.ranking.codec.encode(rankings) == whole.ranking.codec.encode(again)
    if kind not in BOUNDS:  # which know of the other queries, or draw by the query
        places = [spans(trying, one, query) for one, query in ((whole, 2), (alone, 0))]
        assert places[0] == places[1]
        assert spans(trying, whole, 0) == spans(trying, whole, 1)


def spans(trying: Trying, stages: RepositoryTrial, query: int) -> list[tuple[object, float]]:
    """Return the places of a query's hits and their scores: an engine's chunks are its own."""
    rankings, chunks = trying.made(stages.ranking), trying.made(stages.chunks)
    found, scores = rankings.of_query(query)
    places = [chunks.span(chunk, FILES) for chunk in found.tolist()]
    return list(zip(places, scores.tolist(), strict=True))


@pytest.mark.parametrize("kind", [k for k in RETRIEVERS if k not in ("constant", "random")])
def test_what_a_query_names_is_found_first(trying: Trying, kind: str) -> None:
    """The least that search must do."""
    stages = repository_trial(trying.retriever(kind))

    (best, _), *_ = spans(trying, stages, 0)

    assert getattr(best, "path", None) == "cart.py"


@every_retriever
@pytest.mark.parametrize("unit", ["file", "definition"])
def test_a_ranking_lists_each_unit_once(trying: Trying, kind: str, unit: str) -> None:
    """Whatever made the ranking, with its rules as its file has them."""
    stages = repository_trial(trying.retriever(kind, f"retriever.unit={unit}"))

    rankings, chunks = trying.made(stages.ranking), trying.made(stages.chunks)

    check(rankings, chunks, queries=len(QUERIES), depth=1000)
    assert ties_go_to_the_lower(rankings)
    units = units_of(trying, stages, unit)
    every = trying.made(repository_trial(trying.retriever(kind)).ranking)
    for query in range(len(QUERIES)):
        listed = [units[chunk] for chunk in rankings.of_query(query)[0].tolist()]
        possible = {units[chunk] for chunk in every.of_query(query)[0].tolist()}
        assert len(set(listed)) == len(listed)
        assert set(listed) == possible - {""}


def units_of(trying: Trying, stages: RepositoryTrial, unit: str) -> list[str]:
    """Return the file of each chunk, or the definition that it shows: blank for none."""
    chunks, symbols = trying.made(stages.chunks), trying.made(stages.symbols)
    if unit == "file":
        return [FILES.paths[number] for number in chunks.document.tolist()]
    definitions = trying.made(stages.definitions)
    return list(definitions.names(np.arange(len(chunks)), symbols))


@every_served
@pytest.mark.parametrize("unit", ["file", "definition"])
def test_each_unit_is_served_once_and_in_the_order_that_was_judged(
    trying: Trying, kind: str, unit: str
) -> None:
    """Weights of a fusion are not served, as they change no time: a hybrid has another order.

    Of chunks that share a window, a vector engine finds one.
    """
    stages = repository_trial(trying.retriever(kind, f"retriever.unit={unit}"))
    judged, units = trying.made(stages.ranking), units_of(trying, stages, unit)

    shown = trying.made(AskServed(stages.served, TEXTS, (5,))).chunks

    for query, own in enumerate(shown):
        listed = [units[chunk] for chunk in own]
        assert len(set(listed)) == len(listed)
        assert "" not in listed
        if stages.settings.retrieval.fusion is None and kind != "dense":
            assert list(own) == judged.of_query(query)[0][:5].tolist()


@pytest.mark.parametrize("rules", ["on", "off"])
@pytest.mark.parametrize("unit", ["file", "definition"])
@pytest.mark.parametrize("kind", ["bm25", "hybrid"])
def test_the_unit_does_not_depend_on_the_rules(
    trying: Trying, kind: str, unit: str, rules: str
) -> None:
    """They are two settings."""
    typed = [f"retriever.unit={unit}", f"retriever.rules={rules}"]
    stages = repository_trial(trying.retriever(kind, *typed))

    rankings, units = trying.made(stages.ranking), units_of(trying, stages, unit)

    listed = [units[chunk] for chunk in rankings.of_query(3)[0].tolist()]  # in two files
    assert len(listed) > 1
    assert len(set(listed)) == len(listed)


@every_retriever
def test_no_queries_have_no_rankings(trying: Trying, kind: str) -> None:
    """Of a half of a suite a repository may have none."""
    stages = repository_trial(trying.retriever(kind), ())

    rankings = trying.made(stages.ranking)

    assert len(rankings) == len(rankings.chunk) == 0


@every_served
def test_served_it_gives_what_was_judged_and_no_more_than_asked_for(
    trying: Trying, kind: str
) -> None:
    """Latency is that of the pipeline that quality was measured on."""
    stages = repository_trial(trying.retriever(kind))
    judged, chunks = trying.made(stages.ranking), trying.made(stages.chunks)

    shown = trying.made(AskServed(stages.served, TEXTS)).chunks

    three, one = shown[: len(TEXTS)], shown[len(TEXTS) :]
    assert all(len(set(own)) == len(own) <= 3 for own in three)
    assert all(0 <= chunk < len(chunks) for own in three for chunk in own)
    assert one == tuple(own[:1] for own in three)
    assert three[0][0] == judged.of_query(0)[0][0]


@pytest.mark.parametrize("kind", [k for k in RETRIEVERS if k.split()[-1] in ENGINES])
def test_a_query_that_an_engine_fails_on_is_an_error_of_that_query(
    trying: Trying, kind: str
) -> None:
    """The others keep their answers."""
    failing = Query("broken", FAILING, (WANTED,))
    stages = repository_trial(trying.retriever(kind), (QUERIES[0], failing, QUERIES[2]))

    rankings, (answers,) = trying.made(stages.ranking), stages.answers
    errors = trying.made(answers).errors

    assert [bool(error) for error in errors] == [False, True, False]
    assert kind not in ENGINES or len(rankings.of_query(1)[0]) == 0
    assert len(rankings.of_query(0)[0]) > 0


@pytest.mark.parametrize("kind", ENGINES)
def test_an_engine_is_asked_for_no_more_than_its_depth(trying: Trying, kind: str) -> None:
    """A hit each."""
    stages = repository_trial(trying.retriever(kind, "retriever.depth=1"))

    rankings = trying.made(stages.ranking)

    assert np.diff(rankings.stops, prepend=0).max() == 1


@pytest.mark.parametrize("kind", ["dense", "late"])
@pytest.mark.parametrize("vectors", ["exact", "edge", "server", "server, grpc"])
def test_every_vector_engine_serves_what_was_judged(
    trying: Trying, request: pytest.FixtureRequest, kind: str, vectors: str
) -> None:
    """In NumPy, in process, and from a real server over HTTP and gRPC."""
    typed = [f"vectors={vectors.partition(',')[0]}"]
    if vectors.startswith("server"):
        request.getfixturevalue("qdrant_key")
        server: Server = request.getfixturevalue("qdrant")
        port = server.grpc_port if "grpc" in vectors else 0
        typed += [f"vectors.url={server.url}", f"vectors.grpc_port={port}"]
        typed += [f"vectors.key_variable={KEY_VARIABLE}"]
    if kind == "late":
        typed += ["retriever.served_from=vectors"]
    stages = repository_trial(trying.retriever(kind, *typed))
    judged = trying.made(stages.ranking)

    shown = trying.made(AskServed(stages.served, TEXTS[:4], (3,))).chunks

    assert [own[0] for own in shown] == [judged.of_query(query)[0][0] for query in range(4)]


@pytest.mark.parametrize("vectors", ["exact", "edge"])
@pytest.mark.parametrize("kind", ["dense", "late"])
@pytest.mark.parametrize(
    "how",
    [
        "embedder.long_text=max",
        "embedder.long_text=mean",
        "embedder.long_text=truncate",
        "embedder.windows=small_to_big",
    ],
)
def test_every_way_to_embed_chunks_is_served_as_it_was_judged(
    trying: Trying, kind: str, how: str, vectors: str
) -> None:
    """Files as chunks have several windows; small chunks share one of their document."""
    chunking = "chunk=16" if "small" in how else "chunker=file"
    typed = [how, f"vectors={vectors}", "embedder.window=24", chunking]
    if kind == "late":
        typed += ["retriever.served_from=vectors"]
    stages = repository_trial(trying.retriever(kind, *typed))
    judged = trying.made(stages.ranking)

    shown = trying.made(AskServed(stages.served, TEXTS[:4], (4,))).chunks

    for query, found in enumerate(shown):
        chunks, scores = judged.of_query(query)
        own = dict(zip(chunks.tolist(), scores.tolist(), strict=True))
        # Chunks whose scores are equal but for rounding may stand in another order.
        np.testing.assert_allclose([own[one] for one in found], scores[:4], atol=1e-5)
