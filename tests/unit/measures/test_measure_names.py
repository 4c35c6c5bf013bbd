"""Names of measures."""

import pytest

from bench.errors import SettingError
from bench.measures import STANDARD, Measure, Results, Tokens, parse_measure


def test_the_standard_columns_stand_in_the_order_of_reports() -> None:
    """Keep the columns that reports and trackers know."""
    columns = [measure.column for measure in STANDARD]

    assert columns == [
        *("mrr", "recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10"),
        *("precision_at_10", "ndcg_at_10", "hit_at_1", "hit_at_3", "hit_at_5", "hit_at_10"),
        *("recall_at_1000_tokens", "recall_at_2000_tokens"),
        *("recall_at_4000_tokens", "recall_at_8000_tokens"),
        *("ndcg_at_1000_tokens", "ndcg_at_2000_tokens"),
        *("ndcg_at_4000_tokens", "ndcg_at_8000_tokens"),
    ]


@pytest.mark.parametrize("measure", STANDARD)
def test_a_column_names_its_measure(measure: Measure) -> None:
    """Read every standard name back."""
    parsed = parse_measure(measure.column)

    assert parsed == measure


def test_other_cut_offs_are_found_among_the_measures_given() -> None:
    """Look names up among the measures of the run."""
    measure = Measure("mrr", Results(5))

    assert parse_measure("mrr_at_5", [measure]) == measure


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("recal_at_10", "recall_at_10"), ("mrr@10", "mrr"), ("recall_at_4000", "recall_at_4000_tok")],
)
def test_an_unknown_name_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    """Help with a slip of the pen, in one line."""
    with pytest.raises(SettingError, match=right) as caught:
        parse_measure(wrong)

    assert wrong in caught.value.message
    assert "\n" not in caught.value.message


def test_a_name_near_to_nothing_is_answered_with_all() -> None:
    """List what there is where nothing is near."""
    with pytest.raises(SettingError, match="ndcg_at_8000_tokens"):
        parse_measure("zzzz")


@pytest.mark.parametrize(
    ("name", "cutoff"),
    [("mrr", Tokens(1000)), ("map", Results(10)), ("recall", Results(0))],
)
def test_a_measure_without_a_formula_cannot_be_made(name: str, cutoff: Results | Tokens) -> None:
    """Refuse at construction what cannot be computed."""
    with pytest.raises(SettingError, match="does not exist"):
        Measure(name, cutoff)
