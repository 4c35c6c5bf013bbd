"""Tables of configurations' scores on other repositories, which advice starts from.

For each query, a table has the repository, the kind and the score of each configuration, but no
text, path or name of code. `table_of` makes it from finished studies.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from bench.analysis import Asked
from bench.errors import UsageError
from bench.files import read_json
from bench.measures import SymbolCredit
from bench.results.codec import encode
from bench.results.decoding import MisfitError, decode
from bench.results.query_result import QueryResult
from bench.results.study_result import StudyResult
from bench.results.trial_result import TrialResult

SCHEMA = 1
SHIPPED = Path(__file__).with_name("prior_tables")
MEASURES = (
    *(f"coverage_at_{tokens}_tokens" for tokens in (1000, 2000, 4000, 8000)),
    "coverage_at_10",
    "ndcg_at_10",
)
"""Measures of a table: at the usual budgets, at ten hits, and of the ranking."""
_RULES = ("evaluate", "resolve-targets")
"""Stages that decide on relevance. Scores under different versions of them do not compare."""
_PERCENT = 100
_UNKNOWN = "-"


@dataclass(frozen=True)
class Asking:
    """The queries of a repository with their kinds, in the order of the scores."""

    repository: str
    pin: str
    """The searched package or commit, or the digest of a folder."""
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """A configuration with its scores of all queries, in percent."""

    configuration: str
    """Digest that is equal for all trials with the same rankings, in any study."""
    name: str
    scores: Mapping[str, str]
    """By measure, a number per query, separated by spaces; `-` for a missing score."""

    def values(self, measure: str) -> list[float]:
        """Return the scores of all queries from 0 to 1, NaN for a missing score."""
        return [
            float("nan") if text == _UNKNOWN else int(text) / _PERCENT
            for text in self.scores[measure].split()
        ]


@dataclass(frozen=True, kw_only=True)
class PriorTable:
    """Configurations with their scores, and the versions under which they were scored."""

    schema: int = SCHEMA
    name: str
    version: str
    """Date of the table."""
    by: str
    """Author of the queries."""
    level: str
    symbol_credit: SymbolCredit
    rules: Mapping[str, int]
    """Versions of the measures and of target resolution. Other versions do not compare."""
    versions: Mapping[str, int]
    """Versions of retrievers and stages. Other versions may give slightly different numbers."""
    repositories: tuple[Asking, ...]
    configurations: tuple[Scored, ...]

    @property
    def queries(self) -> int:
        """Number of queries in the table."""
        return sum(len(one.kinds) for one in self.repositories)

    def repositories_of(self, configuration: str | None) -> frozenset[str]:
        """Return the repositories on whose queries a configuration was scored."""
        one = self._by_digest.get(configuration or "")
        if one is None:
            return frozenset()
        known = np.isfinite(np.array([one.values(measure) for measure in MEASURES])).all(axis=0)
        return frozenset(name for name, has in zip(self._owners, known, strict=True) if has)

    @cached_property
    def _by_digest(self) -> Mapping[str, Scored]:
        return {one.configuration: one for one in self.configurations}

    @cached_property
    def _owners(self) -> tuple[str, ...]:
        return tuple(one.repository for one in self.repositories for _ in one.kinds)

    def asked(self, measure: str, configurations: Sequence[str]) -> Asked:
        """Return the scores of some configurations on the queries that all of them have."""
        columns = [self._by_digest[name].values(measure) for name in configurations]
        values = np.array(columns, np.float64).T
        rows = np.flatnonzero(np.isfinite(values).all(axis=1)).tolist()
        kinds = [kind for one in self.repositories for kind in one.kinds]
        return Asked(
            values[rows],
            tuple(self._owners[row] for row in rows),
            tuple(kinds[row] for row in rows),
        )


def rules_of(study: StudyResult) -> dict[str, int]:
    """Return the versions that must be equal for comparable scores."""
    measures = {} if study.measure_version is None else {"measures": study.measure_version}
    own = {name: study.stage_versions[name] for name in _RULES if name in study.stage_versions}
    return measures | own


def table_of(studies: Sequence[StudyResult], *, name: str, version: str, by: str) -> PriorTable:
    """Return the table of studies with equal rules; a query keeps its first score."""
    first = studies[0]
    for study in studies:
        _refuse_unfit(study, first)
    trials = [trial for study in studies for trial in _whole(study)]
    queries = {query.key: query for trial in trials for query in trial.queries if query.is_judged}
    ordered = sorted(queries.values(), key=lambda query: query.repository)
    found: dict[str, list[TrialResult]] = {}
    for trial in trials:
        found.setdefault(str(trial.configuration), []).append(trial)
    return PriorTable(
        name=name,
        version=version,
        by=by,
        level=first.level,
        symbol_credit=first.symbol_credit,
        rules=rules_of(first),
        versions={name: number for one in studies for name, number in one.stage_versions.items()},
        repositories=_asking(ordered, studies),
        configurations=tuple(_scored(same, ordered) for same in found.values()),
    )


def _whole(study: StudyResult) -> list[TrialResult]:
    """Return the trials that a table can hold: complete, shippable and without chosen weights."""
    return [
        trial
        for trial in study.trials
        if trial.configuration and not (trial.failed or trial.is_bound or trial.tuning)
    ]


def _refuse_unfit(study: StudyResult, first: StudyResult) -> None:
    if not _whole(study):
        raise UsageError(
            f"study {study.id}: no trial says which configuration it is."
            " Run it again: an older rankgrid wrote it."
        )
    same = rules_of(first) == rules_of(study) and first.level_and_credit == study.level_and_credit
    if not same:
        raise UsageError(
            f"study {study.id}: was not measured as study {first.id} was. Run it again."
        )


def _asking(queries: Sequence[QueryResult], studies: Sequence[StudyResult]) -> tuple[Asking, ...]:
    pins = {one.repository: one.pin or one.documents for study in studies for one in study.corpus}
    kinds: dict[str, list[str]] = {}
    for query in queries:
        kinds.setdefault(query.repository, []).append(query.category)
    return tuple(Asking(name, pins.get(name, ""), tuple(own)) for name, own in kinds.items())


def _scored(same: Sequence[TrialResult], queries: Sequence[QueryResult]) -> Scored:
    """Return the scores of a configuration over several studies; the first study has priority."""
    asked = {key: query for trial in reversed(same) for key, query in trial.by_key.items()}
    scores = {
        measure: " ".join(_percent(asked.get(query.key), measure) for query in queries)
        for measure in MEASURES
    }
    return Scored(str(same[0].configuration), _name(same[0]), scores)


def _percent(query: QueryResult | None, measure: str) -> str:
    value = query.numbers.get(measure) if query else None
    return _UNKNOWN if value is None else str(round(_PERCENT * value))


_NAMED = ("retriever", "chunk", "chunker", "embedder", "reranker")


def _name(trial: TrialResult) -> str:
    """Return a trial's settings as they are typed: the usual axes and nested fields."""
    names = [name for name in _NAMED if name in trial.axes]
    names += [name for name in trial.axes if "." in name and name != "retriever.unit"]
    return " ".join(f"{name}={trial.axes[name]}" for name in names)


