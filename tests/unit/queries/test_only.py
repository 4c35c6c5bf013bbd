"""A choice among queries by their labels, and some of each repository in a stable order."""

from collections import Counter

import pytest

from bench.queries import Only, Query, in_turn

QUERIES = [
    Query(f"q{number}", f"ask {number}", category="abcde"[number % 5]) for number in range(60)
]
LABELLED = Query("q1", "ask", category="api", tags=("fast", "new"))


@pytest.mark.parametrize(
    ("only", "fits"),
    [
        (Only(), True),
        (Only(tags=("new", "old")), True),
        (Only(tags=("old",)), False),
        (Only(categories=("usage", "api")), True),
        (Only(categories=("usage",)), False),
        (Only(ids=("q1",)), True),
        (Only(ids=("shop/q1",)), True),
        (Only(ids=("bank/q1", "q2")), False),
        (Only(repositories=("shop",)), True),
        (Only(repositories=("bank",)), False),
        (Only(tags=("new",), categories=("usage",)), False),
        (Only(tags=("new",), categories=("api",), ids=("q1",)), True),
    ],
)
def test_a_query_fits_if_every_part_that_is_set_has_one_of_its_labels(
    only: Only, *, fits: bool
) -> None:
    assert only.fits(LABELLED, repository="shop") is fits


def test_twelve_of_sixty_queries_cover_all_categories() -> None:
    chosen = Only(per_repository=12).asked(QUERIES, repository="shop")

    counts = Counter(query.category for query in QUERIES if query.id in chosen)
    assert sorted(counts.values()) == [2, 2, 2, 3, 3]


def test_the_choice_does_not_depend_on_the_order_of_a_file() -> None:
    """And fewer are among more."""
    first = Only(per_repository=7).asked(QUERIES, repository="shop")

    assert Only(per_repository=7).asked(QUERIES[::-1], repository="shop") == first
    assert first < Only(per_repository=20).asked(QUERIES, repository="shop")
    assert first != Only(per_repository=7).asked(QUERIES, repository="bank")


def test_negative_queries_are_a_category_that_comes_last() -> None:
    queries = [*QUERIES[:10], Query("none", "drone", negative=True, category="a")]

    chosen = in_turn(queries, repository="shop")

    assert chosen.index("none") == 5


def test_tiers_take_the_place_of_categories_where_there_are_none() -> None:
    queries = [Query(f"q{n}", "ask", difficulty="easy" if n else "hard") for n in range(30)]

    assert "q0" in in_turn(queries, repository="shop")[:2]


def test_a_choice_reads_as_it_is_typed() -> None:
    assert str(Only()) == ""
    assert str(Only(tags=("a", "b"), per_repository=3)) == "only.tags=[a,b] only.per_repository=3"
