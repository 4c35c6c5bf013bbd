"""Rescoring of a finished study's stored rankings with the current measures.

No stage runs. The inputs are stored artifacts: rankings, chunks, documents, tokens and judgements.
Latency and costs do not depend on these and keep their values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Self

import numpy as np

from bench.engine import ArtifactStore, Record
from bench.errors import ArtifactError, UsageError
from bench.measures import OF_ANSWERS, Characters, Rule, Scores, measures_of, score
from bench.measures.matching import Hits
from bench.measures.version import MEASURE_VERSION
from bench.queries import Judgements, Query
from bench.results.advice_record import AdviceRecord
from bench.results.document import rounded
from bench.results.groups import file_types_of, labels_of, languages_of
from bench.results.query_result import Numbers, QueryResult
from bench.results.relevance import Credited, Relevance
from bench.results.scored_queries import ScoredQueries
from bench.results.study_result import StudyResult
from bench.results.trial_result import Evidence, TrialResult
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds

_KINDS: dict[str, type[Any]] = {
    "ranking": Rankings,
    "chunks": Chunks,
    "documents": Documents,
    "tokens": TokenEnds,
    "judgements": Judgements,
}
_LATENCY = ("avg_latency_ms",)
_NO_ADVICE = "Rescored from stored rankings, without new advice."


def rescored(old: StudyResult, store: ArtifactStore, columns: tuple[str, ...]) -> StudyResult:
    """Return a study with recomputed standard measures and `columns`."""
    note = (
        f"rescored from {old.id} (measures version {old.measure_version}) on"
        f" {datetime.now(UTC):%Y-%m-%d}; latency and costs are as they were measured then"
    )
    rescoring = _Rescoring(store, old.level, columns)
    new = replace(
        old,
        id=f"{old.id}-rescored",
        measure_version=MEASURE_VERSION,
        notes=(*old.notes, note),
        trials=tuple(rescoring.trial(trial) for trial in old.trials),
        advice=AdviceRecord((_NO_ADVICE,)),
    )
    return rounded(new)


@dataclass(frozen=True)
class _Rescoring:
    store: ArtifactStore
    level: str
    columns: tuple[str, ...]

    def trial(self, trial: TrialResult) -> TrialResult:
        if trial.failed:
            return trial
        if not trial.evidence:
            raise UsageError(
                f"{trial.name}: its results do not say where rankings are stored;"
                " run the study again"
            )
        try:
            read = [_Evidence.of(self.store, place, one) for place, one in trial.evidence.items()]
            scored = _scored(trial, [one.scores(self.columns) for one in read])
            return self._renewed(trial, scored, _credited(trial, read, self.level))
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            raise UsageError(
                f"{trial.name}: its queries and what is stored of them do not fit"
                f" together ({error!r:.80}); give a results.json that was not edited"
            ) from error

    def _renewed(
        self, trial: TrialResult, scored: ScoredQueries, credited: Sequence[Credited]
    ) -> TrialResult:
        """Return the trial with new numbers in all parts that depend on scores."""
        level, ranked = self.level, replace(scored, more={})
        table = scored.table(level)
        targets = [query.targets for query in trial.queries]
        return replace(
            trial,
            summary={**_kept(trial.summary), **scored.averages(level)},
            levels={name: ranked.averages(name) for name in ranked.levels},
            categories=table.grouped(labels_of(scored.queries, "category")),
            difficulties=table.grouped(labels_of(scored.queries, "difficulty")),
            tags=table.grouped(labels_of(scored.queries, "tags")),
            languages=table.grouped(languages_of(targets)),
            file_types=table.grouped(file_types_of(targets)),
            repositories=table.by_repository(),
            queries=_renewed_queries(trial, scored, credited, level),
        )


@dataclass(frozen=True)
class _Evidence:
    """The stored data from which the scores of one repository were computed."""

    rankings: Rankings
    chunks: Chunks
    judgements: Judgements
    tokens: TokenEnds
    rule: Rule
    limit: int

    @classmethod
    def of(cls, store: ArtifactStore, place: str, evidence: Evidence) -> Self:
        found = {name: stored(store, evidence, name, place) for name in _KINDS}
        return cls(
            rankings=found["ranking"],
            chunks=found["chunks"],
            judgements=found["judgements"],
            tokens=found["tokens"],
            rule=Rule(Characters(found["documents"]), evidence.overlap, evidence.symbol_credit),
            limit=evidence.limit,
        )

    def scores(self, columns: tuple[str, ...]) -> Scores:
        return score(
            self.rankings,
            self.chunks,
            self.judgements,
            self.tokens,
            query_count=len(self.rankings),
            rule=self.rule,
            measures=measures_of(columns),
            limit=self.limit,
        )

    def credited(self, level: str, shown: Sequence[int]) -> list[Credited]:
        """Return the credits of the first hits of each query: as many as `shown` says."""
        tops = [self.rankings.of_query(query) for query in range(len(self.rankings))]
        first = [(hits[:n], scores[:n]) for (hits, scores), n in zip(tops, shown, strict=True)]
        nothing = np.zeros(len(first))
        hits = Hits(Rankings.of(first, nothing, nothing), self.chunks)
        targets = Relevance.of(self.judgements, self.rule, level, query_count=len(first))
        return targets.credits_of(hits)


def stored(store: ArtifactStore, evidence: Evidence, name: str, place: str) -> Any:
    """Return a stored artifact from which the scores of a repository were computed."""
    kind, _, fingerprint = getattr(evidence, name).partition("/")
    artifact = store.load_at(kind, fingerprint)
    damaged = None if artifact else store.file_at(kind, fingerprint)
    if damaged:
        raise UsageError(
            f"{place}: its {name} ({kind}) in the store {store.url} is damaged;"
            f" remove {damaged} and run the study again"
        )
    if artifact is None:
        raise UsageError(
            f"{place}: its {name} ({kind}) are not in the store {store.url} any more;"
            " give --store, or run the study again"
        )
    try:
        return Record(_KINDS[name]).decode(artifact.payload)
    except (ArtifactError, TypeError) as error:
        raise UsageError(
            f"{place}: its {name} ({kind}) were stored by another version of the program;"
            " run the study again"
        ) from error


def _scored(trial: TrialResult, scores: Sequence[Scores]) -> ScoredQueries:
    queries = trial.queries
    counted = sum(len(one.returned) for one in scores)
    if counted != len(queries):
        raise UsageError(
            f"{trial.name}: {len(queries)} queries in the file and {counted} rankings in the"
            " store; give a results.json that was not edited"
        )
    answered = [name for name in OF_ANSWERS if queries and name in queries[0].numbers]
    return ScoredQueries(
        queries=tuple(_query(query) for query in queries),
        repositories=tuple(query.repository for query in queries),
        scores=tuple(scores),
        hits=(),
        errors=tuple(_search_error(query) for query in queries),
        more={name: _as_measured(queries, name) for name in answered},
    )


def _credited(trial: TrialResult, read: Sequence[_Evidence], level: str) -> list[Credited]:
    """Return the credits of the hits that the file shows for each query."""
    shown = iter([len(query.hits) for query in trial.queries])
    credited: list[Credited] = []
    for one in read:
        credited += one.credited(level, list(islice(shown, len(one.rankings))))
    return credited


def _search_error(query: QueryResult) -> str:
    """Return the error of a query's search. A query without an answer still has its ranking."""
    is_unanswered = query.answer is not None and query.answer.error
    return "" if is_unanswered else query.error or ""


