"""The graph as an index of chunks: a symbol's score goes to the chunk that shows it."""

from collections.abc import Mapping

import numpy as np

from retrievers.graph.homes import chunk_scores, homes
from retrievers.graph.model import CodeGraph
from retrievers.graph.observations import days_since
from retrievers.graph.ranking import NodeFacts
from retrievers.graph.retriever import GraphRetriever
from retrievers.graph.seeding import Seeder, Vocabulary
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


def open_graph(
    graph: CodeGraph,
    texts: FieldTexts,
    settings: Graph,
    *,
    vocabulary: Vocabulary | None = None,
    changed_days: Mapping[str, float] | None = None,
) -> GraphRetriever:
    """Return a graph with these texts of its symbols, ready to be asked.

    `vocabulary` is what was learned, `changed_days` the days since each file was changed.
    """
    seeder = Seeder(
        graph, texts, settings.seeding, classes=settings.classes, vocabulary=vocabulary
    )
    facts = NodeFacts()
    if settings.observations:
        facts = NodeFacts(seen_days=days_since(settings.observations, graph.names))
    if changed_days is not None:
        of_files = [changed_days.get(path, np.nan) for path in graph.files]
        facts = NodeFacts(changed_days=np.array([*of_files, np.nan])[graph.document]).over(facts)
    return GraphRetriever(graph, seeder.seed, settings.ranking, facts=facts)
