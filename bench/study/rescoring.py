"""Scores the stored rankings of a finished study by the measures of today; runs no stage.

What a number rests on is in the store: rankings, chunks, documents, tokens and where the targets
are. What is not a function of these stays as it was measured: latency and costs.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from bench.errors import ArtifactError, UsageError
from bench.judgements import Judgements, Query
from bench.measures import OF_ANSWERS, InCharacters, Scores, TokenLines, measures_of, score
from bench.pipeline import ArtifactStore, Record
from bench.study.answers import Answers
from bench.study.credits import Place
from bench.study.groups import Labels, file_types_of, labels_of, languages_of
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds

Json = Mapping[str, Any]
R = TypeVar("R")
_KINDS: dict[str, type[Any]] = {
    "ranking": Rankings,
    "chunks": Chunks,
    "documents": Documents,
    "tokens": TokenEnds,
    "judgements": Judgements,
}


@dataclass(frozen=True)
class Rescoring:
    """A study that is scored anew: where its artifacts are, and what is measured."""

    store: ArtifactStore
    level: str
    columns: tuple[str, ...] = ()
    """Measures besides the standard ones."""

    def report(self, report: Json) -> dict[str, Any]:
        """Return a trial's report with every measure computed again."""
        if report["status"] == "failed":
            return dict(report)
        evidence = report.get("evidence")
        if not evidence:
            raise UsageError(
                f"{report['config']['name']}: its results do not say where rankings are stored;"
                " run the study again"
            )
        try:
            scores = [self._scores(place, of) for place, of in evidence.items()]
            answers = _answers(report["query_results"], scores, report["config"]["name"])
            return self._renewed(report, answers)
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            raise UsageError(
                f"{report['config']['name']}: its queries and what is stored of them do not fit"
                f" together ({error!r:.80}); give a results.json that was not edited"
            ) from error

    def _scores(self, place: str, evidence: Json) -> Scores:
        found = {name: self._stored(name, evidence[name], place) for name in _KINDS}
        documents, tokens = found["documents"], found["tokens"]
        return score(
            found["ranking"],
            found["chunks"],
            found["judgements"],
            TokenLines.of(documents, tokens),
            query_count=len(found["ranking"]),
            overlap=float(evidence["overlap"]),
            measures=measures_of(self.columns),
            limit=int(evidence["limit"]),
            characters=InCharacters(documents, tokens),
        )

    def _stored(self, name: str, address: str, place: str) -> Any:
        kind, _, fingerprint = str(address).partition("/")
        artifact = self.store.load_at(kind, fingerprint)
        damaged = None if artifact else self.store.file_at(kind, fingerprint)
        if damaged:
            raise UsageError(
                f"{place}: its {name} ({kind}) in the store {self.store.url} is damaged;"
                f" remove {damaged} and run the study again"
            )
        if artifact is None:
            raise UsageError(
                f"{place}: its {name} ({kind}) are not in the store {self.store.url} any more;"
                " give --store, or run the study again"
            )
        try:
            return Record(_KINDS[name]).decode(artifact.payload)
        except (ArtifactError, TypeError) as error:
            raise UsageError(
                f"{place}: its {name} ({kind}) were stored by another version of the program;"
                " run the study again"
            ) from error

    def _renewed(self, report: Json, answers: Answers) -> dict[str, Any]:
        level, ranked = self.level, replace(answers, more={})
        gone = {name.removeprefix("avg_") for name in report["summary"]} - set(answers.columns)
        rows = [_without(row, gone) for row in report["query_results"]]
        queries = _with_numbers(rows, answers, level)
        return {
            **report,
            "summary": {**_kept(report["summary"]), **answers.averages(level)},
            "levels": {name: ranked.averages(name) for name in ranked.levels},
            **_breakdowns(report["query_results"], answers, level),
            "query_results": queries,
        }


def _breakdowns(rows: Sequence[Json], answers: Answers, level: str) -> dict[str, Any]:
    """Return the means of every group of queries that a study keeps."""
    places = [_places(row) for row in rows]
    labels: dict[str, Labels] = {
        "category_metrics": labels_of(answers.queries, "category"),
        "difficulty_metrics": labels_of(answers.queries, "difficulty"),
        "tag_metrics": labels_of(answers.queries, "tags"),
        "language_metrics": languages_of(places),
        "file_type_metrics": file_types_of(places),
    }
    table = answers.table(level)
    found = {name: table.grouped(of) for name, of in labels.items()}
    return {**found, "repository_metrics": table.by_repository()}


def _places(row: Json) -> tuple[Place, ...]:
    return tuple((str(one["path"]), one["start"], one["end"]) for one in row.get("targets") or ())


def _answers(rows: Sequence[Json], scores: Sequence[Scores], trial: str) -> Answers:
    counted = sum(len(one.returned) for one in scores)
    if counted != len(rows):
        raise UsageError(
            f"{trial}: {len(rows)} queries in the file and {counted} rankings in the store;"
            " give a results.json that was not edited"
        )
    return Answers(
        queries=tuple(_query(row) for row in rows),
        repositories=tuple(str(row["repository"]) for row in rows),
        scores=tuple(scores),
        hits=(),
        errors=tuple(_search_error(row) for row in rows),
        more={name: _stood(rows, name) for name in OF_ANSWERS if rows and name in rows[0]},
    )


def _search_error(row: Json) -> str:
    """Return why nothing was found for a query; one that was not answered has its ranking."""
    unanswered = (row.get("answer") or {}).get("error")
    return "" if unanswered else str(row.get("error") or "")


def _stood(rows: Sequence[Json], name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return what was measured of answers, which rankings alone do not tell again."""
    return np.array([np.nan if row[name] is None else row[name] for row in rows], np.float64)


def _query(row: Json) -> Query:
    return replace(
        Query(str(row["id"]), str(row["query"]), negative=bool(row["negative"])),
        category=str(row["category"]),
        difficulty=str(row["difficulty"]),
        tags=tuple(map(str, row.get("tags") or ())),
    )


def _kept(summary: Json) -> dict[str, Any]:
    """Return what is no mean of a measure: counts, latency and costs."""
    prefixes = ("micro_", "ended_early_at_")
    return {
        name: value
        for name, value in summary.items()
        if not name.startswith(prefixes) and (not name.startswith("avg_") or name in _LATENCY)
    }


_LATENCY = ("avg_latency_ms",)


def _without(row: Json, gone: Collection[str]) -> Json:
    """Return a query without the numbers of measures that are no more."""
    return {name: value for name, value in row.items() if name not in gone}


def _with_numbers(rows: Sequence[Json], answers: Answers, level: str) -> list[dict[str, Any]]:
    """Return each query with its new numbers where the old ones stood."""
    values = {column: answers.column(level, column) for column in answers.columns}
    ranks = _first_ranks(answers, level)
    return [
        {
            **row,
            "first_rank": int(ranks[place]) or None,
            **{name: _number(column[place]) for name, column in values.items()},
        }
        for place, row in enumerate(rows)
    ]


def _first_ranks(answers: Answers, level: str) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.concatenate(
        [
            one.first_rank[one.levels.index(level)]
            if level in one.levels
            else np.zeros(len(one.returned), np.int32)
            for one in answers.scores
        ]
    )


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
