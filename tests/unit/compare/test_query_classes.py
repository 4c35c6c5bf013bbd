"""Each query has one class, by the ranks of its first right hits."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.compare import Kind, kind_of, match_queries
from bench.compare.queries import came_from, same_place
from bench.compare.questions import SharedQuestions
from bench.results import Hit
from bench.results.study_result import AskedQuestion
from tests.unit.compare.sample_results import (
    negative,
    query,
    results,
    stored,
    study,
    trial,
)

RANKS = st.none() | st.integers(1, 20)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (None, 3, Kind.WIN),
        (5, 2, Kind.WIN),
        (2, 5, Kind.LOSS),
        (1, None, Kind.REGRESSION),
        (4, 4, Kind.DRAW),
        (None, None, Kind.DRAW),
    ],
)
def test_the_class_of_a_query(a: int | None, b: int | None, kind: Kind) -> None:
    found = kind_of(a, b)

    assert found is kind


@given(RANKS, RANKS)
def test_a_win_seen_from_the_other_side_is_a_loss_or_a_regression(
    a: int | None, b: int | None
) -> None:
    forth, back = kind_of(a, b), kind_of(b, a)

    assert (forth is Kind.DRAW) == (back is Kind.DRAW)
    assert (forth is Kind.WIN) == (back in (Kind.LOSS, Kind.REGRESSION))


def test_queries_are_matched_by_repository_and_id() -> None:
    a = stored({"x/one": 1, "y/one": None, "x/gone": 2}).trials[0]
    b = stored({"y/one": 7, "x/one": 2, "x/new": 1}).trials[0]

    found = match_queries(a, b)

    assert {(one.repository, one.query): one.kind for one in found.both} == {
        ("x", "one"): Kind.LOSS,
        ("y", "one"): Kind.WIN,
    }
    assert (found.only_a, found.only_b) == (("x/gone",), ("x/new",))


def test_another_question_under_the_same_id_is_not_compared() -> None:
    a = stored({"x/one": 1, "x/two": 1}).trials[0]
    asked = [query("x/one", 5, text="something else"), query("x/two", 1)]
    b = results(study([trial(asked)])).trials[0]

    found = match_queries(a, b)

    assert found.changed == ("x/one",)
    assert [one.query for one in found.both] == ["two"]


def test_the_later_study_says_which_text_of_a_question_is_shown() -> None:
    """It may hold the text back, and is compared with an earlier one by the recorded digests."""
    a = stored({"x/one": 1}).trials[0]
    b = results(study([trial([query("x/one", 2, text="(not shared)")])])).trials[0]
    recorded = {("x", "one"): AskedQuestion("x", "one", "digest", ())}

    found = match_queries(a, b, SharedQuestions(recorded, recorded))

    assert [one.text for one in found.both] == ["(not shared)"]


def test_a_query_that_nothing_answers_has_no_class() -> None:
    made = study([trial([query("x/one", 1), negative("x/none")])])
    one = results(made).trials[0]

    found = match_queries(one, one)

    assert [one.query for one in found.both] == ["one"]
    assert found.negative == (("x", "none"),)


def test_another_negative_question_under_the_same_id_is_not_compared() -> None:
    asked = [query("x/one", 1), negative("x/none")]
    other = [query("x/one", 1), replace(negative("x/none"), text="something else")]
    a, b = (results(study([trial(made)])).trials[0] for made in (asked, other))

    found = match_queries(a, b)

    assert found.changed == ("x/none",)
    assert found.keys == (("x", "one"),)


def test_a_query_that_failed_in_one_trial_has_no_class() -> None:
    """An error is neither a regression nor a win: it says nothing of the ranking."""
    asked = stored({"x/one": 1, "x/two": 1}).trials[0]
    error = query("x/one", None, numbers={}, hits=(), error="timed out")
    failed = results(study([trial([error, query("x/two", 2)])])).trials[0]

    worse, better = match_queries(asked, failed), match_queries(failed, asked)

    assert [one.query for one in worse.both] == ["two"]
    assert [one.query for one in better.both] == ["two"]


@pytest.mark.parametrize(
    ("other", "same"),
    [((11, 20), True), ((10, 14), True), ((6, 14), False), ((16, 25), True), ((17, 26), False)],
)
def test_under_two_chunkings_half_of_the_shorter_hit_is_the_same_place(
    other: tuple[int, int], *, same: bool
) -> None:
    """Lines 11 to 20; a hit of 10 lines must share 5 of them, one of 5 lines three."""
    hit = Hit("a.py", 11, 20, None)

    found = same_place(hit, Hit("a.py", *other, None), exact=False)

    assert found is same


def test_under_one_chunking_only_the_same_chunk_is_the_same_place() -> None:
    hit = Hit("a.py", 11, 20, None)

    assert same_place(hit, Hit("a.py", 11, 20, 3.0), exact=True)
    assert not same_place(hit, Hit("a.py", 11, 21, None), exact=True)
    assert not same_place(hit, Hit("b.py", 11, 20, None), exact=False)


def test_each_hit_says_where_it_was() -> None:
    a = stored({"x/one": 1}).trials[0]
    moved = query("x/one", 2)
    swapped = (moved.hits[1], moved.hits[0], Hit("new.py", 1, 2, 0.0))
    b_study = study([trial([query("x/one", 2, hits=swapped)])])
    (one,) = match_queries(a, results(b_study).trials[0]).both

    found = [was for _, was in came_from(one, exact=True)]

    assert found == [2, 1, None]
