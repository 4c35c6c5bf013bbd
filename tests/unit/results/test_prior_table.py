"""The tables of what other repositories taught: made of studies, read back, and shipped."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.errors import UsageError
from bench.files import data_folder
from bench.launcher.points import read_points
from bench.launcher.units import with_units
from bench.measures.version import MEASURE_VERSION
from bench.results import StudyResult, TrialResult
from bench.results.prior_table import (
    MEASURES,
    PriorTable,
    read_table,
    shipped_tables,
    table_of,
    text_of_table,
)
from bench.settings import parse_trial
from bench.settings.configuration import configuration_of
from bench.settings.suite import parse_suite
from bench.stages import Evaluate, ResolveTargets
from tests.unit.report.sample_study import several, study_of


def trial(name: str, *, better: float = 0.0, queries: int = 6) -> TrialResult:
    """Return a trial of queries about three repositories, with the measures of a table."""
    made = several(name, better=better, queries=queries)
    asked = tuple(
        replace(
            query,
            category=("api", "error")[number % 2],
            numbers=dict.fromkeys(MEASURES, query.numbers["ndcg_at_10"]),
        )
        for number, query in enumerate(made.queries)
    )
    return replace(made, queries=asked, configuration=f"digest of {name}", axes={"chunk": 512})


def table(*studies: StudyResult) -> PriorTable:
    return table_of(studies, name="mine", version="2026-01-02", by="us")


def test_a_table_has_the_scores_and_kinds_of_every_query() -> None:
    made = table(study_of(trial("one"), trial("two", better=0.2)))

    asked = made.asked("ndcg_at_10", ["digest of two", "digest of one"])

    assert asked.repositories == ("r0", "r0", "r1", "r1", "r2", "r2")
    assert asked.kinds == ("api", "error", "error", "api", "api", "error")
    # Query n of repository n % 3 scores 0.3 + 0.1 * (n % 5), and 0.2 more where n is odd.
    assert asked.values[:, 1] == pytest.approx([0.3, 0.6, 0.4, 0.7, 0.5, 0.3])
    assert asked.values[:, 0] == pytest.approx([0.3, 0.8, 0.6, 0.7, 0.5, 0.5])


def test_studies_of_other_queries_join_and_only_shared_queries_are_compared() -> None:
    """A configuration that was measured on one repository is known from that one only."""
    whole, part = trial("one"), trial("two")
    part = replace(part, queries=tuple(q for q in part.queries if q.repository == "r1"))

    made = table(study_of(whole), study_of(part))

    assert made.repositories_of("digest of one") == {"r0", "r1", "r2"}
    assert made.repositories_of("digest of two") == {"r1"}
    assert made.repositories_of("another") == made.repositories_of(None) == frozenset()
    both = made.asked("ndcg_at_10", ["digest of one", "digest of two"])
    assert both.repositories == ("r1", "r1")


def test_a_query_that_failed_or_has_no_answer_is_not_in_the_table() -> None:
    made = trial("one")
    first, second, *rest = made.queries
    broken = (replace(first, numbers={}, error="timed out"), replace(second, negative=True))

    found = table(study_of(replace(made, queries=(*broken, *rest))))

    assert found.queries == 4


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    made = table(study_of(trial("one"), trial("two")))
    place = tmp_path / "mine.json"
    place.write_text(text_of_table(made), encoding="utf-8")

    assert read_table(place) == made


def test_a_table_with_a_score_too_few_is_refused(tmp_path: Path) -> None:
    made = table(study_of(trial("one")))
    first = made.configurations[0]
    torn = replace(first, scores={**first.scores, "ndcg_at_10": "30 40"})
    place = tmp_path / "mine.json"
    place.write_text(text_of_table(replace(made, configurations=(torn,))), encoding="utf-8")

    with pytest.raises(UsageError, match="ndcg_at_10 is not 6 numbers"):
        read_table(place)


def test_a_study_that_does_not_say_its_configurations_is_refused() -> None:
    with pytest.raises(UsageError, match="an older rankgrid wrote it"):
        table(study_of(replace(trial("one"), configuration=None)))


def test_studies_at_two_levels_are_no_table() -> None:
    first, second = study_of(trial("one")), study_of(trial("two"))

    with pytest.raises(UsageError, match="was not measured as study"):
        table(first, replace(second, level="file"))


def _digest(*typed: str) -> str:
    point = read_points(typed, data_folder("conf"), multirun=False)[0]
    suite = parse_suite(point.config)
    (point,), _ = with_units([point], suite)
    return configuration_of(parse_trial(point.config, choices=point.choices, suite=suite))


@pytest.mark.parametrize(
    "typed",
    [
        ("retriever=bm25",),
        ("retriever=lexical", "chunk=256"),
        ("retriever=fields", "chunker=symbol", "chunk=2048"),
        ("retriever=graph", "chunk=1024"),
        (),
        ("retriever=dense",),
        ("retriever=hybrid_graph",),
        ("measure_level=symbol",),
        ("measure_level=symbol", "retriever=bm25"),
        ("measure_level=symbol", "retriever=graph", "chunk=2048"),
    ],
)
def test_the_shipped_tables_know_the_configurations_of_today(typed: tuple[str, ...]) -> None:
    """If a setting was added: make the tables again, as scripts/make_prior.py says."""
    known = [len(table.repositories_of(_digest(*typed))) for table in shipped_tables()]

    assert max(known) == 15


def test_the_shipped_tables_were_measured_by_the_rules_of_today() -> None:
    """If the measures changed: make the tables again, as scripts/make_prior.py says."""
    for one in shipped_tables():
        assert one.rules == {
            "measures": MEASURE_VERSION,
            "evaluate": Evaluate.version,
            "resolve-targets": ResolveTargets.version,
        }


def test_the_shipped_scores_are_shares() -> None:
    for one in shipped_tables():
        for configuration in one.configurations:
            for measure in MEASURES:
                known = np.array(configuration.values(measure))
                known = known[np.isfinite(known)]
                assert ((known >= 0) & (known <= 1)).all()
