"""Rules as a stage, applied to the ranking of any retriever or fusion."""

from dataclasses import dataclass
from typing import ClassVar

from bench.engine import Read, Record, Stage
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from retrievers.interface import SEARCHED, Chunks, Documents, Floor, Rankings
from retrievers.rules import PathWords, RuleBook, Rules
from retrievers.source import Symbols


@dataclass(frozen=True)
class ReadPaths(Stage[PathWords]):
    """Find the words of every path, shared by rules with any weights."""

    kind: ClassVar[str] = "read-paths"
    version: ClassVar[int] = 3
    codec: ClassVar[Record[PathWords]] = Record(PathWords)

    documents: Stage[Documents]

    def run(self, read: Read, /) -> PathWords:
        """Return the words with the documents that have them."""
        earlier = read.earlier(self)
        documents = read(self.documents)
        return earlier.result.updated(documents) if earlier else PathWords.of(documents)


@dataclass(frozen=True)
class ApplyRules(Stage[Rankings]):
    """Reorder a ranking by names, definitions and tests."""

    kind: ClassVar[str] = "apply-rules"
    version: ClassVar[int] = 7
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    ranking: Stage[Rankings]
    questions: Stage[Questions]
    chunks: Stage[Chunks]
    paths: Stage[PathWords]
    symbols: Stage[Symbols]
    rules: Rules
    floor: Floor = "mean"
    """Zero point of the scores: the mean for a single retriever, zero for fused scores."""
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings after the rules."""
        book = RuleBook(read(self.chunks), read(self.paths), read(self.symbols))
        return book.apply(
            read(self.ranking),
            read(self.questions).texts,
            self.rules,
            depth=self.depth,
            floor=self.floor,
        )


@dataclass(frozen=True)
class ServedRules:
    """Rules when they are served."""

    chunks: Stage[Chunks]
    paths: Stage[PathWords]
    symbols: Stage[Symbols]
    rules: Rules
    floor: Floor = "mean"

    def open(self, read: Read, /) -> "_RulesReorderer":
        """Return the rules with their data."""
        book = RuleBook(read(self.chunks), read(self.paths), read(self.symbols))
        return _RulesReorderer(book, self.rules, self.floor)


@dataclass(frozen=True)
class _RulesReorderer:
    book: RuleBook
    rules: Rules
    floor: Floor

    def reordered(self, query: str, ranking: Rankings) -> Rankings:
        """Return the ranking after the rules."""
        return self.book.apply(ranking, [query], self.rules, depth=SEARCHED, floor=self.floor)
