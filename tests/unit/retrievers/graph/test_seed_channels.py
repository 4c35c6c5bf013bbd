"""Each channel by itself, on a small shop."""

from pathlib import PurePosixPath

import numpy as np
import pytest

from retrievers.errors import SeedError
from retrievers.graph import CodeGraph, Keywords
from retrievers.graph.seeding import BM25Seeds, PathSeeds
from retrievers.graph.seeding.bm25 import BM25Channel
from retrievers.graph.seeding.channel import Asked, Channel
from retrievers.graph.seeding.keywords import extract_keywords
from retrievers.graph.seeding.paths import PathChannel, segments
from retrievers.graph.seeding.terms import path_terms
from retrievers.graph.seeding.text import TextChannel, TextSeeds
from retrievers.graph.seeding.texts import own_lines
from retrievers.graph.seeding.thesaurus import related
from retrievers.graph.seeding.tiered import TieredChannel, TieredSeeds
from retrievers.interface import Documents
from retrievers.lexical import BM25, BM25Index, Fields, count_words
from tests.unit.retrievers.graph.small_sources import graph_of, seed_texts

CART = '''\
class CartLine:
    """One thing that a customer wants."""

    def total_price(self):
        return self.amount * price_of(self.thing)


class Empty:
    """Nothing."""


def price_of(thing):
    """Look up what a thing costs."""
'''
MIGRATIONS = '''\
def apply_all():
    """Bring a store to the latest shape."""


class Operation:
    def forwards(self): ...
'''
DOCUMENTS = Documents.of([("shop/cart.py", CART), ("shop/migrations/steps.py", MIGRATIONS)])
EVERY = np.ones(100, bool)
LINE, TOTAL, EMPTY, PRICE, APPLY, OPERATION, FORWARDS = range(7)


def shop() -> CodeGraph:
    return graph_of(DOCUMENTS)


def asked(task: str, **earlier: list[int]) -> Asked:
    found = {name: dict.fromkeys(nodes, 1.0) for name, nodes in earlier.items()}
    return Asked(task, extract_keywords(task), EVERY, found)


def found(channel: Channel, task: str) -> list[int]:
    return list(channel.find(asked(task)))


def named(channel: Channel, compound: str) -> list[int]:
    """Return what is found for a compound without its parts."""
    return list(channel.find(Asked(compound, Keywords(compounds=(compound,)), EVERY)))


def bm25(settings: BM25Seeds) -> Channel:
    return BM25Channel(seed_texts(shop(), DOCUMENTS, settings), settings)


PLAIN = BM25Seeds(
    fields=Fields(body=0.0), thesaurus=False, phrases=False, path_terms=False, decompose=False
)


def test_the_shop_has_the_symbols_that_these_tests_speak_of() -> None:
    names = [name.rpartition(".")[2] for name in shop().names[: shop().symbol_count]]

    assert names == [
        "CartLine",
        "total_price",
        "Empty",
        "price_of",
        "apply_all",
        "Operation",
        "forwards",
    ]


def test_tiers_ask_for_compounds_before_their_parts() -> None:
    """`total` would be a prefix of total_price; the compound is there, and one is enough."""
    names = TieredSeeds(tiers=("exact", "prefix"), fallback_below=1)
    channel = TieredChannel(shop(), names)

    assert found(channel, "why is `total_price` total") == [TOTAL]
    assert found(channel, "the cart") == [LINE]


def test_what_only_single_words_find_counts_a_share() -> None:
    """`Empty` is quoted; `forwards` is a word of the sentence that a name happens to be."""
    channel = TieredChannel(shop(), TieredSeeds(tiers=("exact",), word_share=0.25))

    assert channel.find(asked("`Empty` goes forwards")) == {EMPTY: 1.0, FORWARDS: 0.25}


def test_words_are_found_in_docs() -> None:
    assert found(bm25(PLAIN), "what the customer wants") == [LINE]


def test_bodies_are_searched_when_they_have_a_weight() -> None:
    """A body is what is not in a definition inside."""
    with_body = BM25Seeds(thesaurus=False, phrases=False, path_terms=False)

    assert found(bm25(PLAIN), "amount") == []
    assert found(bm25(with_body), "amount") == [TOTAL]


def test_a_compound_is_asked_for_in_names_only() -> None:
    """A doc has `customer`; of names, only one has both segments."""
    assert named(bm25(PLAIN), "customer") == []
    assert named(bm25(PLAIN), "CartLine.total_price") == [TOTAL]
    assert named(bm25(PLAIN), "Empty.total_price") == []


def test_compounds_that_nothing_is_called_are_taken_apart() -> None:
    apart = BM25Seeds(thesaurus=False, phrases=False, path_terms=False)

    assert set(named(bm25(apart), "Basket.priceList")) == {PRICE, TOTAL}
    assert named(bm25(PLAIN), "Basket.priceList") == []


def test_compounds_that_are_only_hinted_at_stay_whole() -> None:
    """`price_list` is made of two words of the task; no doc or name has `list`."""
    apart = BM25Seeds(thesaurus=False, phrases=False, path_terms=False)
    hinted = Asked("a price list", Keywords(compounds=("price_list",)), EVERY)

    assert list(BM25Channel(seed_texts(shop(), DOCUMENTS), apart).find(hinted)) == []


def test_words_side_by_side_count_once_more() -> None:
    """Both docs have both words or their likes; only one has them next to each other."""
    texts = seed_texts(shop(), DOCUMENTS, PLAIN)
    pair, apart = '"latest shape"', '"shape latest"'

    table = BM25Channel(texts, PLAIN)._table

    assert np.flatnonzero(table.scores(pair)).tolist() == [APPLY]
    assert table.scores(apart).sum() == 0
    assert '"latest shape"' in list(
        BM25Channel(seed_texts(shop(), DOCUMENTS), BM25Seeds())._expressions(asked("latest shape"))
    )


