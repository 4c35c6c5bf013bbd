"""Names in queries, and which chunks declare them."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.interface import Chunks, Documents
from retrievers.reading import identifiers
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
    lines = [0, *(len("".join(SHOP.splitlines(keepends=True)[: n + 1])) for n in range(14))]
    chunks = pieces([(0, lines[start - 1], lines[end]) for start, end in spans])
    defined = DefinedNames(symbols(), chunks)
    found = {chunk for name in identifiers(query) for chunk in defined.called(name)[0]}
    return [chunk in found for chunk in range(len(spans))]


def pieces(rows: list[tuple[int, int, int]]) -> Chunks:
    """Return chunks of these documents and offsets."""
    document, start, end = np.array(rows, np.int32).T
    none = np.zeros(len(rows), np.int32)
    return Chunks(document, start, end, none, none, none, none)


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
    defined = DefinedNames(find_symbols(documents), pieces([(0, 0, 26), (1, 0, 2)]))

    assert defined.called("make_cart")[0] == [0]


def test_a_chunk_that_begins_or_ends_in_the_line_of_a_definition_declares_what_it_has() -> None:
    """Its lines are those of the definition, its text is not."""
    documents = Documents.of([("a.py", "x = 1; y_z = 2; total_price = 3\n")])
    defined = DefinedNames(find_symbols(documents), pieces([(0, 0, 7), (0, 7, 20), (0, 20, 32)]))

    assert defined.called("y_z")[0] == [1]
    assert defined.called("total_price")[0] == []


def test_a_chunk_that_ends_before_the_name_does_not_declare_it() -> None:
    text = "# about it\n@cached\ndef make_cart():\n    pass\n"
    name = text.index("make_cart")
    documents = Documents.of([("a.py", text)])
    defined = DefinedNames(
        find_symbols(documents), pieces([(0, 0, name - 4), (0, name - 4, len(text))])
    )

    assert defined.called("make_cart")[0] == [1]


def test_a_qualifier_outside_of_the_chunk_counts_where_the_header_has_it() -> None:
    """The class is above the chunk; its path is what every chunk knows."""
    start = SHOP.index("    def names")
    chunks = pieces([(0, start, len(SHOP))])
    headed = replace(chunks, headers=("lib/shop.py\nclass CartLine\n",))

    assert DefinedNames(symbols(), chunks).called("CartLine.names")[0] == []
    assert DefinedNames(symbols(), chunks).called("shop.names")[0] == [0]
    assert DefinedNames(symbols(), headed).called("CartLine.names")[0] == [0]


def test_equal_names_in_several_files_are_several_things() -> None:
    documents = Documents.of(
        [("a.py", "def go():\n    pass\n"), ("b.py", "def go():\n    pass\n")]
    )
    defined = DefinedNames(find_symbols(documents), pieces([(0, 0, 19), (1, 0, 19)]))

    assert defined.called("go") == ([0, 1], 2)
    assert defined.called("a.go") == ([0], 1)


def test_no_definitions_at_all_are_no_error() -> None:
    nothing = find_symbols(Documents.of([("notes.txt", "a\nb\n")]))

    assert DefinedNames(nothing, pieces([(0, 0, 4)])).called("make_cart")[0] == []
