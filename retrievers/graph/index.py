"""The graph as an index of chunks: a symbol's score goes to the chunk that shows it."""

from retrievers.graph.homes import chunk_scores, homes
from retrievers.graph.model import CodeGraph
from retrievers.graph.retriever import GraphRetriever
from retrievers.graph.seeding import Seeder
from retrievers.graph.settings import Graph
from retrievers.interface import Chunks, Floats
from retrievers.lexical import FieldTexts
from retrievers.source import Symbols


class GraphIndex:
    """Chunks, ready to be scored by a walk over what they define."""

    def __init__(self, retriever: GraphRetriever, symbols: Symbols, chunks: Chunks) -> None:
        self._retriever = retriever
        self._home = homes(symbols, chunks)
        self._chunks = len(chunks)

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; zero shows no symbol near to the query."""
        scored = self._retriever.for_task(query).scored
        return chunk_scores(scored, self._home, self._chunks)


def open_graph(graph: CodeGraph, texts: FieldTexts, settings: Graph) -> GraphRetriever:
    """Return a graph with these texts of its symbols, ready to be asked."""
    seeder = Seeder(graph, texts, settings.seeding, classes=settings.classes)
    return GraphRetriever(graph, seeder.seed, settings.ranking)
