"""Candidates for the answers of a question, pooled from several retrievers.

The pool is shuffled. The annotator does not see which retriever found a place, or its rank, so
that no retriever determines its own ground truth.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bench.authoring.mining import is_test
from bench.engine import ArtifactStore, Plan, Stage, Task, perform
from bench.errors import EngineError
from bench.queries.resolution import Spot, Tree
from bench.settings import TrialSettings
from bench.stages import Ask
from bench.study.corpus import PreparedRepository
from bench.study.repository_trial import RepositoryTrial
from retrievers.interface import Chunks, Documents


@dataclass(frozen=True)
class Candidate:
    """A place that may be relevant."""

    path: str
    start: int
    end: int
    symbol: str
    """Unambiguous name of the enclosing definition, or ""."""
    text: str


class Pool:
    """Search of one repository with several retrievers."""

    def __init__(
        self,
        name: str,
        documents: Stage[Documents],
        retrievers: Mapping[str, TrialSettings],
        store: ArtifactStore,
    ) -> None:
        self._name = name
        self._documents = documents
        self._retrievers = retrievers
        self._store = store

    def candidates(
        self, question: str, tree: Tree, *, each: int, seed: int, tests: bool
    ) -> list[Candidate]:
        """Return the first `each` places of every retriever, pooled in random order.

        Test files share words with many questions but rarely answer them. Without `tests`, they
        are skipped and the next places are taken.
        """
        asked = Ask((question,), repository=self._name)
        repository = PreparedRepository(self._name, self._documents, asked, ())
        found: set[Spot] = set()
        for settings in self._retrievers.values():
            trial = RepositoryTrial(settings, repository)
            rankings, chunks = (
                self._made(trial.ranking),
                self._made(trial.chunks),
            )
            numbers, _ = rankings.of_query(0)
            offered = (
                int(number)
                for number in numbers
                if tests or not is_test(tree.documents.paths[chunks.document[number]])
            )
            found.update(_spot(chunks, number, tree) for number in islice(offered, each))
        # The order depends only on the places, the question and the seed.
        ordered = sorted(found, key=lambda spot: (spot.document, spot.start, spot.end))
        random.Random(f"{seed} {question}").shuffle(ordered)  # noqa: S311 - no secret
        names = {
            tree.definition(one.row): one.asked
            for one in tree.definitions.all()
            if tree.is_code[one.row]
        }
        return [_candidate(spot, tree, names) for spot in ordered]

    def documents(self) -> Documents:
        """Return the searched documents."""
        found: Documents = self._made(self._documents)
        return found

    def _made(self, goal: Stage[Any]) -> Any:
        """Return the result of a stage, after running the stages that are not stored."""

        def is_done(stage: Stage[Any]) -> bool:  # only the result that is read here is checked
            return self._store.has(stage) and (stage != goal or bool(self._store.load(stage)))

        for stage in Plan.reaching([goal], done=is_done).stages:
            outcome = perform(Task(stage, self._store.url))
            if outcome.failure:
                raise EngineError(f"{stage.kind} of {self._name}: {outcome.failure.cause}")
        artifact = self._store.load(goal)
        if artifact is None:
            raise EngineError(f"{goal.kind} of {self._name}: its result was not stored")
        return goal.codec.decode(artifact.payload)


def _spot(chunks: Chunks, number: int, tree: Tree) -> Spot:
    """Return the lines of a chunk without leading and trailing blank lines."""
    document, start = int(chunks.document[number]), int(chunks.start_line[number])
    lines = tree.text(tree.lines(document, start, int(chunks.end_line[number]))).split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()] or [0]
    return tree.lines(document, start + filled[0], start + filled[-1])


def _candidate(spot: Spot, tree: Tree, names: Mapping[Spot, str]) -> Candidate:
    path = tree.documents.paths[spot.document]
    symbol = names.get(tree.around(spot), "")
    return Candidate(path, *tree.lines_of(spot), symbol, tree.text(spot))
