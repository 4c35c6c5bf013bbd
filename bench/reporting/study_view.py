"""A results file as values: what reports read, without knowing how the file spells it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bench.advice import measure_label
from bench.analysis import ScoreMatrix
from bench.settings.study import TargetSettings

Json = Mapping[str, Any]
_NOT_AXES = ("name", "chunk_size", "embedding_model", "dtype", "use_reranker", "reranker_model")
GROUPS = {
    "difficulty_metrics": "difficulty",
    "category_metrics": "category",
    "tag_metrics": "tag",
    "language_metrics": "language",
    "file_type_metrics": "file type",
}
"""The breakdowns that a results file may have, and their names."""


@dataclass(frozen=True, eq=False)
class TrialView:
    """One configuration and its numbers."""

    report: Json

    @property
    def name(self) -> str:
        """Return what the user called it."""
        return str(self.report["config"]["name"])

    @property
    def failed(self) -> bool:
        """Return whether it has no result."""
        return bool(self.report.get("status") == "failed")

    @property
    def is_bound(self) -> bool:
        """Return whether it is a floor or a ceiling to compare with, and nothing to ship."""
        return bool(self.report.get("bound"))

    @property
    def axes(self) -> dict[str, object]:
        """Return its settings by their names."""
        return {
            name: value
            for name, value in self.report["config"].items()
            if name not in _NOT_AXES and value is not None
        }

    @property
    def queries(self) -> Sequence[Json]:
        """Return the results of its queries."""
        return self.report.get("query_results") or ()

    def number(self, column: str) -> float | None:
        """Return a number of its summary."""
        value = self.report["summary"].get(column)
        return None if value is None else float(value)

    def mean(self, measure: str) -> float | None:
        """Return the macro mean of a measure."""
        return self.number(f"avg_{measure}")

    def groups(self, key: str) -> Mapping[str, Json]:
        """Return its numbers in each group of a breakdown."""
        return self.report.get(key) or {}


@dataclass(frozen=True, eq=False)
class StudyView:
    """A study's results, the best trial first."""

    results: Json

    @cached_property
    def trials(self) -> tuple[TrialView, ...]:
        """Return all trials in the order of the grid."""
        return tuple(TrialView(report) for report in self.results["reports"])

    @cached_property
    def done(self) -> tuple[TrialView, ...]:
        """Return the trials that have a result and could be shipped, in the order of the grid."""
        found = tuple(trial for trial in self.trials if not trial.failed and trial.queries)
        return tuple(trial for trial in found if not trial.is_bound) or found

    @cached_property
    def listed(self) -> tuple[TrialView, ...]:
        """Return the trials that have a result, the best first, and then floors and ceilings."""
        bounds = (t for t in self.trials if t.is_bound and not t.failed and t not in self.done)
        return (*self.ranked, *bounds)

    @cached_property
    def ranked(self) -> tuple[TrialView, ...]:
        """Return the trials that could be shipped, the best first."""
        return tuple(sorted(self.done, key=lambda trial: -_or(trial.mean(self.objective), -1.0)))

    @property
    def objective(self) -> str:
        """Return the measure that trials are compared by."""
        settings = self.results.get("settings") or {}
        return str((settings.get("advice") or {}).get("objective") or "ndcg_at_10")

    @property
    def cost(self) -> str:
        """Return the column that the cheapest trial is the cheapest in."""
        settings = self.results.get("settings") or {}
        return str((settings.get("advice") or {}).get("cost") or "latency_p50_ms")

    @property
    def half(self) -> str:
        """Return which half of the queries was asked, in words; nothing for all of them."""
        half = self.results.get("half") or "all"
        return "" if half == "all" else f"the {half} half of the queries"

    @property
    def targets(self) -> dict[str, float]:
        """Return what P@10 must exceed in each tier."""
        settings = self.results.get("settings") or {}
        return dict(settings.get("targets") or asdict(TargetSettings()))

    @property
    def quality(self) -> str:
        """Return that measure as people read it."""
        return measure_label(self.objective)

    @property
    def level(self) -> str:
        """Return the level of the judgements that the numbers stand on."""
        return str(self.results["level"])

    @property
    def advice(self) -> Json:
        """Return what the study recommends."""
        return self.results.get("recommendation") or {}

    @property
    def tested(self) -> Json:
        """Return the tests behind the advice; nothing if none was made."""
        return self.advice.get("tested") or {}

    @property
    def chosen(self) -> TrialView | None:
        """Return the trial that is advised, or else the highest one."""
        names = [self.advice.get("ship"), self.advice.get("highest")]
        named = {trial.name: trial for trial in self.done}
        return next((named[name] for name in names if name in named), None) or next(
            iter(self.ranked), None
        )

    @cached_property
    def ruled_out(self) -> dict[str, str]:
        """Return the trials that do not keep the limits of the study, and why."""
        found = self.advice.get("ruled_out") or ()
        return {str(one["trial"]): str(one["why"]) for one in found}

    @property
    def baseline(self) -> TrialView | None:
        """Return the trial that others are compared with: the first one, unless one was named."""
        wanted = self.tested.get("baseline") or self.results["reports"][0]["config"]["name"]
        return next((trial for trial in self.done if trial.name == wanted), None)

    @cached_property
    def questions(self) -> tuple[Json, ...]:
        """Return the queries that count, those of a repository together, as any trial has them."""
        return tuple(self.done[0].queries[row] for row in self._rows) if self.done else ()

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        """Return where the queries stand that every trial has a number for."""
        columns = [
            [_or(query.get(self.objective), np.nan) for query in trial.queries]
            for trial in self.done
        ]
        judged = np.flatnonzero(~np.isnan(np.array(columns, np.float64)).any(axis=0)).tolist()
        names = [str(query["repository"]) for query in self.done[0].queries]
        order = {name: place for place, name in enumerate(dict.fromkeys(names))}
        return tuple(sorted(judged, key=lambda row: order[names[row]]))

    @cached_property
    def comparable(self) -> bool:
        """Return whether there are queries that every trial was judged on."""
        same = len({len(trial.queries) for trial in self.done}) == 1
        return bool(self.done) and same and bool(self._rows)

    def matrix(self, measure: str) -> ScoreMatrix | None:
        """Return every trial's score of every query that counts; None if one is not known."""
        if not self.comparable:
            return None
        values = np.array(
            [
                [_or(trial.queries[row].get(measure), np.nan) for trial in self.done]
                for row in self._rows
            ]
        )
        if np.isnan(values).any():
            return None
        owners = [str(query["repository"]) for query in self.questions]
        return ScoreMatrix.of(values, owners, [trial.name for trial in self.done])

    @cached_property
    def repositories(self) -> tuple[str, ...]:
        """Return the repositories of the study."""
        return tuple(dict.fromkeys(n for t in self.trials for n in t.groups("repository_metrics")))

    @cached_property
    def budgets(self) -> tuple[int, ...]:
        """Return the token budgets at which recall is known."""
        columns = {column for trial in self.done for column in trial.report["summary"]}
        found = [column.split("_")[3] for column in columns if _is_budget(column)]
        return tuple(sorted(int(tokens) for tokens in found))


def _is_budget(column: str) -> bool:
    return column.startswith("avg_recall_at_") and column.endswith("_tokens")


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else float(value)


def tier_order(name: str) -> tuple[int, str]:
    """Put tiers in the order of their difficulty, and other names by the alphabet."""
    return (_TIERS.index(name), "") if name in _TIERS else (len(_TIERS), name)


_TIERS = ("easy", "medium", "hard")
