"""A results file as typed values: what comparing needs of it, whoever wrote it and when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.errors import UsageError
from bench.measures import OF_ANSWERS

Json = Mapping[str, Any]
Key = tuple[str, str]
"""A repository and the id of a query."""
_NOT_MEASURES = ("first_rank",)
_GROUPS = ("repository", "difficulty", "category", "tag", "language", "file_type")


@dataclass(frozen=True)
class StoredHit:
    """A hit as it was shown."""

    path: str
    start: int
    end: int
    score: float | None
    credit: str | None = None
    """relevant, duplicate or nothing, if the file says so."""

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class StoredQuery:
    """A query of a trial: its numbers at the primary level and what was shown."""

    id: str
    repository: str
    text: str
    category: str
    difficulty: str
    negative: bool
    first_rank: int | None
    numbers: Mapping[str, float]
    """Only those that there are: a query without targets has none."""
    expected: tuple[str, ...]
    hits: tuple[StoredHit, ...]
    documents: tuple[str, ...] = ()
    """The paths in which its answers are, each once, if the file says so."""

    @property
    def key(self) -> Key:
        """What the query is called over all repositories."""
        return self.repository, self.id

    @property
    def is_judged(self) -> bool:
        """Whether its ranking has numbers; an answer may have some where a ranking has none."""
        return not self.negative and any(name not in OF_ANSWERS for name in self.numbers)

    @property
    def asked(self) -> tuple[str, bool, tuple[str, ...]]:
        """What must be the same for two rankings of it to be compared."""
        return self.text, self.negative, self.expected


@dataclass(frozen=True)
class StoredTrial:
    """A trial: its configuration and every number that was kept."""

    name: str
    config: Mapping[str, Any]
    chunking: str
    failed: bool
    summary: Mapping[str, float | None]
    levels: Mapping[str, Mapping[str, float | None]]
    groups: Mapping[str, Mapping[str, Mapping[str, float | None]]]
    """By kind (repository, difficulty, …), by name, the averages."""
    queries: Mapping[Key, StoredQuery] = field(default_factory=dict)
    bound: bool = False
    """Whether it is there to compare with (random, oracle) and nobody would ship it."""

    @property
    def settings(self) -> dict[str, Any]:
        """The configuration without what people call it."""
        return {name: value for name, value in self.config.items() if name != "name"}


@dataclass(frozen=True)
class StoredStudy:
    """A study as its results file has it."""

    study: str
    suite: str
    level: str
    timestamp: str
    git_sha: str | None
    measure_version: int | None
    corpus: Mapping[str, Json]
    """By repository, its identity and that of its queries."""
    stage_versions: Mapping[str, int]
    trials: tuple[StoredTrial, ...]


def stored_study(results: Json) -> StoredStudy:
    """Return the content of a results file as values, or say that it is none."""
    try:
        return StoredStudy(
            study=str(results["study"]),
            suite=str(results["suite"]),
            level=str(results["level"]),
            timestamp=str(results.get("timestamp", "")),
            git_sha=results.get("git_sha"),
            measure_version=results.get("measure_version"),
            corpus={str(one["repository"]): one for one in results.get("corpus") or ()},
            stage_versions=dict(results.get("stage_versions") or {}),
            trials=tuple(_trial(report) for report in results["reports"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = (
            f"results of study {str(results.get('study'))[:60]}: not as a study wrote them"
            f" ({error!r}); give a results.json that was not edited"
        )
        raise UsageError(message) from error


def _trial(report: Json) -> StoredTrial:
    queries = [_query(query) for query in report["query_results"]]
    return StoredTrial(
        name=str(report["config"]["name"]),
        config=dict(report["config"]),
        chunking=str(report.get("chunking", "")),
        failed=report["status"] == "failed",
        summary=dict(report["summary"]),
        levels=dict(report["levels"]),
        groups={kind: dict(report.get(f"{kind}_metrics") or {}) for kind in _GROUPS},
        queries={query.key: query for query in queries},
        bound=bool(report.get("bound")),
    )


def _query(query: Json) -> StoredQuery:
    return StoredQuery(
        id=str(query["id"]),
        repository=str(query["repository"]),
        text=str(query["query"]),
        category=str(query["category"]),
        difficulty=str(query["difficulty"]),
        negative=bool(query["negative"]),
        first_rank=query["first_rank"],
        numbers=_numbers(query),
        expected=tuple(map(str, query["expected"])),
        hits=tuple(_hits(query["retrieved"])),
        documents=tuple(dict.fromkeys(str(one["path"]) for one in query.get("targets") or ())),
    )


def _numbers(query: Json) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in query.items()
        if name not in _NOT_MEASURES and type(value) in (int, float)
    }


def _hits(listed: Iterable[Json]) -> Iterable[StoredHit]:
    for hit in listed:
        place = str(hit["path"]), int(hit["start"]), int(hit["end"])
        yield StoredHit(*place, hit.get("score"), hit.get("credit"))
