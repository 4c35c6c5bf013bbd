"""The unit of a ranking: one entry per file or definition, each by hand, then in general."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.errors import ListingError
from retrievers.interface import SEARCHED, Chunks, Documents, Floor, ranked
from retrievers.listing import ChunkDefinitions, Entries, Listing, Unit
from retrievers.listing.definitions import innermost
from retrievers.source import find_symbols

FILES = [
    ("shop/cart.py", "def checkout():\n    return 1\n\n\ndef totalPrice():\n    return 2\n"),
    ("shop/order.py", "def ship():\n    first = 1\n    return first\n\n\nLIMIT = 1\n"),
    ("tests/test_cart.py", "# nothing\n# at all\n"),
]
"""Chunks of two lines: 0 to 2 of cart, 3 to 5 of order, 6 of the test."""
CHUNKS = 7
SHOP = """\
import os


class CartLine:
    def total_price(self):
        return 1

    def names(self):
        return 2


def checkout():
    first = 1
    return first
"""
OVERLOADS = """\
class Cart {
    int total() {
        return 1;
    }
    int total(int discount) {
        return 2;
    }
    int count() {
        return 3;
    }
}
"""
TYPE = """\
class Store:
    \"\"\"Keeps orders.\"\"\"

    def find(self, order):
        found = order
        return found

    size = 3
    \"\"\"How many
    orders there may be.\"\"\"


class Empty:
    pass
"""
Row = st.lists(st.integers(-8, 16).map(float), min_size=CHUNKS, max_size=CHUNKS)
Units = st.sampled_from(["chunk", "definition", "file"])
AnyListing = st.builds(
    Listing,
    unit=Units,
    aggregation=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    depth_of_aggregation=st.integers(1, 4),
)


def chunks_at(*spans: tuple[int, int, int]) -> Chunks:
    """Return chunks of these documents and lines."""
    document, start, end = np.array(spans, np.int32).T
    nothing = np.zeros(len(spans), np.int32)
    return Chunks(document, nothing, nothing, start, end, nothing, nothing)


def by_twos(documents: Documents) -> Chunks:
    """Return chunks of two lines."""
    return chunks_at(
        *(
            (number, line, line + 1)
            for number in range(len(documents))
            for line in range(1, len(documents.line_starts(number)) + 1, 2)
        )
    )


def entries_of(files: list[tuple[str, str]], listing: Listing) -> Entries:
    documents = Documents.of(files)
    chunks = by_twos(documents)
    return Entries.of(listing, chunks, ChunkDefinitions.of(chunks, find_symbols(documents)))


def listed(row: list[float], listing: Listing, *, floor: Floor = "zero") -> dict[int, float]:
    """Return the entries of the shop with their scores, best first."""
    rankings = ranked([np.array(row, np.float32)], len(row))
    found = entries_of(FILES, listing).listed(rankings, floor=floor, depth=CHUNKS)
    chunk, score = found.of_query(0)
    return dict(zip(chunk.tolist(), score.tolist(), strict=True))


def files(aggregation: float, depth: int = 4) -> Listing:
    return Listing("file", aggregation, depth)


def test_a_file_has_the_score_of_its_best_chunks_and_one_entry() -> None:
    """Cart: 8 + ½·4 + ¼·2; order: 6 + ½·6 + ¼·6."""
    found = listed([8, 4, 2, 6, 6, 6, 1], files(0.5))

    assert found == {0: 10.5, 3: 10.5, 6: 1}
    assert list(found) == [0, 3, 6]


def test_only_the_best_chunks_of_a_file_count() -> None:
    assert listed([2, 4, 8, 6, 6, 6, 1], files(0.5, 2)) == {2: 10, 3: 9, 6: 1}


def test_without_aggregation_a_file_has_the_score_of_its_best_chunk() -> None:
    assert listed([2, 8, 4, 6, 6, 6, 1], files(0)) == {1: 8, 3: 6, 6: 1}


def test_a_retrievers_own_scores_count_above_their_mean() -> None:
    """The mean is 2: cart has 8 + ½·(4 - 2); what is below the mean adds nothing."""
    found = listed([8, 4, 1, 1, 0, 0, 0], files(0.5), floor="mean")

    assert found == {0: 9, 3: 1, 6: 0}


def test_only_the_hits_that_a_searcher_gives_add_up() -> None:
    """A file's second chunk that is ranked too low to be served adds nothing."""
    count = SEARCHED + 2
    documents = Documents.of(
        [("a.py", "x\n" * 4), *((f"b{n:03}.py", "x\n") for n in range(count))]
    )
    chunks = by_twos(documents)
    entries = Entries.of(files(0.5), chunks)
    row = np.arange(len(chunks), 0, -1).astype(np.float32)
    row[1] = 0.5  # behind all others

    found = entries.listed(ranked([row], len(row)), floor="zero", depth=1000)

    assert found.of_query(0)[1][0] == row[0]


