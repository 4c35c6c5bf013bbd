"""BM25 on SciFact reaches the published number, judged by trec_eval."""

import csv
import json
import os
from pathlib import Path

import ir_measures
import pytest
from ir_measures import nDCG

from retrievers.interface import ranked
from retrievers.lexical import BM25, BM25Index, count_words

PROJECT = Path(__file__).parents[2]
SCIFACT = Path(os.environ.get("RANKGRID_DATA", PROJECT / "../shared/data")) / "scifact"


def json_lines(name: str) -> list[dict[str, str]]:
    """Return the records of a file of SciFact."""
    lines = (SCIFACT / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def judgements() -> list[ir_measures.Qrel]:
    """Return what is relevant to what."""
    with (SCIFACT / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [
            ir_measures.Qrel(row["query-id"], row["corpus-id"], int(row["score"])) for row in rows
        ]


@pytest.mark.skipif(not SCIFACT.is_dir(), reason="SciFact is absent; set RANKGRID_DATA")
def test_bm25_with_english_words_has_the_published_quality() -> None:
    """Lucene's published nDCG@10 is 0.679."""
    documents, queries = json_lines("corpus.jsonl"), json_lines("queries.jsonl")
    texts = (f"{document['title']} {document['text']}" for document in documents)
    weighing = BM25("english", k1=1.2, b=0.75, method="lucene")
    index = BM25Index(count_words(texts, "english"), weighing)

    rankings = ranked((index.scores(query["text"]) for query in queries), 100, floor=0)

    run = [
        ir_measures.ScoredDoc(query["_id"], documents[chunk]["_id"], -float(place))
        for number, query in enumerate(queries)
        for place, chunk in enumerate(rankings.of_query(number)[0])
    ]
    assert len(queries) == 300
    found = ir_measures.calc_aggregate([nDCG @ 10], judgements(), run)[nDCG @ 10]
    assert found == pytest.approx(0.679, abs=0.002)
