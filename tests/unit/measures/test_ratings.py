"""Rules of thumb, at their bounds."""

from pathlib import Path

import pytest

from bench.errors import SettingError
from bench.launcher.help_page import help_page
from bench.measures.ratings import RATINGS, rating

PAGE = Path(__file__).parents[3] / "docs" / "measures.md"


@pytest.mark.parametrize(
    ("column", "value", "word"),
    [
        ("mrr", 0.8, "excellent"),
        ("mrr", 0.79, "good"),
        ("mrr", 0.6, "good"),
        ("mrr", 0.4, "fair"),
        ("mrr", 0.39, "poor"),
        ("recall_at_5", 0.9, "excellent"),
        ("recall_at_5", 0.49, "poor"),
        ("ndcg_at_10", 0.8, "good"),
        ("ndcg_at_10", 0.6, "fair"),
        ("ndcg_at_10", 0.0, "poor"),
        ("hit_at_10", 0.9, None),
    ],
)
def test_a_value_has_the_word_of_its_band(column: str, value: float, word: str | None) -> None:
    """Take the lower bound into the band."""
    assert rating(column, value) == word


def test_a_measure_that_does_not_exist_has_no_band() -> None:
    """Say so."""
    with pytest.raises(SettingError, match="does not exist"):
        rating("mmr", 0.5)


@pytest.mark.parametrize("column", RATINGS)
def test_the_bounds_are_on_the_page(column: str) -> None:
    """Keep the table and the code together."""
    row = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{column}`"))

    fair, good, excellent = RATINGS[column]
    said = f"poor below {fair}, fair below {good}, good below {excellent}, else excellent"
    assert f"  {column:<13}{said}\n" in help_page("bench/run.py")
    cells = [f"below {fair}", f"{fair} to {good}", f"{good} to {excellent}"]
    assert row == f"| `{column}` | {' | '.join(cells)} | {excellent} and more |"
