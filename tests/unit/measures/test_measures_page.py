"""The page on measures says what the code does."""

import doctest
from pathlib import Path

import pytest

from bench.measures import STANDARD

PAGE = Path(__file__).parents[3] / "docs" / "measures.md"


def test_the_worked_example_has_these_numbers() -> None:
    """Run the page's example and compare what it prints."""
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)

    assert failed == 0
    assert tried > 5


@pytest.mark.parametrize("column", [measure.column for measure in STANDARD])
def test_every_standard_column_is_on_the_page(column: str) -> None:
    """Leave no column of a report unexplained."""
    assert f"`{column}`" in PAGE.read_text()
