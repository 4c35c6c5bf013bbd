"""What stands above a chunk says where it is from, and changes nothing of its place."""

import numpy as np
import pytest

from retrievers.chunkers import Headers, Lines, Symbol, token_ends
from retrievers.interface import Chunks, Documents
from retrievers.source import Symbols, find_symbols

SHOP = """\
import os
from shop import goods


class Cart:
    limit = 3

    def add(self, good):
        self.goods.append(good)


def main():
    return Cart()
"""


@pytest.fixture(scope="module")
def shop() -> tuple[Documents, Symbols]:
    """Return a module and what it defines."""
    documents = Documents.of([("a.txt", "nothing\n"), ("shop/cart.py", SHOP)])
    return documents, find_symbols(documents)


def headed(shop: tuple[Documents, Symbols], headers: Headers) -> Chunks:
    """Return a chunk per definition with its header."""
    documents, symbols = shop
    chunks = Symbol(64).cut(documents, token_ends(documents), symbols)
    return headers.added(chunks, documents, symbols)


def test_a_path_stands_above_each_chunk(shop: tuple[Documents, Symbols]) -> None:
    chunks = headed(shop, Headers("path"))

    assert chunks.headers == ("a.txt\n", *["shop/cart.py\n"] * 3)


def test_a_scope_is_what_began_above_and_goes_on(shop: tuple[Documents, Symbols]) -> None:
    """The class of the method; not what the chunk itself begins with."""
    chunks = headed(shop, Headers("scope"))

    assert chunks.headers == (
        "a.txt\n",
        "shop/cart.py\n",
        "shop/cart.py\nclass Cart:\n",
        "shop/cart.py\n",
    )


def test_imports_are_those_that_the_chunk_does_not_show(shop: tuple[Documents, Symbols]) -> None:
    chunks = headed(shop, Headers("full"))

    imports = "import os\nfrom shop import goods\n"
    assert chunks.headers == (
        "a.txt\n",
        "shop/cart.py\n",
        f"shop/cart.py\n{imports}class Cart:\n",
        f"shop/cart.py\n{imports}",
    )


def test_a_header_is_shown_and_counted_but_is_no_text_of_the_file(
    shop: tuple[Documents, Symbols],
) -> None:
    documents, _ = shop
    bare = Symbol(64).cut(documents, token_ends(documents), shop[1])

    chunks = headed(shop, Headers("scope"))

    assert chunks.shown(2, documents) == chunks.headers[2] + bare.text(2, documents)
    assert list(chunks.texts(documents)) == list(bare.texts(documents))
    counted = [len(token_ends(Documents.of([("", text)])).ends) for text in chunks.headers]
    assert chunks.header_tokens.tolist() == counted
    places = [name for name in vars(bare) if not name.startswith("header")]
    assert all(np.array_equal(getattr(chunks, name), getattr(bare, name)) for name in places)


def test_no_chunks_have_no_headers() -> None:
    documents = Documents.of([])
    chunks = Lines().cut(documents, token_ends(documents))

    found = Headers("full").added(chunks, documents, find_symbols(documents))

    assert found.headers == ()
    assert found.header_tokens.dtype == np.int32
