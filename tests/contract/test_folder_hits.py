"""A folder is asked as a trial asks it: the same hits in the same order, by a real model."""

from pathlib import Path

import pytest

from bench.cli.folder_hits import FolderHits, channel_settings
from bench.cli.folder_indexing import Stored, checked_out
from bench.engine import opened_store
from bench.stages import Ask
from bench.study.corpus import PreparedRepository
from bench.study.repository_trial import RepositoryTrial
from tests.contract.choices import FILES

QUERIES = ("where does the store keep an order?", "empty_cart", "the very same words")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the contract."""
    place = tmp_path_factory.mktemp("folder")
    for number, path in enumerate(FILES.paths):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(FILES.text(number), encoding="utf-8")
    return place


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    ("retriever", "embedder"),
    [("hybrid_graph", ""), ("hybrid", ""), ("lexical", ""), ("hybrid", "static")],
)
def test_a_folder_has_the_hits_of_a_trial(
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    retriever: str,
    embedder: str,
    query: str,
) -> None:
    store = opened_store(str(tmp_path_factory.getbasetemp() / "store"))
    settings = channel_settings(retriever, ["test_penalty=1"], embedder=embedder)
    documents = checked_out(str(folder), store)
    asked = PreparedRepository("folder", documents, Ask((query,)), ())
    trial, read = RepositoryTrial(settings, asked), Stored(store)

    answer = FolderHits(str(folder), store, settings).ask(query)

    chunks, scores = read(trial.ranking).of_query(0)
    spans = [read(trial.chunks).span(chunk, FILES) for chunk in chunks.tolist()]
    assert spans
    assert [(hit.path, hit.start, hit.end) for hit in answer.hits] == [
        (span.path, span.start, span.end) for span in spans
    ]
    assert [hit.score for hit in answer.hits] == pytest.approx(scores.tolist())


def test_a_channel_without_weight_is_not_asked(folder: Path, tmp_path: Path) -> None:
    """A trial makes its vectors; nothing of one question needs them."""
    settings = channel_settings("hybrid", [], embedder="static")

    answer = FolderHits(str(folder), opened_store(str(tmp_path)), settings).ask(QUERIES[0])

    assert answer.weights == {"bm25": 1, "dense": 0}
    assert answer.model == ""
    assert answer.hits
    assert not any("dense" in hit.ranks for hit in answer.hits)
    assert not (tmp_path / "artifacts" / "embed").exists()
