"""Queries are grouped by what they are and by where their answers stand."""

from typing import Any

from bench.reporting.query_groups import groups_of


def test_a_query_is_in_the_one_language_and_type_of_its_answers() -> None:
    """Two types: in neither group. No answer: in none."""
    queries: list[dict[str, Any]] = [
        {"difficulty": "easy", "category": "api", "targets": [{"path": "a/b.py"}]},
        {"targets": [{"path": "a.rs"}, {"path": "b/c.rs"}]},
        {"targets": [{"path": "a.py"}, {"path": "README.md"}]},
        {"targets": []},
    ]

    found = groups_of(queries)

    assert found["difficulty"] == ["easy", "", "", ""]
    assert found["category"] == ["api", "", "", ""]
    assert found["language"] == ["python", "rust", "", ""]
    assert found["file type"] == [".py", ".rs", "", ""]
