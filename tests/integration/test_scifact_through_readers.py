"""SciFact through our own readers reaches the published number of BM25."""

import os
from pathlib import Path

import ir_measures
import pytest
from ir_measures import nDCG

from bench.queries import read_corpus, read_queries, resolve, write_qrels, write_run
from bench.queries.formats.trec import RunRow
from retrievers.interface import ranked
from retrievers.lexical import BM25, BM25Index, count_words
from retrievers.source import find_symbols

PROJECT = Path(__file__).parents[2]
SCIFACT = Path(os.environ.get("RANKGRID_DATA", PROJECT / "../shared/data")) / "scifact"


@pytest.mark.skipif(not SCIFACT.is_dir(), reason="SciFact is absent; set RANKGRID_DATA")
def test_bm25_over_what_the_readers_give_has_the_published_quality(tmp_path: Path) -> None:
    """Lucene's published nDCG@10 is 0.679; run and qrels go through the files we write."""
    documents, queries = read_corpus(SCIFACT), read_queries(SCIFACT)
    texts = (documents.text(number) for number in range(len(documents)))
    weighing = BM25("english", k1=1.2, b=0.75, method="lucene")
    index = BM25Index(count_words(texts, "english"), weighing)

    rankings = ranked((index.scores(query.text) for query in queries), 100, floor=0)

    rows = (
        RunRow(query.id, documents.paths[chunk], -float(place))
        for number, query in enumerate(queries)
        for place, chunk in enumerate(rankings.of_query(number)[0])
    )
    write_run(rows, tmp_path / "run")
    judgements = resolve(queries, documents, find_symbols(documents))
    write_qrels(tmp_path / "qrels", queries, documents, judgements)
    assert (len(documents), len(queries), len(judgements.query)) == (5183, 300, 339)
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "qrels"))  # type: ignore[no-untyped-call]
    run = ir_measures.read_trec_run(str(tmp_path / "run"))  # type: ignore[no-untyped-call]
    found = ir_measures.calc_aggregate([nDCG @ 10], qrels, run)
    assert found[nDCG @ 10] == pytest.approx(0.679, abs=0.002)