def test_words_of_paths_count_as_beginnings() -> None:
    """The folder is called migrations."""
    by_path = BM25Seeds(thesaurus=False, phrases=False, decompose=False)

    assert found(bm25(PLAIN), "the migra") == []
    assert set(found(bm25(by_path), "the migra")) == {APPLY, OPERATION, FORWARDS}


def test_words_that_mean_the_same_are_asked_for_too() -> None:
    wide = BM25Seeds(phrases=False, path_terms=False, decompose=False)

    assert found(bm25(PLAIN), "retrieve") == []
    assert "listener" in related(["consumer"])
    assert "consumer" not in related(["consumer"])
    assert set(found(bm25(wide), "an upgrade of the store schema")) >= {APPLY}
    assert related(["xyzzy"]) == ()


def test_only_eligible_symbols_are_found_and_fill_no_place() -> None:
    task, eligible = "customer thing", np.arange(100) != LINE
    one = BM25Seeds(limit=1)
    channel = BM25Channel(seed_texts(shop(), DOCUMENTS), one)

    everyone = channel.find(Asked(task, extract_keywords(task), EVERY))
    others = channel.find(Asked(task, extract_keywords(task), eligible))

    assert list(everyone) == [LINE]
    assert list(others) not in ([LINE], [])


def test_whole_texts_are_weighed_by_plain_bm25() -> None:
    """The scores are those of BM25 over the stems of name, path and own lines."""
    graph, texts = shop(), seed_texts(shop(), DOCUMENTS)
    whole = [
        f"{graph.names[node]} {graph.path(node)} {lines}"
        for node, lines in enumerate(own_lines(graph, DOCUMENTS))
    ]
    oracle = BM25Index(count_words(whole, "stemmed"), BM25("stemmed")).scores("price thing")

    alone = TextSeeds(limit=3, file_share=0)
    found = TextChannel(shop(), texts, alone).find(asked("price of the thing"))

    assert list(found) == np.argsort(-oracle, kind="stable")[:3].tolist()


def test_the_words_of_a_file_count_for_every_symbol_in_it() -> None:
    first = "def f():\n    apple\n\n\ndef g():\n    pear, ham, egg\n"
    documents = Documents.of([("a.py", first), ("b.py", "def h():\n    pear\n")])
    graph = graph_of(documents)
    texts = seed_texts(graph, documents)

    def best(share: float) -> list[str]:
        channel = TextChannel(graph, texts, TextSeeds(file_share=share))
        return [graph.names[node] for node in channel.find(asked("apples and pears"))]

    assert best(0) == ["a.f", "b.h", "a.g"]
    assert best(1) == ["a.f", "a.g", "b.h"]


def test_words_are_found_in_other_forms() -> None:
    channel = BM25Channel(seed_texts(shop(), DOCUMENTS), BM25Seeds())

    assert found(channel, "pricing") == found(channel, "price") != []


def test_no_more_are_found_than_the_limit() -> None:
    assert len(found(bm25(BM25Seeds(limit=2)), "shop")) == 2


def test_a_path_gives_types_with_methods_first() -> None:
    channel = PathChannel(shop(), PathSeeds())

    assert found(channel, "fix the migration operation") == [OPERATION, APPLY, FORWARDS]
    assert found(channel, "the cart") == [LINE, EMPTY, TOTAL, PRICE]
    assert found(channel, "prices of things") == []


def test_types_whose_methods_are_named_come_before_other_types() -> None:
    source = "class A:\n    def x(self): ...\n\n\nclass B:\n    def coordinate(self): ...\n"
    channel = PathChannel(graph_of(Documents.of([("group/all.py", source)])), PathSeeds())

    nodes = found(channel, "group `coordinate`")

    assert nodes[:2] == [2, 0]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (PathSeeds(types_with_methods=0), [EMPTY, TOTAL, PRICE]),
        (PathSeeds(types_without=0, others=1), [LINE, TOTAL]),
        (PathSeeds(limit=2), [LINE, EMPTY]),
        (PathSeeds(letters=5), []),
    ],
)
def test_paths_keep_to_their_limits(settings: PathSeeds, expected: list[int]) -> None:
    assert found(PathChannel(shop(), settings), "the cart") == expected


def test_terms_are_in_the_singular_and_say_something() -> None:
    assert path_terms("Add migrations for the class of code in db", 4) == ("migration",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BM25Seeds(limit=0), "limit=0 is out of range; choose 1 or more"),
        (lambda: TieredSeeds(word_share=2), "word_share=2 is out of range; choose 0 to 1"),
        (lambda: TextSeeds(limit=0), "limit=0 is out of range; choose 1 or more"),
        (lambda: TextSeeds(file_share=-1), "file_share=-1 is not a weight; use 0 or more"),
        (lambda: PathSeeds(others=-1), "others=-1 is out of range; choose 0 or more"),
    ],
)
def test_settings_that_cannot_be_are_refused(make: object, message: str) -> None:
    with pytest.raises(SeedError, match=message):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    "path",
    ["Shop/cart.py", "a/b/c.test.js", "Makefile", ".env", "a/.gitignore", "x.", "a..b", "…"],
)
def test_folders_and_the_name_without_its_ending_are_what_a_path_is_called(path: str) -> None:
    place = PurePosixPath(path.lower())

    assert segments(path) == {*place.parts[:-1], place.stem}
