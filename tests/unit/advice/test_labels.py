"""Labels of columns, and numbers in words."""

import pytest

from bench.advice.wording import (
    caveat_text,
    level_phrase,
    measure_label,
    p_text,
    seconds_text,
    sign_count_text,
    tuned_score_text,
)
from bench.analysis import (
    Caveat,
    FewQueries,
    NoChange,
    NoSpread,
    ScoreMatrix,
    SignCount,
    TunedScore,
    sign_count,
)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("mrr", "MRR"),
        ("ndcg_at_10", "NDCG@10"),
        ("recall_at_5", "recall@5"),
        ("recall_at_4000_tokens", "recall at 4,000 tokens"),
        ("duplicates", "duplicates"),
    ],
)
def test_a_column_is_said_in_words(column: str, said: str) -> None:
    """With its cut-off."""
    assert measure_label(column) == said


def test_a_measure_of_answers_is_of_no_level() -> None:
    """Whether an answer says what it must has nothing to do with spans."""
    assert level_phrase("mrr", "span") == " at span level"
    assert level_phrase("groundedness", "span") == ""


def test_a_sign_count_names_level_repositories_only_if_there_are_any() -> None:
    matrix = ScoreMatrix.of(
        [[0, 1], [0, 1], [0, -1], [0.1, 0.3], [0.5, 0.3]],
        ["a", "b", "c", "d", "d"],
        ["old", "new"],
    )

    assert sign_count_text(sign_count(matrix, "new", "old")) == "better in 2 of 4, level in 1"
    assert sign_count_text(SignCount(2, 0, 1, ())) == "better in 2 of 3"


def test_the_score_of_a_choice_has_three_numbers() -> None:
    known = TunedScore("x", 0.531, 0.512, 0.47, ())

    assert tuned_score_text(known) == (
        "in-sample 0.53, expected here 0.51, expected on a new repository 0.47"
    )
    unknown = TunedScore("x", 0.531, 0.512, None, ())
    assert "not known from one repository" in tuned_score_text(unknown)


@pytest.mark.parametrize(
    ("caveat", "said"),
    [
        (NoChange(60), "no query changed; at most 5.0 % would (3/60, 95 %)"),
        (NoSpread(5, 0.1), "all 5 differences are +0.100: no spread for an interval"),
        (FewQueries((("b", 11),)), "Fewer than 12 queries: b (11); its error is a rough guess."),
    ],
)
def test_a_caveat_has_its_numbers(caveat: Caveat, said: str) -> None:
    assert caveat_text(caveat) == said


@pytest.mark.parametrize(("area", "said"), [(0.0123, "p = 0.012"), (0.00001, "p < 0.001")])
def test_no_p_value_is_zero(area: float, said: str) -> None:
    assert p_text(area) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.00297, "less than 0.1 s"),
        (0.849, "0.8 s"),
        (69.44, "69.4 s"),
        (1234.5, "1,234 s"),
    ],
)
def test_a_time_has_no_more_digits_than_one_measurement_gives(seconds: float, said: str) -> None:
    assert seconds_text(seconds) == said