def test_aggregation_makes_no_difference_unless_files_are_listed() -> None:
    row = [8.0, 4, 2, 6, 6, 6, 1]

    assert listed(row, Listing("chunk", 0.5)) == dict(sorted(enumerate(row), key=lambda x: -x[1]))
    assert Listing("chunk", 0.3).effective == Listing("chunk", 0.9).effective
    assert Listing("file", 0.3).effective == Listing("file", 0.3)


def test_aggregating_one_chunk_is_aggregating_none() -> None:
    assert Listing("file", 0.3, 1).effective == Listing("file", 0.0).effective


def test_chunks_of_one_definition_are_one_entry_and_those_of_none_are_left_out() -> None:
    """The function ship has lines 1 to 3: chunk 3 and half of 4; the test defines nothing."""
    found = listed([1, 2, 3, 4, 8, 5, 6], Listing("definition"))

    assert list(found) == [4, 5, 2, 0]


def test_the_depth_counts_entries() -> None:
    rankings = ranked([np.array([8, 7, 6, 5, 4, 3, 2], np.float32)], CHUNKS)

    found = entries_of(FILES, files(0)).listed(rankings, floor="zero", depth=2)

    assert found.chunk.tolist() == [0, 3]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("aggregation", -0.1),
        ("aggregation", 1.1),
        ("depth_of_aggregation", 0),
        ("depth_of_aggregation", 101),
        ("unit", "folder"),
        ("unit", "auto"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_in_one_line(name: str, value: object) -> None:
    with pytest.raises(ListingError, match=f"^{name}={value} .*; choose .*$"):
        Listing(**{name: value})  # type: ignore[arg-type]


def owners(source: str, spans: list[tuple[int, int]], path: str = "lib/shop.py") -> list[str]:
    """Return the names of the definitions that these lines are of."""
    known = find_symbols(Documents.of([(path, source)]))
    start, end = np.array(spans).T
    found = innermost(known, np.zeros(len(spans), np.int64), start, end)
    return [known.names[row].removeprefix("lib.shop.") if row >= 0 else "" for row in found]


def test_a_chunk_is_of_the_innermost_definition_with_most_of_its_lines() -> None:
    spans = [(5, 8), (8, 9), (4, 4), (11, 14), (1, 3), (1, 12)]

    assert owners(SHOP, spans) == [
        "CartLine.total_price",
        "CartLine.names",
        "CartLine",
        "checkout",
        "",
        "CartLine",
    ]


def test_lines_outside_definitions_do_not_count() -> None:
    """Most of these lines are imports and blank ones, and yet a definition is shown."""
    assert owners(SHOP, [(1, 4), (10, 12)]) == ["CartLine", "checkout"]


def test_where_a_type_begins_its_members_there_are_part_of_it() -> None:
    """Of lines 4 to 6 two are of a method; of 4 to 14 three are of a function, six of the type."""
    assert owners(SHOP, [(4, 6), (4, 14), (5, 6)]) == [
        "CartLine",
        "CartLine",
        "CartLine.total_price",
    ]


def test_between_equals_the_first_definition_wins() -> None:
    assert owners(SHOP, [(5, 9), (6, 7)]) == ["CartLine.total_price", "CartLine"]


def test_a_definition_that_begins_goes_before_one_that_began_earlier() -> None:
    """Or else a short function behind the end of a long one would be in no list."""
    assert owners(SHOP, [(2, 6), (6, 8), (9, 12)]) == ["CartLine", "CartLine.names", "checkout"]


def by_definition(
    source: str,
    spans: list[tuple[int, int]],
    scores: list[float],
    path: str = "store.py",
    *,
    share: float = 0.0,
) -> list[tuple[int, str, float]]:
    """Return the chunk, the name and the score of each entry, best first."""
    documents = Documents.of([(path, source)])
    symbols, chunks = find_symbols(documents), chunks_at(*((0, *span) for span in spans))
    definitions = ChunkDefinitions.of(chunks, symbols)
    entries = Entries.of(Listing("definition", file_share=share), chunks, definitions)
    rankings = ranked([np.array(scores, np.float32)], len(scores), floor=0)
    chunk, score = entries.listed(rankings, floor="zero", depth=9).of_query(0)
    names = definitions.names(chunk, symbols)
    return list(zip(chunk.tolist(), names, score.tolist(), strict=True))


def test_overloads_of_one_name_take_one_place() -> None:
    found = by_definition(OVERLOADS, [(1, 1), (2, 4), (5, 7), (8, 10)], [1, 2, 4, 3], "Cart.java")

    assert found == [(2, "Cart.Cart.total", 4), (3, "Cart.Cart.count", 3), (0, "Cart.Cart", 1)]


def test_a_type_with_members_is_shown_by_its_beginning_and_its_members_are_other_entries() -> None:
    """The blank line and the text below a field are the type's own: they are its best chunk."""
    spans = [(1, 2), (4, 6), (9, 10), (13, 14)]

    found = by_definition(TYPE, spans, [1, 5, 8, 2])

    assert found == [
        (0, "store.Store", 8),
        (1, "store.Store.find", 5),
        (3, "store.Empty", 2),
    ]


def test_a_type_is_shown_by_its_beginning_though_no_word_of_the_query_is_there() -> None:
    found = by_definition(TYPE, [(1, 2), (4, 6), (9, 10)], [0, 5, 8])

    assert found == [(0, "store.Store", 8), (1, "store.Store.find", 5)]


def test_every_definition_that_begins_in_some_chunk_can_be_found() -> None:
    """The end of find and the beginning of keep share a chunk, which is listed beside find's."""
    source = "def find(order):\n    a = 1\n    b = 2\n    c = 3\n    return a\n"
    source += "def keep(order):\n    return 1\n"

    found = by_definition(source, [(1, 2), (3, 7)], [8, 5])

    assert found == [(0, "store.find", 8), (1, "store.keep", 5)]


def test_entries_of_definitions_need_the_definitions() -> None:
    with pytest.raises(ListingError, match="unit=definition needs to know the definitions"):
        Entries.of(Listing("definition"), chunks_at((0, 1, 2)))


def test_no_definitions_at_all_are_no_error() -> None:
    nothing = find_symbols(Documents.of([("notes.txt", "a\nb\n")]))

    assert innermost(nothing, np.array([0]), np.array([1]), np.array([2])).tolist() == [-1]
    assert ChunkDefinitions.of(chunks_at((0, 1, 2)), nothing).names([0], nothing) == ("",)


@pytest.mark.parametrize("unit", ["chunk", "definition", "file"])
def test_rankings_without_hits_stay_empty(unit: Unit) -> None:
    rankings = ranked([np.zeros(CHUNKS, np.float32)] * 2, CHUNKS, floor=0)

    found = entries_of(FILES, Listing(unit)).listed(rankings, floor="mean", depth=3)

    assert found.stops.tolist() == [0, 0]


@given(st.lists(Row, min_size=1, max_size=3), AnyListing, st.sampled_from(["mean", "zero"]))
def test_each_query_has_its_own_entries_each_once_and_in_order(
    rows: list[list[float]], listing: Listing, floor: Floor
) -> None:
    entries = entries_of(FILES, listing)
    numbers = [np.array(row, np.float32) for row in rows]

    together = entries.listed(ranked(numbers, CHUNKS), floor=floor, depth=CHUNKS)

    for number, row in enumerate(numbers):
        alone = entries.listed(ranked([row], CHUNKS), floor=floor, depth=CHUNKS)
        chunk, score = together.of_query(number)
        assert [own.tolist() for own in alone.of_query(0)] == [chunk.tolist(), score.tolist()]
        keys = list(zip((-score).tolist(), chunk.tolist(), strict=True))
        assert keys == sorted(keys)
        units = entries.number[chunk].tolist()
        assert len(set(units)) == len(units)
        assert -1 not in units


@given(Row, AnyListing)
def test_an_entry_never_scores_less_than_its_best_chunk(
    row: list[float], listing: Listing
) -> None:
    entries = entries_of(FILES, listing)

    found = listed(row, listing)

    for chunk, score in found.items():
        own = [
            row[other] for other in range(CHUNKS) if entries.number[other] == entries.number[chunk]
        ]
        assert score >= max(own)


@given(Row, AnyListing)
def test_settings_without_effect_may_be_left_out(row: list[float], listing: Listing) -> None:
    assert listed(row, listing.effective, floor="mean") == listed(row, listing, floor="mean")


TWO_FILES = [
    ("a.py", "def first():\n    return 1\n\n\ndef second():\n    return 2\n"),
    ("b.py", "def third():\n    return 3\n"),
]


def shared(scores: list[float], listing: Listing, floor: Floor = "zero") -> dict[str, float]:
    """Return the score of each of three functions, two of them in one file."""
    documents = Documents.of(TWO_FILES)
    symbols, chunks = find_symbols(documents), chunks_at((0, 1, 2), (0, 5, 6), (1, 1, 2))
    definitions = ChunkDefinitions.of(chunks, symbols)
    rankings = ranked([np.array(scores, np.float32)], 3)
    found = Entries.of(listing, chunks, definitions).listed(rankings, floor=floor, depth=9)
    chunk, score = found.of_query(0)
    names = (symbols.names[row].partition(".")[2] for row in definitions.symbol[chunk].tolist())
    return dict(zip(names, score.tolist(), strict=True))


def test_a_definition_gains_from_its_file() -> None:
    """The file of two has 4 + .5 * 2 = 5 and the other 3, of a best of 4: half of 4 and of 2.4."""
    listing = Listing("definition", aggregation=0.5, file_share=0.5)

    assert shared([4, 2, 3], listing) == pytest.approx({"first": 6, "third": 4.2, "second": 4})


def test_the_share_of_a_file_can_turn_the_order() -> None:
    listing = Listing("definition", aggregation=1.0, file_share=1.0)

    assert list(shared([2.5, 2, 3], listing)) == ["first", "second", "third"]
    assert list(shared([2.5, 2, 3], Listing("definition"))) == ["third", "first", "second"]


def test_the_share_of_a_file_counts_from_the_mean() -> None:
    """The mean is 3: above it are 3, -1 and -2, and only the first file has anything to share."""
    listing = Listing("definition", aggregation=0.5, file_share=0.5)

    found = shared([6, 2, 1], listing, "mean")

    assert found == pytest.approx({"first": 7.5, "second": 3.5, "third": 1})


def test_files_without_any_score_share_nothing() -> None:
    listing = Listing("definition", aggregation=0.5, file_share=0.5)

    assert shared([0, 0, 0], listing) == {"first": 0, "second": 0, "third": 0}


@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_shares_out_of_range_are_refused(value: float) -> None:
    with pytest.raises(ListingError, match=f"file_share={value} is out of range; choose 0 to 1"):
        Listing("definition", file_share=value)
