"""The questions to a graph: ranked symbols for a task, for files or for changed lines."""

from collections.abc import Callable, Iterable

import numpy as np

from retrievers.errors import GraphError
from retrievers.graph.model import CodeGraph, Seeds
from retrievers.graph.ranking import NodeFacts, Ranked, Ranker, RankingSettings
from retrievers.graph.seeding.reasons import SeedReasons
from retrievers.interface import Integers, Span
from retrievers.rules.words import speaks_of_tests

FindSeeds = Callable[[str], Seeds]
"""A function that finds the seeds of a task."""
FindReasons = Callable[[str, int], SeedReasons]
"""A function that returns the reasons why a symbol is a seed for a task."""


def no_reasons(_task: str, _node: int) -> SeedReasons:
    """Return empty reasons, for seeds that were given."""
    return SeedReasons()


class OpenGraph:
    """A repository's graph, ready for questions. It keeps no state between them.

    The `facts` apply to every question. A question may override them.
    """

    def __init__(
        self,
        graph: CodeGraph,
        find_seeds: FindSeeds,
        settings: RankingSettings,
        *,
        facts: NodeFacts | None = None,
        find_reasons: FindReasons = no_reasons,
    ) -> None:
        self.graph, self.settings = graph, settings
        self.find_reasons = find_reasons
        self._facts = facts or NodeFacts()
        self._find_seeds = find_seeds
        self._ranker = Ranker(graph, settings)
        self._places = {path: number for number, path in enumerate(graph.files)}

    def for_task(self, task: str, *, facts: NodeFacts | None = None) -> Ranked:
        """Return the symbols near the seeds of a task."""
        spared = speaks_of_tests(task)
        return self._ranker.rank(
            self._find_seeds(task), facts=self._known(facts), spare_tests=spared
        )

    def for_files(self, paths: Iterable[str], *, facts: NodeFacts | None = None) -> Ranked:
        """Return the symbols of files, and their callers."""
        documents = [self._document(path) for path in paths]
        inside = np.isin(self.graph.document[: self.graph.symbol_count], documents)
        seeds = _seeds(np.flatnonzero(inside), "files")
        return self._ranker.rank_around(seeds, facts=self._known(facts), spare_tests=True)

    def for_changes(self, changes: Iterable[Span], *, facts: NodeFacts | None = None) -> Ranked:
        """Return the symbols near the symbols of changed lines."""
        touched = [node for change in changes for node in self.touched(change)]
        seeds = _seeds(np.unique(np.array(touched, np.int64)), "changes")
        return self._ranker.rank(seeds, facts=self._known(facts))

    def touched(self, change: Span) -> list[int]:
        """Return the innermost symbols with lines in a span, or the file if there are none."""
        graph, document = self.graph, self._document(change.path)
        inside = (graph.document == document) & (graph.start_line <= change.end)
        inside &= graph.end_line >= change.start
        inside[graph.symbol_count :] = False
        found = np.flatnonzero(inside)
        innermost = np.setdiff1d(found, graph.parent[found])
        return innermost.tolist() or [graph.symbol_count + document]

    def _known(self, facts: NodeFacts | None) -> NodeFacts:
        return facts.over(self._facts) if facts else self._facts

    def _document(self, path: str) -> int:
        if path not in self._places:
            message = f"{path}: no such file in the repository; give its path from the root"
            raise GraphError(message)
        return self._places[path]


def _seeds(nodes: Integers, channel: str) -> Seeds:
    even = np.ones(len(nodes), np.float32)
    return Seeds(nodes.astype(np.int32), even, {channel: even})
