"""Measures of answers against answers judged by hand."""

import numpy as np
import pytest

from bench.measures import (
    OF_ANSWERS,
    Given,
    Wanted,
    answer_numbers,
    best_threshold,
    macro,
    refusal_gain,
    trade_off,
)

CREDITS = ("nothing", "relevant", "duplicate")
REFUSED = Given("", refused=True, cited=(), shown=3)


def answer(text: str = "yes", cited: tuple[int, ...] = (2,)) -> Given:
    """Return an answer that was given three passages."""
    return Given(text, refused=False, cited=cited, shown=3)


@pytest.mark.parametrize(
    ("cited", "coverage", "precision"),
    [
        ((2,), 1.0, 1.0),
        ((2, 3), 1.0, 1.0),
        ((1, 2), 1.0, 0.5),
        ((2, 4), 0.0, 0.5),
        ((4,), 0.0, 0.0),
        ((), 0.0, None),
    ],
)
def test_a_citation_that_leads_nowhere_spoils_coverage(
    cited: tuple[int, ...], coverage: float, precision: float | None
) -> None:
    """One of three passages holds nothing right; a fourth does not exist."""
    numbers = answer_numbers(answer(cited=cited), Wanted(), CREDITS)

    assert numbers["citation_coverage"] == coverage
    assert numbers["citation_precision"] == precision


@pytest.mark.parametrize(
    ("text", "grounded"),
    [
        ("It opens at\n nine and is free", 1.0),
        ("It opens at nine", 0.0),
        ("It opens at nine and is free of charge, they say", 0.0),
        ("it opens at NINE and is free", 0.0),
    ],
)
def test_an_answer_must_say_all_and_nothing_forbidden(text: str, grounded: float) -> None:
    """However its lines are broken; names in code are told apart by case."""
    wanted = Wanted(must_contain=("at nine", "free"), forbidden=("they say",))

    assert answer_numbers(answer(text), wanted, CREDITS)["groundedness"] == grounded


def test_an_answer_of_which_nothing_is_known_is_in_no_denominator() -> None:
    """Neither grounded nor not."""
    assert answer_numbers(answer(), Wanted(), CREDITS)["groundedness"] is None


def test_refusals_count_by_whether_there_was_an_answer() -> None:
    """Refusing the negative is right, refusing the others is wrong; citing nothing is allowed."""
    negative = answer_numbers(REFUSED, Wanted(negative=True), ())
    other = answer_numbers(REFUSED, Wanted(must_contain=("x",)), CREDITS)

    assert (negative["refusal_correctness"], negative["false_refusal_rate"]) == (1.0, None)
    assert (other["refusal_correctness"], other["false_refusal_rate"]) == (None, 1.0)
    assert other["citation_coverage"] is None
    assert other["groundedness"] == 0.0
    assert answer_numbers(answer(), Wanted(negative=True), ())["refusal_correctness"] == 0.0


def test_queries_that_were_calibrated_on_say_nothing_of_refusing() -> None:
    """The other measures stand."""
    numbers = answer_numbers(answer(), Wanted(), CREDITS, refusal_counts=False)

    assert numbers["false_refusal_rate"] is None
    assert numbers["citation_coverage"] == 1.0


def test_a_mean_over_nothing_is_none() -> None:
    """So that it is null in JSON, and never NaN."""
    rows = [answer_numbers(REFUSED, Wanted(negative=True), ()) for _ in range(3)]
    columns = {
        name: np.array([np.nan if row[name] is None else row[name] for row in rows], np.float64)
        for name in OF_ANSWERS
    }

    means = {name: macro(values, ["a", "a", "b"]) for name, values in columns.items()}

    assert means == dict.fromkeys(OF_ANSWERS) | {"refusal_correctness": 1.0}


BEST = np.array([1.0, 2.0, 3.0, 4.0, np.nan, 5.0])
NEGATIVE = np.array([True, True, False, False, True, False])


def test_the_threshold_lies_between_what_it_tells_apart() -> None:
    """Negatives score 1 and 2 and nothing, the others from 3."""
    assert best_threshold(BEST, NEGATIVE, most_false_refusals=0.0) == 2.5


@pytest.mark.parametrize(("most", "expected"), [(0.5, 3.6), (0.4, 1.5)])
def test_the_threshold_refuses_no_more_of_the_others_than_allowed(
    most: float, expected: float
) -> None:
    """3.6 tells the most apart, and refuses one of two."""
    best = np.array([1.0, 3.0, 2.0, 4.0, 3.2])
    negative = np.array([True, True, False, False, True])

    found = best_threshold(best, negative, most_false_refusals=most)

    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("best", "negative"),
    [
        ([1.0, 2.0], [False, False]),
        ([1.0, 2.0], [True, True]),
        ([2.0, 2.0], [True, False]),
        ([2.0, 1.0], [True, False]),
        ([np.nan, 1.0], [True, False]),
    ],
)
def test_where_a_threshold_tells_nothing_apart_there_is_none(
    best: list[float], negative: list[bool]
) -> None:
    """No negatives, no others, equal scores, the wrong way round, or no hit anyway."""
    found = best_threshold(np.array(best), np.array(negative), most_false_refusals=1.0)

    assert found is None


@pytest.mark.parametrize(("threshold", "gain"), [(2.0, 2 / 3), (2.5, 1.0), (4.0, 1 - 1 / 3)])
def test_a_threshold_gains_the_negatives_below_it_without_the_others(
    threshold: float, gain: float
) -> None:
    """A query without a hit is refused at any threshold, one with a score at it at none."""
    assert refusal_gain(BEST, NEGATIVE, threshold) == pytest.approx(gain)


def test_the_trade_off_counts_each_part_by_itself() -> None:
    """At 3: all negatives are refused, and none of the others, in both parts."""
    half = np.array([True, False, True, False, False, False])

    curve = trade_off(BEST, NEGATIVE, {"tune": half, "report": ~half})

    at_three = next(point for point in curve if point["threshold"] == 3.0)
    assert at_three == {
        "threshold": 3.0,
        "refusal_correctness_tune": 1.0,
        "refusal_correctness_report": 1.0,
        "false_refusal_rate_tune": 0.0,
        "false_refusal_rate_report": 0.0,
    }
    assert curve[0]["refusal_correctness_report"] == 0.5
    assert curve[-1]["false_refusal_rate_tune"] == 1.0
    assert trade_off(BEST, ~np.ones(6, np.bool_), {"all": half}) == ()
