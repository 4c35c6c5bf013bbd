"""Resolved judgements as rows of query, document and grade, for formats that have only these."""

from collections.abc import Iterator, Sequence

from bench.errors import FixtureError
from bench.judgements.query import LEVELS, Query
from bench.judgements.resolved import Judgements
from retrievers.interface import Documents

GradedRow = tuple[str, str, int]


def graded_documents(
    queries: Sequence[Query], documents: Documents, judgements: Judgements
) -> Iterator[GradedRow]:
    """Return (query, document, grade) of every right document.

    A negative query has a row that says what is true of any document: that it is not right.
    """
    if not len(documents):
        raise FixtureError("there are no documents to write; give the tree that was judged")
    at_files = judgements.level == LEVELS.index("file")
    of_query: dict[int, list[tuple[int, int]]] = {}
    for query, document, grade in zip(
        judgements.query[at_files].tolist(),
        judgements.document[at_files].tolist(),
        judgements.grade[at_files].tolist(),
        strict=True,
    ):
        of_query.setdefault(query, []).append((document, grade))
    for number, query in enumerate(queries):
        for document, grade in of_query.get(number, [(0, 0)] if query.negative else []):
            yield query.id, documents.paths[document], grade
