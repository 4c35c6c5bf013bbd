"""No document of a shipped suite, nor of a public collection, is refused for its questions."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.corpora import parse_source, read_source
from bench.errors import UnreachableError
from bench.queries import find_copies, read_asked, read_corpus, read_queries
from bench.study.copies import FEWEST_QUESTIONS
from retrievers.interface import Documents
from tests.integration.test_chunkers_on_suites import SUITES

PROJECT = Path(__file__).parents[2]
SCIFACT = Path(os.environ.get("RANKGRID_DATA", PROJECT / "../shared/data")) / "scifact"


def repositories() -> dict[str, dict[str, Any]]:
    """Return the repositories of all suites, each once with each of its files of queries."""
    suites = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in SUITES.glob("*.yaml")]
    listed = [entry for suite in suites for entry in suite.get("repositories", [])]
    return {entry["queries"]: entry for entry in listed}


def most_held(questions: Sequence[str], documents: Documents) -> int:
    """Return how many questions the document with the most of them holds."""
    held = Counter(document for _, document in find_copies(questions, documents))
    return max(held.values(), default=0)


@pytest.mark.parametrize("queries", sorted(repositories()))
def test_no_document_of_a_shipped_suite_holds_several_questions(queries: str) -> None:
    entry = repositories()[queries]
    asked = read_asked(PROJECT / queries, repository=entry["name"])
    try:
        documents = read_source(parse_source(entry["source"], where=queries)).documents
    except UnreachableError as error:
        pytest.skip(str(error))

    assert most_held([one.query.text for one in asked], documents) < FEWEST_QUESTIONS


@pytest.mark.skipif(not SCIFACT.is_dir(), reason="SciFact is absent; set RANKGRID_DATA")
def test_no_passage_of_scifact_holds_several_claims() -> None:
    """One passage holds a claim that it supports, which is a leak."""
    documents, queries = read_corpus(SCIFACT), read_queries(SCIFACT)

    copies = list(find_copies([query.text for query in queries], documents))

    ((question, document),) = copies
    targets = {target.path for target in queries[question].targets}
    assert documents.paths[document] in targets
