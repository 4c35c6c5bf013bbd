"""BM25 on SciFact equals bm25s, and reaches the published number, judged by trec_eval."""

import csv
import json
import os
from pathlib import Path

import bm25s
import ir_measures
import numpy as np
import pytest
from ir_measures import nDCG

from retrievers.interface import ranked
from retrievers.lexical import BM25, BM25Index, count_words, tokenize

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


@pytest.mark.skipif(not SCIFACT.is_dir(), reason="SciFact is absent; set RANKGRID_DATA")
@pytest.mark.parametrize(("tokenizer", "k1", "b"), [("english", 1.2, 0.75), ("plain", 0.9, 0.4)])
def test_every_score_equals_bm25s_with_the_same_tokens(
    tokenizer: str, k1: float, b: float
) -> None:
    """All documents for all queries, and the order of the first hundred."""
    documents, queries = json_lines("corpus.jsonl"), json_lines("queries.jsonl")
    texts = [f"{document['title']} {document['text']}" for document in documents]
    ours = BM25Index(count_words(texts, tokenizer), BM25(tokenizer, k1=k1, b=b, method="lucene"))
    theirs = bm25s.BM25(method="lucene", k1=k1, b=b)
    theirs.index([tokenize(text, tokenizer) for text in texts], show_progress=False)

    for query in queries:
        tokens = [one for one in tokenize(query["text"], tokenizer) if one in theirs.vocab_dict]
        found, wanted = ours.scores(query["text"]), theirs.get_scores(tokens)
        np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=2e-6)
        # Documents with scores that differ in the last bit may change places.
        first = wanted[np.argsort(-found, kind="stable")[:100]]
        np.testing.assert_allclose(first, np.sort(wanted)[::-1][:100], rtol=4e-6)
