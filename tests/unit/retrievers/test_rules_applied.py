"""Rules over rankings: each by hand, then what holds of all of them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.errors import RulesError
from retrievers.interface import Chunks, Documents, Floor, Rankings, ranked
from retrievers.rules import OFF, PathWords, RuleBook, Rules, apply_rules
from retrievers.source import Symbols, find_symbols

ALL_OFF = replace(Rules(), **OFF)
FILES = [
    ("shop/cart.py", "def checkout():\n    return 1\n\n\ndef totalPrice():\n    return 2\n"),
    ("shop/order.py", "def ship():\n    first = 1\n    return first\n\n\nLIMIT = 1\n"),
    ("tests/test_cart.py", "def test_cart():\n    pass\n"),
]
"""Chunks of two lines: 0 to 2 of cart, 3 to 5 of order, 6 of the test."""
CHUNKS = 7

Row = st.lists(st.integers(-8, 16).map(float), min_size=CHUNKS, max_size=CHUNKS)
Query = st.sampled_from(
    ["cart", "the order", "where is totalPrice", "test of a cart", "ship", "?", "shop limit"]
)
Weights = st.sampled_from([0.0, 0.25, 0.5, 1.0])
AnyRules = st.builds(
    Rules,
    name_boost=Weights,
    definition_boost=Weights,
    test_penalty=Weights,
)


@cache
def shop() -> tuple[Documents, Chunks, Symbols]:
    documents = Documents.of(FILES)
    counts = [len(documents.line_starts(number)) for number in range(len(documents))]
    start = [line for count in counts for line in range(1, count + 1, 2)]
    place = np.repeat(np.arange(len(counts)), [(count + 1) // 2 for count in counts])
    lines = np.array(start, np.int32)
    starts = [[*documents.line_starts(n).tolist(), documents.size(n)] for n in place.tolist()]
    pairs = list(zip(starts, start, strict=True))
    first = np.array([own[line - 1] for own, line in pairs], np.int32)
    last = np.array([own[min(line + 1, len(own) - 1)] for own, line in pairs], np.int32)
    nothing = np.zeros(len(lines), np.int32)
    return (
        documents,
        Chunks(place.astype(np.int32), first, last, lines, lines + 1, nothing, nothing),
        find_symbols(documents),
    )


@cache
def book() -> RuleBook:
    documents, chunks, symbols = shop()
    return RuleBook(chunks, PathWords.of(documents), symbols)


def applied(
    row: list[float], query: str, rules: Rules, *, floor: Floor = "zero", depth: int = CHUNKS
) -> dict[int, float]:
    """Return the entries with their scores, best first."""
    rankings = ranked([np.array(row, np.float32)], CHUNKS)
    found = book().apply(rankings, [query], rules, depth=depth, floor=floor)
    chunk, score = found.of_query(0)
    return dict(zip(chunk.tolist(), score.tolist(), strict=True))


def test_rules_that_do_nothing_leave_the_scores_of_a_retriever_as_they_are() -> None:
    """On its own scale, on which queries can be compared; also what is below the mean, 1."""
    row = [8, 4.5, 1, -1, -5.5, 0, 0]

    found = applied(row, "?", ALL_OFF, floor="mean")

    assert list(found) == [0, 1, 2, 5, 6, 3, 4]
    assert [found[chunk] for chunk in range(CHUNKS)] == pytest.approx(row)


def test_what_counts_of_a_retrievers_score_is_how_far_it_is_above_the_mean() -> None:
    """The mean is 1 and the best 7 above it: half of that for a test, and three quarters more."""
    row = [4.5, 1, -1, -5.5, 0, 0, 8]

    tests = applied(row, "?", replace(ALL_OFF, test_penalty=0.5), floor="mean")
    names = applied(row, "the order", replace(ALL_OFF, name_boost=0.75), floor="mean")

    assert tests[6] == pytest.approx(1 + 0.5 * 7)
    assert names[5] == pytest.approx(1 + 0.75 * 7)
    assert names[6] == pytest.approx(8)


def test_fused_scores_keep_their_proportions() -> None:
    assert applied([0.8, 0.4, 0, 0, 0, 0, 0], "?", ALL_OFF)[1] == pytest.approx(0.5)


def test_the_name_boost_is_the_match_times_its_weight() -> None:
    """The query is the whole name and in no other path: the match is 1."""
    rules = replace(ALL_OFF, name_boost=0.75)

    found = applied([8, 4, 2, 6, 4, 2, 1], "the order", rules)

    assert found[3] == pytest.approx(6 / 8 + 0.75)
    assert found[5] == pytest.approx(2 / 8 + 0.75)
    assert found[0] == pytest.approx(1)
    assert list(found) == [3, 4, 0, 5, 1, 2, 6]


def test_the_definition_boost_goes_to_where_the_name_is_defined() -> None:
    """The function totalPrice begins in line 5 of cart, in its third chunk; prose is .8 sure."""
    rules = replace(ALL_OFF, definition_boost=0.5)

    found = applied([8, 4, 2, 6, 4, 2, 1], "where is totalPrice", rules)

    assert found[2] == pytest.approx(2 / 8 + 0.5 * 0.8)
    assert list(found) == [0, 3, 2, 1, 4, 5, 6]


NAMED = replace(ALL_OFF, definition_boost=0.5, path_boost=0.3, frame_boost=0.5)
SILENT = [1.0, 0, 0, 0, 0, 0, 0]


def named(query: str, rules: Rules = NAMED) -> dict[int, float]:
    """Return what is found where the ranking holds the first chunk of the cart only."""
    rankings = ranked([np.array(SILENT, np.float32)], CHUNKS, floor=0)
    chunk, score = book().apply(rankings, [query], rules, depth=9, floor="zero").of_query(0)
    return dict(zip(chunk.tolist(), score.tolist(), strict=True))


def test_the_ranking_alone_holds_one_chunk() -> None:
    assert named("what is wrong") == {0: 1}


def test_a_named_definition_is_found_where_the_ranking_does_not_hold_it() -> None:
    assert named("totalPrice") == pytest.approx({0: 1, 2: 0.5})
    assert named("totalPrice", replace(NAMED, definition_boost=0.0)) == {0: 1}


def test_a_named_path_is_found() -> None:
    assert named("wrong in /home/me/shop/order.py:3") == pytest.approx(
        {0: 1, 3: 0.3, 4: 0.3, 5: 0.3}
    )
    assert named("wrong in order.py") == named("wrong in shop/order.py")
    assert named("wrong in other/order.py") == {0: 1}


def test_a_path_is_context_where_a_definition_in_another_file_is_named() -> None:
    """totalPrice is in the cart, ship in the order; both are .8 sure, and nothing is `lost`."""
    assert named("in shop/order.py I call totalPrice()") == pytest.approx({0: 1, 2: 0.4})
    assert named("in shop/order.py I call ship()") == pytest.approx({0: 1, 3: 0.7, 4: 0.3, 5: 0.3})
    assert named("in shop/order.py I call lost()") == named("wrong in shop/order.py")


def test_a_part_of_a_path_is_not_a_definition_elsewhere() -> None:
    """`totalPrice` of the cart is also the name of a folder."""
    found = named("wrong in totalPrice/shop/order.py")

    assert found[3] == pytest.approx(0.3)


def test_frames_find_their_files_and_functions() -> None:
    """Three frames count in full; the fourth from the innermost on counts half."""
    frames = ["shop/order.py", "lib/of_others.py", "shop/cart.py", "shop/cart.py", "shop/cart.py"]
    text = "\n".join(
        f'  File "{path}", line 1, in {"ship" if "order" in path else "totalPrice"}'
        for path in frames
    )

    found = named(f"It fails\n\n{text}")

    assert found[2] == pytest.approx(0.5 + 0.5)
    assert found[1] == pytest.approx(0.5)
    assert found[3] == pytest.approx(0.25 + 0.25)
    assert found[5] == pytest.approx(0.25)
    assert 6 not in found


def test_boosts_add_up_before_the_penalty() -> None:
    """The path test_cart has "cart", as one of its two words; the query has no other word."""
    rules = replace(ALL_OFF, name_boost=1.0, test_penalty=0.5)

    found = applied([8, 4, 2, 6, 4, 2, 4], "cart", rules)

    assert found[6] == pytest.approx(0.5 * (4 / 8 + np.sqrt(1 / 2)))


def test_tests_are_penalised_unless_the_query_speaks_of_them() -> None:
    rules = replace(ALL_OFF, test_penalty=0.5)
    row = [4.0, 3, 2, 1, 1, 1, 8]

    assert applied(row, "the price", rules)[6] == pytest.approx(0.5)
    assert applied(row, "the price in tests", rules)[6] == pytest.approx(1.0)


def test_a_penalty_of_zero_leaves_nothing_of_a_test() -> None:
    rules = replace(ALL_OFF, test_penalty=0.0)

    found = applied([4, 3, 2, 1, 1, 1, 8], "the price", rules)

    assert found[6] == 0
    assert list(found)[-1] == 6


def test_the_depth_counts_chunks() -> None:
    found = applied([8, 7, 6, 5, 4, 3, 2], "?", ALL_OFF, depth=2)

    assert list(found) == [0, 1]


def test_mean_and_deviation_are_over_all_chunks() -> None:
    """Of seven chunks three have entries, of 1, ½ and ½ of the best."""
    rankings = ranked([np.array([8, 0, 0, 4, 0, 0, 4], np.float32)], CHUNKS, floor=0)

    found = book().apply(rankings, ["?"], ALL_OFF, depth=CHUNKS, floor="zero")

    every = [1, 0.5, 0.5, 0, 0, 0, 0]
    assert found.mean.tolist() == pytest.approx([np.mean(every)])
    assert found.deviation.tolist() == pytest.approx([np.std(every)])


def test_scores_on_a_retrievers_own_scale_keep_its_mean_and_deviation() -> None:
    """The next step counts scores from that mean, as the rules do."""
    rankings = ranked([np.array([8, 4, 2, 6, 4, 2, 1], np.float32)], CHUNKS)

    found = book().apply(rankings, ["the order"], Rules(), depth=CHUNKS, floor="mean")

    assert found.mean.tolist() == rankings.mean.tolist()
    assert found.deviation.tolist() == rankings.deviation.tolist()


def test_where_no_score_is_above_the_mean_the_rules_decide() -> None:
    found = applied([3] * CHUNKS, "the order", Rules(), floor="mean")

    assert list(found)[:3] == [3, 4, 5]


def test_rankings_without_hits_stay_empty() -> None:
    rankings = ranked([np.zeros(CHUNKS, np.float32)] * 2, CHUNKS, floor=0)

    found = book().apply(rankings, ["cart", "order"], Rules(), depth=3)

    assert found.stops.tolist() == [0, 0]


def test_queries_keep_apart() -> None:
    rows = [
        np.array(row, np.float32)
        for row in ([8, 4, 2, 6, 4, 2, 1], [0] * 7, [1, 2, 3, 4, 5, 6, 7])
    ]
    queries = ["the order", "nothing found", "where is totalPrice"]
    rules = Rules()

    together = book().apply(ranked(rows, CHUNKS, floor=0), queries, rules, depth=CHUNKS)

    for number, (row, query) in enumerate(zip(rows, queries, strict=True)):
        alone = book().apply(ranked([row], CHUNKS, floor=0), [query], rules, depth=CHUNKS)
        for whole, own in zip(together.of_query(number), alone.of_query(0), strict=True):
            assert whole.tolist() == own.tolist()


def test_each_ranking_needs_its_query() -> None:
    rankings = ranked([np.zeros(CHUNKS, np.float32)], CHUNKS)

    with pytest.raises(RulesError, match="2 queries for 1 rankings; give one to each"):
        book().apply(rankings, ["a", "b"], Rules(), depth=3)


def test_one_call_does_what_the_book_does() -> None:
    documents, chunks, symbols = shop()
    rankings = ranked([np.arange(CHUNKS, dtype=np.float32)], CHUNKS)

    found = apply_rules(
        rankings, ["cart"], chunks, documents, symbols=symbols, rules=Rules(), depth=4
    )

    expected = book().apply(rankings, ["cart"], Rules(), depth=4)
    assert found.chunk.tolist() == expected.chunk.tolist()
    assert found.score.tolist() == expected.score.tolist()


@given(Row, Query, st.sampled_from(["mean", "zero"]))
def test_with_all_rules_off_the_order_stays(row: list[float], query: str, floor: Floor) -> None:
    before: Rankings = ranked([np.array(row, np.float32)], CHUNKS)

    after = applied(row, query, ALL_OFF, floor=floor)

    assert list(after) == before.chunk.tolist()


@given(Row, Query, AnyRules)
def test_boosts_never_lower_a_score(row: list[float], query: str, rules: Rules) -> None:
    without = replace(rules, name_boost=0.0, definition_boost=0.0)

    boosted = applied(row, query, rules, floor="mean")

    plain = applied(row, query, without, floor="mean")
    assert all(boosted[chunk] >= plain[chunk] for chunk in plain)


@given(Row, Query, AnyRules)
def test_ties_go_to_the_lower_chunk_and_nothing_is_listed_twice(
    row: list[float], query: str, rules: Rules
) -> None:
    found = applied(row, query, rules, floor="mean")

    keys = [(-score, chunk) for chunk, score in found.items()]
    assert keys == sorted(keys)
    assert len(found) == CHUNKS


@given(
    Row, Query, AnyRules, st.sampled_from([0.125, 2.0, 64.0]), st.sampled_from(["mean", "zero"])
)
def test_the_scale_of_the_scores_makes_no_difference(
    row: list[float], query: str, rules: Rules, scale: float, floor: Floor
) -> None:
    scaled = [score * scale for score in row]

    found = applied(scaled, query, rules, floor=floor)

    assert list(found) == list(applied(row, query, rules, floor=floor))