def _as_measured(
    queries: Sequence[QueryResult], name: str
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return stored measures of answers, which cannot be computed from rankings."""
    values = [query.numbers[name] for query in queries]
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _query(query: QueryResult) -> Query:
    return replace(
        Query(query.id, query.text, negative=query.negative),
        category=query.category,
        difficulty=query.difficulty,
        tags=query.tags,
    )


def _kept(summary: Numbers) -> Mapping[str, float | None]:
    """Return the numbers that are not means of measures: counts, latency and costs."""
    prefixes = ("micro_", "ended_early_at_")
    return {
        name: value
        for name, value in summary.items()
        if not name.startswith(prefixes) and (not name.startswith("avg_") or name in _LATENCY)
    }


def _renewed_queries(
    trial: TrialResult, scored: ScoredQueries, credited: Sequence[Credited], level: str
) -> tuple[QueryResult, ...]:
    """Return the queries with new numbers, ranks and credits, without measures that are gone."""
    gone = {name.removeprefix("avg_") for name in trial.summary} - set(scored.columns)
    ranks, numbers = scored.first_ranks(level).tolist(), scored.numbers(level)
    return tuple(
        replace(
            query,
            first_rank=rank or None,
            numbers={n: v for n, v in query.numbers.items() if n not in gone} | new,
            target_grades=found.grades,
            target_ranks=found.ranks,
            hits=tuple(
                replace(hit, credit=credit)
                for hit, credit in zip(query.hits, found.credits, strict=True)
            ),
        )
        for query, rank, new, found in zip(trial.queries, ranks, numbers, credited, strict=True)
    )
