"""Scores of a study's stored rankings with additional targets."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bench.engine import ArtifactStore
from bench.errors import UsageError
from bench.measures import Characters, Rule, measures_of, score
from bench.queries import LEVELS, Judgements, Query, Target, Tree, resolve_in
from bench.results import StudyResult, TrialResult
from bench.results.rescore import stored
from bench.results.trial_result import Evidence
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from retrievers.source import find_symbols

Values = np.ndarray[Any, np.dtype[np.float64]]
_ROWS = ("query", "level", "document", "start_byte", "end_byte", "grade")
_DEEPEST = 150
"""Number of hits that are scored, more than any cut-off of ten hits or 8,000 tokens shows."""


@dataclass(frozen=True)
class Question:
    """A query of a repository, with targets in addition to its own."""

    number: int
    """Number of the query in its repository."""
    added: tuple[Target, ...]


@dataclass(frozen=True)
class _Searched:
    """The ranking of one trial in one repository."""

    rankings: Rankings
    chunks: Chunks
    rule: Rule
    limit: int


class Searched:
    """A repository of a study: its documents, targets, and the rankings of the trials."""

    def __init__(self, name: str, trials: Sequence[TrialResult], store: ArtifactStore) -> None:
        self.name = name
        first = _evidence(trials[0], name)
        self.documents: Documents = stored(store, first, "documents", name)
        self._tokens: TokenEnds = stored(store, first, "tokens", name)
        self._characters = Characters(self.documents)
        self._trials = [self._trial(_evidence(one, name), store) for one in trials]
        self.count = len(self._trials[0].rankings)
        self.judge_by(stored(store, first, "judgements", name))
        self._trees: dict[tuple[str, ...], Tree] = {}
        self._resolved: dict[tuple[Target, ...], Values] = {}

    def judge_by(self, judgements: Judgements) -> None:
        """Replace the targets used for scores."""
        self.judgements = judgements
        rows = _rows(judgements)
        self._own = [rows[:, rows[0] == number] for number in range(self.count)]

    def _trial(self, evidence: Evidence, store: ArtifactStore) -> _Searched:
        rankings: Rankings = stored(store, evidence, "ranking", self.name)
        rule = Rule(self._characters, evidence.overlap, evidence.symbol_credit)
        chunks: Chunks = stored(store, evidence, "chunks", self.name)
        return _Searched(rankings, chunks, rule, evidence.limit)

    def tree(self, paths: Sequence[str]) -> Tree:
        """Return a tree of only some files, which suffices because names are looked up by file."""
        known = tuple(sorted({path for path in paths if path in self.documents.places}))
        if known not in self._trees:
            texts = [(path, self.documents.text(self.documents.places[path])) for path in known]
            documents = Documents.of(texts)
            self._trees[known] = Tree.of(documents, find_symbols(documents), most_matches=100)
        return self._trees[known]

    def scores(self, questions: Sequence[Question], tree: Tree, level: str, column: str) -> Values:
        """Return a measure of every question (rows) under every trial (columns)."""
        # Scoring all levels would take most of the time. Only file_recall needs the file level.
        levels = {level, *(["file"] if column.startswith("file_recall") else [])}
        judgements = self._judgements(questions, tree, levels)
        tables = [self._score(one, questions, judgements, level, column) for one in self._trials]
        return np.stack(tables, axis=1)

    def _score(
        self,
        trial: _Searched,
        questions: Sequence[Question],
        judgements: Judgements,
        level: str,
        column: str,
    ) -> Values:
        tops = [trial.rankings.of_query(one.number) for one in questions]
        hits = [(chunks[:_DEEPEST], scores[:_DEEPEST]) for chunks, scores in tops]
        nothing = np.zeros(len(questions))
        found = score(
            Rankings.of(hits, nothing, nothing),
            trial.chunks,
            judgements,
            self._tokens,
            query_count=len(questions),
            rule=trial.rule,
            measures=[one for one in measures_of((column,)) if one.column == column],
            limit=trial.limit,
        )
        unknown = np.full(len(questions), np.nan)
        return found.of(level, column) if level in found.levels else unknown

    def _judgements(
        self, questions: Sequence[Question], tree: Tree, levels: Collection[str]
    ) -> Judgements:
        """Return the targets of the questions as rows: their own, and the added ones."""
        own = [self._own[one.number] for one in questions]
        parts = [_numbered(rows, place) for place, rows in enumerate(own)]
        for place, one in enumerate(questions):
            if one.added:
                parts.append(_numbered(self._added(one.added, tree), place))
        rows = np.concatenate(parts, axis=1)
        wanted = [number for number, name in enumerate(LEVELS) if name in levels]
        rows = rows[:, np.isin(rows[1], wanted)]
        names = [*_ROWS, "choice", "asked_start", "asked_end"]
        columns = {name: row.astype(np.int32) for name, row in zip(names, rows, strict=True)}
        return Judgements(**columns)

    def _added(self, targets: tuple[Target, ...], tree: Tree) -> Values:
        if targets in self._resolved:
            return self._resolved[targets]
        found = _rows(resolve_in(tree, [Query("", "", tuple(targets))]))
        here = np.array([self.documents.places[path] for path in tree.documents.paths])
        found[2] = here[found[2].astype(int)]
        # Alternatives have numbers within their query; added targets have none.
        found[6] = 0
        self._resolved[targets] = found
        return found


class StoredTrials:
    """The trials of a study, with the stored data behind their scores."""

    def __init__(self, study: StudyResult, store: ArtifactStore) -> None:
        sound = [one for one in study.trials if not one.failed and not one.is_bound]
        if not sound:
            raise UsageError(f"{study.id}: no trial has a result, so there is nothing to compare")
        if any(not one.evidence for one in sound):
            raise UsageError(f"{study.id}: does not say where rankings are stored; run it again")
        self.trials = tuple(sound)
        self.repositories = tuple(Searched(name, sound, store) for name in sound[0].evidence)
        if sum(one.count for one in self.repositories) != len(sound[0].queries):
            raise UsageError(
                f"{study.id}: its queries do not match the stored rankings; give a results.json"
                " that was not edited"
            )

    def place(self, row: int) -> tuple[Searched, int]:
        """Return the repository of a row of the study's queries, and its number there."""
        for one in self.repositories:
            if row < one.count:
                return one, row
            row -= one.count
        raise IndexError(row)


def _evidence(trial: TrialResult, name: str) -> Evidence:
    found = trial.evidence.get(name)
    if found is None:
        raise UsageError(f"{trial.name}: has no rankings of {name}; run the study again")
    return found


def _rows(judgements: Judgements) -> Values:
    """Return judgements as a table; the required part defaults to the whole place."""
    columns = {one.name: getattr(judgements, one.name) for one in fields(judgements)}
    count = len(judgements.query)
    choice = columns["choice"] if len(columns["choice"]) else np.zeros(count)
    narrow = len(columns["asked_start"]) > 0
    start = columns["asked_start" if narrow else "start_byte"]
    end = columns["asked_end" if narrow else "end_byte"]
    rows = [*(columns[name] for name in _ROWS), choice, start, end]
    return np.stack(rows).astype(np.float64)


def _numbered(rows: Values, number: int) -> Values:
    numbered = rows.copy()
    numbered[0] = number
    return numbered
