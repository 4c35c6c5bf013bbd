"""The numbers of a trial as MLflow's metrics: columns, curves over steps, groups behind a slash.

All numbers of a trial are in results.json. Of its groups only the measures that studies are
decided on are logged: hundreds of charts would hide them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.tracking.finite import finite
from bench.tracking.names import distinct, safe

Json = Mapping[str, Any]

HEADLINES = ("mrr", "ndcg_at_10", "recall_at_10", "precision_at_10", "recall_at_4000_tokens")
"""What is logged of every group, besides the objective."""
_BY_TOKENS = re.compile(r"(?P<measure>\w+)_at_(?P<tokens>[0-9]{1,9})_tokens")
_GROUPS = {
    "levels": "level",
    "repository_metrics": "repository",
    "category_metrics": "category",
    "difficulty_metrics": "difficulty",
    "tag_metrics": "tag",
    "language_metrics": "language",
    "file_type_metrics": "file_type",
}
# The same in every trial of a study: as measures they would be the first thing that is plotted.
_SAME_IN_ALL = (
    "total_queries",
    "negative_queries",
    "drafts_left_out",
    "judged_queries",
    "failed_queries",
    "count",
)


@dataclass(frozen=True)
class Measured:
    """One number, or one point of a curve."""

    name: str
    value: float
    step: int = 0


def measured(report: Json, objective: str) -> tuple[Measured, ...]:
    """Return every number of a trial that is logged; `objective` decides the study.

    It comes first: MLflow's page that compares runs plots what was logged first.
    """
    found = (
        *_summary(mapping(report, "summary")),
        *_chunks(mapping(report, "chunks")),
        *_refusals(report.get("negative_curve") or ()),
        *_grouped(report, {objective, *HEADLINES}),
        *_worth(mapping(report, "tuning")),
    )
    return tuple(sorted(found, key=lambda one: one.name != objective))


def mapping(of: Json, key: str) -> Json:
    """Return the mapping at `key`; files of older versions may have none."""
    value = of.get(key)
    return value if isinstance(value, Mapping) else {}


def _summary(summary: Json) -> Iterator[Measured]:
    for name, value in _numbers(summary):
        yield Measured(safe(name), value)
        curve = _BY_TOKENS.fullmatch(name)
        if curve:
            yield Measured(f"{curve['measure']}_by_tokens", value, int(curve["tokens"]))


def _chunks(chunks: Json) -> Iterator[Measured]:
    for name, value in _numbers(chunks):
        yield Measured(f"chunks/{safe(name)}", value)


def _refusals(curve: Sequence[Json]) -> Iterator[Measured]:
    """Yield the share of unanswerable queries let through, by the percentage of answers kept."""
    for point in curve:
        kept, passed = finite(point.get("kept")), finite(point.get("false_positives"))
        if kept is not None and passed is not None:
            step = round(100 * kept)
            yield Measured("negative_false_positives_by_percent_kept", passed, step)


def _grouped(report: Json, wanted: set[str]) -> Iterator[Measured]:
    for key, word in _GROUPS.items():
        groups = mapping(report, key)
        for group, name in distinct(groups).items():
            for measure, value in _numbers(mapping(groups, group)):
                if measure in wanted:
                    yield Measured(f"{safe(measure)}_by_{word}/{name}", value)


def _worth(tuning: Json) -> Iterator[Measured]:
    """Yield what chosen weights score on the queries that chose, and what to expect of them."""
    for name in ("in_sample", "expected_here", "expected_on_a_new_repository"):
        number = finite(tuning.get(name))
        if number is not None:
            yield Measured(f"tuning/{safe(str(tuning['objective']))}_{name}", number)


def _numbers(measures: Json) -> Iterator[tuple[str, float]]:
    for name, value in measures.items():
        number = finite(value)
        if number is not None and name not in _SAME_IN_ALL:
            yield name.removeprefix("avg_"), number
