"""Names in queries, and where they are defined."""

import numpy as np
import pytest

from retrievers.interface import Documents
from retrievers.lexical.identifiers import identifiers
from retrievers.rules.definitions import DefinedNames
from retrievers.source import Symbols, find_symbols

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


def symbols() -> Symbols:
    return find_symbols(Documents.of([("lib/shop.py", SHOP)]))


def begins(query: str, spans: list[tuple[int, int]]) -> list[bool]:
    """Return in which of these lines of the shop something begins that the query names."""
    start, end = np.array(spans).T
    document = np.zeros(len(spans), np.int64)
    found = DefinedNames(symbols()).begin_within(query, document, start, end)
    return [bool(one) for one in found]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where does totalPrice round", ("totalPrice",)),
        ("the HTTPServer class", ("HTTPServer",)),
        ("callers of total_price and _private", ("total_price", "_private")),
        ("what Cart.checkout returns", ("Cart.checkout",)),
        ("shop::Cart::add_line in C++", ("shop.Cart.add_line", "add_line")),
        ("Cart#checkout in Ruby", ("Cart.checkout",)),
        ("checkout", ("checkout",)),
        (" `checkout()`? ", ("checkout",)),
        ("Response of a plain sentence", ()),
        ("an underscore _ alone", ()),
        ("", ()),
        ("...", ()),
    ],
)
def test_identifiers_are_what_only_code_is_called(query: str, expected: tuple[str, ...]) -> None:
    assert identifiers(query) == expected


def test_a_name_is_found_where_its_definition_begins() -> None:
    spans = [(1, 4), (5, 9), (6, 14)]

    assert begins("where is CartLine", spans) == [True, False, False]
    assert begins("what total_price does", spans) == [False, True, False]
    assert begins("checkout", spans) == [False, False, True]


def test_names_are_exact() -> None:
    spans = [(1, 14)]

    assert begins("Checkout", spans) == [False]
    assert begins("the total_prices of a cart", spans) == [False]


def test_a_plain_word_in_a_sentence_is_no_name() -> None:
    assert begins("how does checkout work", [(1, 14)]) == [False]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what CartLine.names does", True),
        ("what lib.shop.CartLine.names does", True),
        ("what shop.names does", True),
        ("what Order.names does", False),
        ("what names.CartLine does", True),  # CartLine is a name by itself
        ("what names.checkout does", False),
    ],
)
def test_a_qualifier_must_stand_around_the_definition(query: str, expected: bool) -> None:
    assert begins(query, [(1, 14)]) == [expected]


def test_definitions_of_another_file_do_not_count() -> None:
    documents = Documents.of([("a.py", "def make_cart():\n    pass\n"), ("b.py", "x\n")])
    defined = DefinedNames(find_symbols(documents))

    found = defined.begin_within("make_cart", np.array([0, 1]), np.array([1, 1]), np.array([2, 2]))

    assert found.tolist() == [True, False]


def test_no_definitions_at_all_are_no_error() -> None:
    nothing = find_symbols(Documents.of([("notes.txt", "a\nb\n")]))

    assert DefinedNames(nothing).begin_within(
        "make_cart", np.array([0]), np.array([1]), np.array([2])
    ).tolist() == [False]