def text_of_table(table: PriorTable) -> str:
    """Return the text of a table's file."""
    return json.dumps(encode(table), indent=1, ensure_ascii=False) + "\n"


def read_table(place: Path) -> PriorTable:
    """Return the table in a file."""
    found = read_json(place, UsageError)
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema != SCHEMA:
        raise UsageError(
            f"{place}: not a table of version {SCHEMA}. Remove it, and add its study again."
        )
    try:
        table = decode(PriorTable, found)
        _refuse_torn(table, place)
    except MisfitError as error:
        raise UsageError(f"{place}: {error}. Remove it, and add its study again.") from error
    return table


def _refuse_torn(table: PriorTable, place: Path) -> None:
    for one in table.configurations:
        for measure in one.scores:
            try:
                count = len(one.values(measure))
            except ValueError:
                count = -1
            if count != table.queries:
                raise UsageError(
                    f"{place}: {one.name}: {measure} is not {table.queries} numbers."
                    " Remove the file, and add its study again."
                )


def tables_in(folder: Path) -> tuple[PriorTable, ...]:
    """Return the tables of a folder, sorted by file name."""
    return tuple(map(read_table, sorted(folder.glob("*.json"))))


def shipped_tables() -> tuple[PriorTable, ...]:
    """Return the tables that are shipped with rankgrid, one for each level."""
    return tables_in(SHIPPED)


@dataclass(frozen=True)
class Summary:
    """Scores of a configuration for one measure over the repositories of several tables."""

    name: str
    repositories: int
    queries: int
    mean: float
    lead: float
    """Mean lead over the mean of all configurations on the same queries."""
    spread: float | None
    """Standard deviation of the lead between repositories, or None for one repository."""


def summaries(tables: Sequence[PriorTable], measure: str, kind: str = "") -> tuple[Summary, ...]:
    """Return all configurations, the highest lead first; a blank `kind` includes all kinds."""
    names: dict[str, str] = {}
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for table in tables:
        values = np.array([one.values(measure) for one in table.configurations])
        leads = values - np.nanmean(values, axis=0)
        asked = [(one.repository, each) for one in table.repositories for each in one.kinds]
        for place, one in enumerate(table.configurations):
            names.setdefault(one.configuration, one.name)
            scores = found.setdefault(one.configuration, {})
            for (repository, each), value, lead in zip(
                asked, values[place].tolist(), leads[place].tolist(), strict=True
            ):
                if np.isfinite(value) and kind in ("", each):
                    scores.setdefault(repository, []).append((value, lead))
    rows = (_summary(names[digest], scores) for digest, scores in found.items() if scores)
    return tuple(sorted(rows, key=lambda row: -row.lead))


def _summary(name: str, scores: Mapping[str, Sequence[tuple[float, float]]]) -> Summary:
    means = np.array([np.mean(own, axis=0) for own in scores.values()])
    return Summary(
        name=name,
        repositories=len(means),
        queries=sum(map(len, scores.values())),
        mean=float(means[:, 0].mean()),
        lead=float(means[:, 1].mean()),
        spread=float(means[:, 1].std(ddof=1)) if len(means) > 1 else None,
    )
