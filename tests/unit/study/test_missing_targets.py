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
    shop.ask(f"queries:\n{GOOD}{PARTLY}")

    result = shop.run(shop.study())

    assert all(trial.failed for trial in result.trials)
    cause = result.trials[0].failures[0].cause
    assert "query 'partly': symbol 'cart.gone' is not in the source" in cause
    assert "missing=drop" in cause


def test_a_query_with_lines_beyond_its_file_is_left_out_and_counted(shop: Shop) -> None:
    """It is a mistake of the query. The others have the numbers that they have alone."""
    shop.ask(f"queries:\n{GOOD}{NEGATIVE}")
    alone = shop.run(shop.study("measure_level=file"))
    shop.ask(f"queries:\n{GOOD}{BROKEN}{NEGATIVE}")
    beside = shop.run(shop.study("measure_level=file"))

    found = {one.id: one for one in beside.trials[0].queries}
    assert found["good"].numbers == alone.trials[0].queries[0].numbers
    assert not found["broken"].is_judged
    assert beside.trials[0].summary["avg_mrr"] == alone.trials[0].summary["avg_mrr"]
    assert results_of(beside)["missing"] == {
        "setting": "refuse",
        "targets": 1,
        "queries_left_out": [["code", "broken"]],
    }
    note = "1 of 3 queries is left out, because its lines are beyond the end of the file (broken)"
    assert note in " ".join(page_of(beside).split())
    assert "no longer in the code" not in page_of(beside)


def test_a_query_with_one_such_target_of_two_is_left_out_whole(shop: Shop) -> None:
    """Only missing=drop may judge it by the rest. Characters may be beyond the end as well."""
    two = "expected_files: [cart.py], expected_spans: [{path: a.py, start_character: 1, "
    more = f"- {{id: two, query: what is added, {two}end_character: 99}}]}}\n"
    shop.ask(f"queries:\n{GOOD}{BROKEN}{more}")

    refusing = shop.run(shop.study("measure_level=file"))
    dropping = shop.run(shop.study("measure_level=file", "missing=drop"))

    assert refusing.missing.queries_left_out == (("code", "broken"), ("code", "two"))
    assert dropping.missing.queries_left_out == (("code", "broken"),)
    note = "2 of 3 queries are left out, because their lines are beyond the end of the file"
    assert note in " ".join(page_of(refusing).split())


def test_lines_beyond_a_file_do_not_excuse_names_that_are_gone(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}{PARTLY}{BROKEN}")

    result = shop.run(shop.study("measure_level=file"))

    cause = result.trials[0].failures[0].cause
    assert "targets that are not in the source: 1" in cause
    assert "broken" not in cause


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


def test_a_study_without_queries_of_lines_beyond_their_file_may_be_a_baseline(shop: Shop) -> None:
    """The mistake is in the query, which no later study could answer either."""
    shop.ask(f"queries:\n{GOOD}{BROKEN}")
    result = shop.run(shop.study("measure_level=file"))

    _refuse_unfit(result)  # raises for a study that lost targets

    assert [one.query for one in result.questions if one.is_outside] == ["broken"]


def test_the_setting_is_part_of_what_is_measured(shop: Shop) -> None:
    shop.ask(f"queries:\n{GOOD}")

    refusing, dropping = shop.study(), shop.study("missing=drop")

    assert refusing.trials[0].fingerprint != dropping.trials[0].fingerprint


def test_the_setting_has_two_values(shop: Shop) -> None:
    with pytest.raises(SettingError, match=r"missing=keep: .*there are drop, refuse"):
        shop.study("missing=keep")
