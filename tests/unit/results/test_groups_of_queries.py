"""Numbers of groups of queries, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measures import macro
from bench.queries import Query
from bench.results import Hit, Place
from bench.results.groups import (
    Table,
    file_type,
    file_types_of,
    labels_of,
    languages_of,
    top_file_types,
)

NAN = np.nan
TABLE = Table(
    columns=("mrr", "hit_at_1"),
    values=np.array([[1.0, 1], [0, 0], [0.5, 0], [NAN, NAN], [1, 1], [NAN, NAN]]),
    repositories=["flask", "flask", "flask", "flask", "click", "rich"],
)


def test_groups_are_macro_over_the_repositories_that_have_them() -> None:
    """Average inside each group as the whole is averaged."""
    labels = [("easy",), ("easy",), ("hard",), ("easy",), ("easy",), ("none",)]

    found = TABLE.grouped(labels)

    assert found == {
        "easy": {"count": 3, "avg_mrr": (0.5 + 1) / 2, "avg_hit_at_1": (0.5 + 1) / 2},
        "hard": {"count": 1, "avg_mrr": 0.5, "avg_hit_at_1": 0.0},
        "none": {"count": 0, "avg_mrr": None, "avg_hit_at_1": None},
    }


def test_a_query_is_in_each_of_its_groups_and_in_none_without_a_label() -> None:
    """Count a query with two tags in both."""
    labels = [("a", "b"), (), ("b",), (), ("",), ()]

    found = TABLE.grouped(labels)

    assert {name: (of["count"], of["avg_mrr"]) for name, of in found.items()} == {
        "a": (1, 1.0),
        "b": (2, 0.75),
    }


def test_each_repository_has_its_mean_or_none() -> None:
    """Tell a repository without judged queries from a bad one."""
    found = TABLE.by_repository()

    assert {name: (of["count"], of["avg_mrr"]) for name, of in found.items()} == {
        "flask": (3, 0.5),
        "click": (1, 1.0),
        "rich": (0, None),
    }


ROWS = st.tuples(st.floats(0, 1) | st.just(NAN), st.sampled_from("abc"), st.booleans())


@given(st.lists(ROWS, min_size=1, max_size=20))
def test_a_group_has_the_macro_mean_of_its_queries(rows: list[tuple[float, str, bool]]) -> None:
    """Equal the mean that the summary takes."""
    values = np.array([row[0] for row in rows])
    table = Table(("mrr",), values[:, None], [row[1] for row in rows])
    inside = [place for place, row in enumerate(rows) if row[2]]

    found = table.grouped([("in",) if row[2] else () for row in rows])

    expected = macro(values[inside], [rows[place][1] for place in inside])
    shown = found["in"]["avg_mrr"] if inside else None
    assert shown == (None if expected is None else pytest.approx(expected))


def test_labels_come_from_the_query() -> None:
    """One label of a text, several of tags."""
    queries = [Query("q", "text", category="api", tags=("x", "y")), Query("r", "text")]

    assert labels_of(queries, "category") == [("api",), ("",)]
    assert labels_of(queries, "tags") == [("x", "y"), ()]


def test_languages_and_types_come_from_where_the_answers_stand() -> None:
    """Put a query with answers in two languages in both groups."""
    places = [(Place("a/b.py", 1, 2), Place("web/c.ts", 3, 4), Place("README.md", 1, 1)), ()]

    assert languages_of(places) == [{"python", "typescript", "other"}, set()]
    assert file_types_of(places) == [{".py", ".ts", ".md"}, set()]


@pytest.mark.parametrize(
    ("path", "kind"),
    [("a/B.PY", ".py"), ("Makefile", "(none)"), ("doc-1.2", "(none)"), (".env", "(none)")],
)
def test_the_type_of_a_file_is_its_ending(path: str, kind: str) -> None:
    """Make no type of an id that has a dot in it."""
    assert file_type(path) == kind


def test_the_types_of_the_first_hits_stand_beside_those_of_the_targets() -> None:
    """Share the first hits, and the right places, among the types of files."""
    shown = [(Hit("a.py", 1, 2, 1.0), Hit("a.md", 1, 2, 0.5)), (Hit("b.md", 1, 2, 1.0),), ()]

    found = top_file_types(shown, [(Place("a.py", 1, 2),), (), ()])

    assert found == {
        ".md": {
            "share_at_1": 0.5,
            "share_at_5": 2 / 3,
            "share_at_10": 2 / 3,
            "share_of_targets": 0,
        },
        ".py": {
            "share_at_1": 0.5,
            "share_at_5": 1 / 3,
            "share_at_10": 1 / 3,
            "share_of_targets": 1,
        },
    }
    assert top_file_types([(), ()], [(), ()]) == {}
