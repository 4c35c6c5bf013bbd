"""The suite of the harness asks 30 queries, so many of each category."""

from collections import Counter

import pytest

from bench.files import data_folder
from bench.launcher.points import read_points
from bench.queries import read_queries
from bench.settings.suite import SuiteSettings, parse_suite


def suite_of(*typed: str) -> SuiteSettings:
    """Return the suite of a command line."""
    return parse_suite(read_points(typed, data_folder("conf"), multirun=False)[0].config)


def test_there_are_ten_six_four_four_and_six_queries() -> None:
    suite = suite_of("suite=harness")

    asked = Counter(
        query.category
        for one in suite.asked_repositories
        for query in read_queries(one.queries)
        if set(query.tags) & set(suite.only.tags)
    )
    assert asked == {
        "function_search": 10,
        "concept_search": 6,
        "error_search": 4,
        "pattern_search": 4,
        "api_search": 6,
    }


@pytest.mark.parametrize(("typed", "tags"), [("suite=python", ()), ("suite=harness", ("set_30",))])
def test_only_a_suite_that_is_part_of_another_chooses_by_tag(
    typed: str, tags: tuple[str, ...]
) -> None:
    assert suite_of(typed).only.tags == tags
    assert suite_of(typed, "only.tags=[exact_name]").only.tags == ("exact_name",)
