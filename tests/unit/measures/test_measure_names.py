"""Names of measures."""

import pytest

from bench.errors import SettingError
from bench.measures import STANDARD, Measure, Results, Tokens, measures_of, parse_measure
from bench.measures.measure import RESULT_MEASURES, TOKEN_MEASURES


def test_the_standard_columns_stand_in_the_order_of_reports() -> None:
    """Keep the columns that reports and trackers know."""
    columns = [measure.column for measure in STANDARD]

    assert columns == [
        *("mrr", "recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10"),
        *("coverage_at_10", "precision_at_10", "ndcg_at_10"),
        *("hit_at_1", "hit_at_3", "hit_at_5", "hit_at_10"),
        *("acc_at_1", "acc_at_3", "acc_at_5", "acc_at_10"),
        *("recall_at_1000_tokens", "recall_at_2000_tokens"),
        *("recall_at_4000_tokens", "recall_at_8000_tokens"),
        *("coverage_at_1000_tokens", "coverage_at_2000_tokens"),
        *("coverage_at_4000_tokens", "coverage_at_8000_tokens"),
        *("ndcg_at_1000_tokens", "ndcg_at_2000_tokens"),
        *("ndcg_at_4000_tokens", "ndcg_at_8000_tokens", "map_at_10", "f1_at_10"),
        *("file_recall_at_10", "returned_precision_at_10", "token_precision_at_10"),
        *("token_recall_at_10", "token_iou_at_10", "token_efficiency_at_10"),
        *("duplicates_at_10", "precision_omega", "recall_ceiling"),
    ]


@pytest.mark.parametrize("measure", STANDARD)
def test_a_column_names_its_measure(measure: Measure) -> None:
    """Read every standard name back."""
    parsed = parse_measure(measure.column)

    assert parsed == measure


CATALOGUE = (
    *(Measure(name, Results(7)) for name in RESULT_MEASURES),
    *(Measure(name, Tokens(512)) for name in TOKEN_MEASURES),
)


@pytest.mark.parametrize("measure", CATALOGUE)
def test_any_measure_is_read_back_at_any_cut_off(measure: Measure) -> None:
    """Know the whole catalogue by its columns."""
    assert parse_measure(measure.column) == measure


def test_what_is_asked_for_stands_behind_the_standard_columns_once() -> None:
    """Compute nothing twice."""
    found = measures_of(["ndcg_at_10", "ndcg_at_5", "ndcg_at_5"])

    assert found == (*STANDARD, Measure("ndcg", Results(5)))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("recal_at_10", "recall_at_10"),
        ("mrr@10", "mrr"),
        ("mrr_at_10", "it is called 'mrr'"),
        ("recall_at_4000", "recall_at_4000_tok"),
        ("recall", "recall_at_5"),
        ("recall_ceiling_at_10", "recall_at_10"),
        ("returned_precision_at_500_tokens", "returned_precision_at_10"),
        ("recall_at_0", "recall_at_"),
        ("recall_at_99999999_tokens", "recall_at_"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    """Help with a slip of the pen, in one line."""
    with pytest.raises(SettingError, match=right) as caught:
        parse_measure(wrong)

    assert wrong in caught.value.message
    assert "\n" not in caught.value.message


def test_a_name_near_to_nothing_is_answered_with_all() -> None:
    """List what there is where nothing is near."""
    with pytest.raises(SettingError, match=r"use mrr, or map, recall.*recall_at_4000_tokens"):
        parse_measure("zzzz")


@pytest.mark.parametrize(
    ("name", "cutoff"),
    [
        ("returned_precision", Tokens(1000)),
        ("rbp", Results(10)),
        ("recall", Results(0)),
        ("recall", None),
        ("recall_ceiling", Results(10)),
    ],
)
def test_a_measure_without_a_formula_cannot_be_made(
    name: str, cutoff: Results | Tokens | None
) -> None:
    """Refuse at construction what cannot be computed."""
    with pytest.raises(SettingError, match="does not exist"):
        Measure(name, cutoff)
