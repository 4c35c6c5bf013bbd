"""Names: every tier, when it is asked, its order and its limits."""

import numpy as np
import pytest

from retrievers.errors import LexicalError
from retrievers.interface import Chunks, Documents
from retrievers.lexical import Names, NamesIndex, NameTable, Tier, tiered
from retrievers.lexical.names import words_of
from retrievers.source import find_symbols

ROWS = [
    ("shop.cart.Cart.total", "shop/cart.py"),
    ("shop.cart.Cart.total_price", "shop/cart.py"),
    ("shop.orders.total", "shop/orders.py"),
    ("shop.orders.subtotals", "shop/orders.py"),
    ("billing.invoice.Sum", "billing/invoice.py"),
]
TABLE = NameTable([name for name, _ in ROWS], [path for _, path in ROWS])


def test_exact_names_come_before_names_that_begin_so() -> None:
    """Of equal names the shorter qualified name first; a few results open the next tier."""
    found = tiered(TABLE, ["Total"], [], Names(tiers=("exact", "prefix")))

    assert found == {2: "exact", 0: "exact", 1: "prefix"}
    assert list(found) == [2, 0, 1]


def test_few_results_open_substrings_of_qualified_names_then_paths() -> None:
    found = tiered(TABLE, ["total"], ["billing"], Names())

    assert found == {
        2: "exact",
        0: "exact",
        1: "prefix",
        4: "substring",
        3: "substring",
    }


def test_folders_and_file_stems_are_the_last_tier() -> None:
    found = tiered(TABLE, [], ["billing"], Names(tiers=("path",)))

    assert found == {4: "path"}
    assert tiered(TABLE, ["orders"], [], Names(tiers=("path",))) == {2: "path", 3: "path"}
    assert tiered(TABLE, ["orders.py"], [], Names(tiers=("path",))) == {2: "path", 3: "path"}


def test_a_qualifier_must_stand_right_before_the_name() -> None:
    exact = Names(tiers=("exact",))

    assert list(tiered(TABLE, ["Cart.total"], [], exact)) == [0]
    assert list(tiered(TABLE, ["cart::Cart::total"], [], exact)) == [0]
    assert list(tiered(TABLE, ["shop.total"], [], exact)) == []


def test_words_are_a_fallback_for_what_is_named() -> None:
    """With one result at hand and none needed, the other words are not asked for."""
    exact: tuple[Tier, ...] = ("exact",)

    enough = tiered(TABLE, ["Sum"], ["total"], Names(tiers=exact, fallback_below=1))
    too_few = tiered(TABLE, ["Sum"], ["total"], Names(tiers=exact, fallback_below=2))

    assert list(enough) == [4]
    assert list(too_few) == [4, 2, 0]


def test_of_two_keywords_the_one_that_finds_fewer_comes_first() -> None:
    exact = Names(tiers=("exact",))

    assert list(tiered(TABLE, ["total", "sum"], [], exact)) == [4, 2, 0]


def test_only_eligible_rows_are_found() -> None:
    eligible = [True, True, False, True, True]

    found = tiered(TABLE, ["total"], [], Names(prefix_limit=2), eligible=eligible)

    assert list(found)[:2] == [0, 1]
    assert 2 not in found


def test_names_that_more_keywords_find_come_first() -> None:
    found = tiered(TABLE, [], ["orders", "total"], Names(tiers=("substring",)))

    assert list(found) == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Names(tiers=("exact", "prefix"), prefix_below=2), [2, 0]),
        (Names(tiers=("exact", "prefix"), prefix_limit=2), [2, 0]),
        (Names(tiers=("substring",), substring_limit=1), [2]),
        (Names(tiers=("substring",), substring_letters=6), []),
        (Names(tiers=("substring",), substring_below=0), []),
    ],
)
def test_tiers_keep_to_their_limits(settings: Names, expected: list[int]) -> None:
    assert list(tiered(TABLE, ["total"], [], settings)) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Names(tiers=("path",), path_limit=1), [2]),
        (Names(tiers=("path",), path_letters=7), []),
        (Names(tiers=("path",), path_below=0), []),
    ],
)
def test_the_tier_of_paths_keeps_to_its_limits(settings: Names, expected: list[int]) -> None:
    assert list(tiered(TABLE, ["orders"], [], settings)) == expected


def test_the_words_of_a_query_are_longest_first_without_those_of_questions() -> None:
    assert words_of("Where is the CartLine of a shop?") == ("cartline", "cart", "line", "shop")


def test_a_chunk_scores_by_the_best_name_that_begins_in_it() -> None:
    source = "def total(): ...\ndef total_price(): ...\n# nothing\n"
    documents = Documents.of([("shop.py", source)])
    cuts = np.array([0, source.index("def total_price"), source.index("#"), len(source)])
    none = np.zeros(3, np.int32)
    begin, end = cuts[:-1].astype(np.int32), cuts[1:].astype(np.int32)
    chunks = Chunks(none, begin, end, none, none, none, none)
    index = NamesIndex(find_symbols(documents), documents, chunks, Names())

    scores = index.scores("total")

    assert scores.tolist() == [1, 0.5, 0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tiers": ("exact", "fuzzy")}, "tiers=exact,fuzzy is not known; choose some of exact"),
        ({"tiers": ()}, "tiers=nothing is not known"),
        ({"path_limit": -1}, "path_limit=-1 is out of range; choose 0 or more"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(LexicalError, match=message):
        Names(**wrong)  # type: ignore[arg-type]
