"""Targets that are not in the source end a study, or are dropped and counted."""

from pathlib import Path

import pytest

from bench.cli.baseline import _refuse_unfit
from bench.errors import FixtureError, SettingError
from tests.unit.study.test_copied_questions import Shop, page_of, results_of

GOOD = "- {id: good, query: how are the prices added, expected_symbols: [cart.total]}\n"
PARTLY = "- {id: partly, query: total of prices, expected_symbols: [cart.total, cart.gone]}\n"
BROKEN = (
    "- {id: broken, query: what is in it, expected_spans: [{path: cart.py, start: 2, end: 90}]}\n"
)
NEGATIVE = "- {id: none, query: send a parcel, negative: true}\n"


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_a_target_that_is_missing_fails_the_trials_and_is_named(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}{BROKEN}")

    result = shop.run(shop.study())

    assert all(trial.failed for trial in result.trials)
    cause = result.trials[0].failures[0].cause
    assert "query 'broken': lines 2 to 90 of 'cart.py' do not exist: the file has 2" in cause
    assert "missing=drop" in cause


def test_dropped_targets_are_counted_and_the_other_queries_judged(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}{PARTLY}{BROKEN}{NEGATIVE}")

    result = shop.run(shop.study("missing=drop", "measure_level=symbol"))

    assert not any(trial.failed for trial in result.trials)
    summary = result.trials[0].summary
    assert (summary["total_queries"], summary["judged_queries"]) == (4, 2)
    assert results_of(result)["missing"] == {
        "setting": "drop",
        "targets": 2,
        "queries_left_out": [["code", "broken"]],
    }
    note = (
        "missing=drop: 2 targets are not in the source and not counted; 1 of 4 queries is left "
        "out without them (broken)"
    )
    assert note in " ".join(page_of(result).split())


def test_a_span_beyond_its_file_leaves_only_its_query_out(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}")
    alone = shop.run(shop.study("measure_level=file"))
    shop.ask(f"queries:\n{GOOD}{BROKEN}")
    beside = shop.run(shop.study("measure_level=file", "missing=drop"))

    found = {one.id: one for one in beside.trials[0].queries}
    assert found["good"].numbers == alone.trials[0].queries[0].numbers
    assert not found["broken"].is_judged
    assert beside.trials[0].summary["avg_mrr"] == alone.trials[0].summary["avg_mrr"]


def test_a_query_is_judged_by_the_targets_that_are_left(shop: Shop) -> None:
    shop.ask(f"queries:\n{PARTLY}")
    dropped = shop.run(shop.study("missing=drop"))
    shop.ask(f"queries:\n{PARTLY.replace(', cart.gone', '')}")
    written = shop.run(shop.study())

    (before,), (after,) = dropped.trials[0].queries, written.trials[0].queries
    assert before.numbers == after.numbers
    assert before.targets == after.targets
    assert before.numbers["recall_at_10"] == 1


def test_nothing_is_dropped_and_nothing_is_told_where_all_is_there(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}")

    result = shop.run(shop.study("missing=drop"))

    assert (result.missing.targets, result.missing.queries_left_out) == (0, ())
    assert "missing=drop" not in page_of(result)


def test_a_study_of_which_nothing_is_left_is_refused(shop: Shop) -> None:
    shop.ask(f"queries:\n{BROKEN}{NEGATIVE}")

    with pytest.raises(FixtureError, match="missing=drop: none of the targets is in the source"):
        shop.run(shop.study("missing=drop"))


def test_a_study_that_dropped_targets_may_be_a_baseline(shop: Shop) -> None:
    """The targets were never there, so they are not lost."""
    shop.ask(f"queries:\n{GOOD}{BROKEN}")
    result = shop.run(shop.study("missing=drop"))

    _refuse_unfit(result)  # raises for a study that lost targets

    assert result.missing.targets > 0


def test_the_setting_is_part_of_what_is_measured(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}")

    refusing, dropping = shop.study(), shop.study("missing=drop")

    assert refusing.trials[0].fingerprint != dropping.trials[0].fingerprint


def test_the_setting_has_two_values(shop: Shop) -> None:
    with pytest.raises(SettingError, match=r"missing=keep: .*there are drop, refuse"):
        shop.study("missing=keep")
