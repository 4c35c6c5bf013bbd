"""Texts of expressions as paths, and of types as what a value has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.interface import Documents
from retrievers.source import find_edges, find_symbols
from retrievers.source.edges.expressions import expanded, path_of, type_of, types_in


def test_of_an_expression_beyond_measure_only_the_last_name_is_read() -> None:
    assert path_of("a" + ".b" * 50_000 + ".last") == ("?", "last")


def test_no_expression_is_remembered_after_a_search_for_edges() -> None:
    """A process would keep most of the memory of a large repository's facts."""
    documents = Documents.of(
        [("a.py", "import b\n\n\ndef f(x: b.Y) -> int:\n    return b.g(x)\n")]
    )
    path_of("left")

    find_edges(documents, find_symbols(documents))

    assert [known.cache_info().currsize for known in (path_of, type_of, types_in)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("name", ("name",)),
        ("self.store.open(path, 'a)b').read", ("self", "store", "open", "()", "read")),
        ("a?.b!.c", ("a", "b", "c")),
        ("(await open(x)).read", ("open", "()", "read")),
        ("new Cart(1).total", ("Cart", "()", "total")),
        ("Store::<u8>::new", ("Store", "new")),
        ("open()?.run", ("open", "()", "run")),
        ("rows[0].name", ("rows", "[]", "name")),
        ("List<Item>.of", ("List", "of")),
        ("&Store{size: 1}", ("Store", "()")),
        ("p->next->run", ("p", "next", "run")),
        ("ns::inner::f", ("ns", "inner", "f")),
        ("@store.put", ("@store", "put")),
        ("empty?", ("empty?",)),
        ("new", ("new",)),
        ('"text".join', ("?", "join")),
        ("a + b", ("?",)),
        ("", ("?",)),
        ("(a", ("?",)),
        ("größe.wert", ("größe", "wert")),
    ],
)
def test_an_expression_is_a_path(text: str, path: tuple[str, ...]) -> None:
    assert path_of(text) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Cart", ("Cart",)),
        ('"Cart"', ("Cart",)),
        ("Cart | None", ("Cart",)),
        ("Optional[shop.Cart]", ("shop", "Cart")),
        ("Option<Box<Cart>>", ("Cart",)),
        ("&'a mut Cart<T>", ("Cart",)),
        ("*store.Cart", ("store", "Cart")),
        ("(*Cart, error)", ("Cart",)),
        ("const Cart &", ("Cart",)),
        ("struct cart *", ("cart",)),
        ("list[Cart]", ("list",)),
        ("Cart[]", ("?",)),
        ("Cart | Order", ("?",)),
        ("() => Cart", ("?",)),
        ("fn(u32) -> u32", ("?",)),
    ],
)
def test_an_annotation_names_the_type_of_a_value(text: str, path: tuple[str, ...]) -> None:
    assert type_of(text, ("Optional", "Option", "Box")) == path


def test_every_name_in_a_type_is_mentioned_once() -> None:
    assert types_in("dict[str, shop.Cart | Cart]") == (
        ("dict",),
        ("str",),
        ("shop", "Cart"),
        ("Cart",),
    )


def test_a_tree_of_names_is_expanded() -> None:
    assert expanded("a::{self, b as c, d::{e, f::*}}") == [
        (("a",), "a"),
        (("a", "b"), "c"),
        (("a", "d", "e"), "e"),
        (("a", "d", "f", "*"), "*"),
    ]


@given(st.text(alphabet="ab.:?!<>()[]{}\"'`&* \n\\|,", max_size=60))
def test_any_text_is_some_path_and_some_type(text: str) -> None:
    assert path_of(text)
    assert type_of(text, ())
    assert all(path for path, _ in expanded(text))
