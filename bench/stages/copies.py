"""Detection of documents that contain questions."""

from dataclasses import dataclass
from typing import ClassVar

from bench.engine import Read, Record, Stage
from bench.queries import find_copies
from bench.stages.sources import Ask
from retrievers.interface import Documents


@dataclass(frozen=True)
class Copies:
    """Pairs of a question and a document that contains it word for word."""

    query: tuple[int, ...] = ()
    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class FindCopies(Stage[Copies]):
    """Find the questions in all documents, even in their answers.

    The stage does not resolve the answers, because that requires parsing and very few documents
    contain a question.
    """

    kind: ClassVar[str] = "find-copies"
    codec: ClassVar[Record[Copies]] = Record(Copies)

    documents: Stage[Documents]
    questions: Ask

    def run(self, read: Read, /) -> Copies:
        """Return the pairs in the order of the documents."""
        documents = read(self.documents)
        rows = list(find_copies(read(self.questions).texts, documents))
        read.count(copies=len(rows))
        return Copies(
            query=tuple(question for question, _ in rows),
            path=tuple(documents.paths[document] for _, document in rows),
        )
