"""A half to tune on and a half to report on."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bench.queries import Query, in_half, repositories_in_half

QUERIES = st.lists(
    st.builds(
        Query,
        id=st.from_regex(r"[a-z0-9]{1,6}", fullmatch=True),
        text=st.just("text"),
        category=st.sampled_from(["api", "concept", ""]),
        negative=st.booleans(),
    ),
    max_size=40,
    unique_by=lambda query: query.id,
)


@given(QUERIES)
def test_every_query_is_in_one_half_and_the_halves_are_even(queries: list[Query]) -> None:
    """Cut each category, and the negatives of each, in the middle."""
    tune, report = (in_half(queries, half, repository="shop") for half in ("tune", "report"))

    assert not tune & report
    assert tune | report == in_half(queries, "all", repository="shop") == {q.id for q in queries}
    for group in {(query.category, query.negative) for query in queries}:
        ids = {query.id for query in queries if (query.category, query.negative) == group}
        assert abs(len(ids & tune) - len(ids & report)) <= 1


@given(QUERIES, st.randoms())
def test_the_order_of_the_file_does_not_matter(queries: list[Query], random: Random) -> None:
    """Know a query by its id."""
    before = in_half(queries, "tune", repository="shop")

    random.shuffle(queries)

    assert in_half(queries, "tune", repository="shop") == before


@given(QUERIES, st.integers(0, 39))
def test_one_query_less_moves_at_most_one_other(queries: list[Query], place: int) -> None:
    """Keep apart what was kept apart when a set grows or shrinks."""
    before = in_half(queries, "tune", repository="shop")
    left = [query for number, query in enumerate(queries) if number != place]
    after = in_half(left, "tune", repository="shop")

    moved = {query.id for query in left if (query.id in before) != (query.id in after)}

    assert len(moved) <= 1


def test_halves_of_two_repositories_are_not_the_same() -> None:
    """Depend on the repository: sets with ids q1 to q40 are not cut alike."""
    queries = [Query(f"q{number}", "text") for number in range(40)]

    halves = [in_half(queries, "tune", repository=name) for name in ("shop", "bank")]

    assert halves[0] != halves[1]


def test_what_is_over_goes_to_either_half() -> None:
    """Favour neither half over many categories of one query."""
    queries = [Query(f"q{number}", "text", category=f"c{number}") for number in range(200)]

    tuned = in_half(queries, "tune", repository="shop")

    assert 70 < Counter(query.id in tuned for query in queries)[True] < 130


def test_repositories_are_halved_by_their_names() -> None:
    """In any order; of an odd number the report half has one more."""
    names = ["shop", "bank", "club", "farm", "mill"]

    tune, report = (repositories_in_half(names, half) for half in ("tune", "report"))

    assert (len(tune), len(report)) == (2, 3)
    assert tune | report == repositories_in_half(names, "all") == set(names)
    assert repositories_in_half(names[::-1], "tune") == tune


def test_a_repository_that_is_added_moves_at_most_one_other() -> None:
    names = [f"repository-{number}" for number in range(20)]

    for count in range(2, 20):
        before = repositories_in_half(names[:count], "tune")
        after = repositories_in_half(names[: count + 1], "tune")
        assert len((before ^ after) - {names[count]}) <= 1
