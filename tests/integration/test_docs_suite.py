"""The questions about manuals are of all kinds, and their answers say what they must."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.authoring.opening import OpenedSet, open_sets
from bench.queries import Query
from bench.queries.query import Target
from bench.queries.verification import FixtureSet, verify

SUITE = Path(__file__).parents[2] / "conf" / "suite" / "docs.yaml"
DOCUMENTATION = (".md", ".rst", ".txt")


@pytest.fixture(scope="module")
def sets() -> list[OpenedSet]:
    return list(open_sets(SUITE))


def queries(sets: list[OpenedSet]) -> Iterator[tuple[OpenedSet, Query]]:
    return ((one, entry.query) for one in sets for entry in one.entries)


def lines_of(one: OpenedSet, target: Target) -> str:
    document = one.documents.paths.index(target.path)
    lines = one.documents.text(document).split("\n")
    return "\n".join(lines[target.start - 1 : target.end])


def test_nothing_is_wrong_with_the_questions(sets: list[OpenedSet]) -> None:
    found = [
        finding
        for one in sets
        for finding in verify(FixtureSet(one.name, one.entries), one.tree_of()).findings
    ]

    assert found == []


def test_there_are_enough_questions_of_every_kind(sets: list[OpenedSet]) -> None:
    asked = [query for _, query in queries(sets)]

    categories = Counter(query.category for query in asked if not query.negative)
    assert set(categories) == {"installation", "configuration", "usage", "api"}
    assert min(categories.values()) >= 5
    assert sum(categories.values()) >= 30
    assert sum(query.negative for query in asked) >= 5
    assert {query.difficulty for query in asked} == {"easy", "medium", "hard"}


def test_every_answer_stands_in_documentation_of_three_kinds(sets: list[OpenedSet]) -> None:
    kinds = set()

    for _, query in queries(sets):
        endings = {Path(target.path).suffix for target in query.targets}
        found = endings & set(DOCUMENTATION)
        assert query.negative or found, query.id
        kinds |= found

    assert kinds == set(DOCUMENTATION)


def test_the_answers_hold_what_an_answer_must_contain(sets: list[OpenedSet]) -> None:
    lacking = [
        (query.id, fact)
        for one, query in queries(sets)
        for fact in query.must_contain
        if not any(fact in lines_of(one, target) for target in query.targets)
    ]

    assert lacking == []


def test_no_forbidden_text_stands_in_the_lines_that_answer(sets: list[OpenedSet]) -> None:
    asked = [(one, query) for one, query in queries(sets) if query.forbidden]

    wrong = [
        (query.id, text)
        for one, query in asked
        for text in query.forbidden
        if any(text in lines_of(one, target) for target in query.targets)
    ]

    assert len(asked) >= 5
    assert wrong == []
