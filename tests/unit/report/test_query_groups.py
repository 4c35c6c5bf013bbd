"""Queries are grouped by what they are and by where their answers stand."""

from dataclasses import replace

from bench.report.query_groups import groups_of
from bench.results import Place
from tests.unit.report.sample_study import QUERY


def test_a_query_is_in_the_one_language_and_type_of_its_answers() -> None:
    """Two types: in neither group. No answer: in none."""
    plain = replace(QUERY, difficulty="", category="")
    paths = (("a.rs", "b/c.rs"), ("a.py", "README.md"), ())
    queries = [
        replace(QUERY, difficulty="easy", category="api", targets=(Place("a/b.py", 1, 2),)),
        *(replace(plain, targets=tuple(Place(path, 1, 2) for path in of)) for of in paths),
    ]

    found = groups_of(queries)

    assert found["difficulty"] == ["easy", "", "", ""]
    assert found["category"] == ["api", "", "", ""]
    assert found["language"] == ["python", "rust", "", ""]
    assert found["file type"] == [".py", ".rs", "", ""]
