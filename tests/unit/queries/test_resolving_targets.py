"""Where targets stand in the sample repository, and what is said of those that do not."""

from dataclasses import make_dataclass
from pathlib import Path

import numpy as np
import pytest

from bench.engine import Record
from bench.errors import FixtureError
from bench.queries.offsets import Offsets
from bench.queries.query import LEVELS, Query, Target
from bench.queries.readers import read_queries
from bench.queries.resolution import (
    finest_level,
    levels_of,
    resolution_problems,
    resolve,
)
from bench.queries.resolved import Judgements
from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols

SAMPLES = Path(__file__).parents[3] / "fixtures" / "samples"
Row = tuple[str, str, int, int, int]


@pytest.fixture(scope="module")
def documents() -> Documents:
    shop = SAMPLES / "shop"
    files = [path for path in shop.rglob("*") if path.suffix in (".py", ".md")]
    return Documents.of(
        [(path.relative_to(shop).as_posix(), path.read_text("utf-8")) for path in files]
    )


@pytest.fixture(scope="module")
def symbols(documents: Documents) -> Symbols:
    return find_symbols(documents)


def asking(*targets: Target) -> Query:
    return Query("q", "a question", targets)


def symbol(name: str, grade: int = 1) -> Target:
    return Target("symbol", symbol=name, grade=grade)


def rows(found: Judgements, documents: Documents) -> list[Row]:
    """Return level, path, first and last line, and grade of each row."""
    return [
        (
            LEVELS[level],
            documents.paths[document],
            *Offsets(documents, document).lines_of_bytes(start, end),
            grade,
        )
        for level, document, start, end, grade in zip(
            found.level.tolist(),
            found.document.tolist(),
            found.start_byte.tolist(),
            found.end_byte.tolist(),
            found.grade.tolist(),
            strict=True,
        )
    ]


def problem(target: Target, documents: Documents, symbols: Symbols) -> str:
    (found,) = resolution_problems([asking(target)], documents, symbols)
    return str(found)


CART, STORE = "src/shop/cart.py", "src/shop/storage/store.py"
ENGINE = "src/shop/storage/sql/engine.py"
NAMES = {
    "the whole name": ("src.shop.cart.Cart", CART, 9, 25),
    "its last parts": ("cart.Cart", CART, 9, 25),
    "the symbol alone": ("Cart", CART, 9, 25),
    "a type and its method": ("Store.find", STORE, 15, 17),
    "a package and a method, through its type": ("storage.find", STORE, 15, 17),
    "a package and a method, through a sub-package": ("storage.connect", ENGINE, 5, 6),
    "several parts of a package": ("shop.storage.SqlStore.save", ENGINE, 8, 9),
    "a path and a name": ("src/shop/cart.py::Cart.Line.price", CART, 24, 25),
    "a path and a name, with a dot": ("src/shop/cart.py.Cart", CART, 9, 25),
    "a path with backslashes": ("src\\shop\\cart.py::Cart", CART, 9, 25),
    "slashes for the package": ("shop/cart.Cart", CART, 9, 25),
    "something in a package's own file": ("shop.open_shop", "src/shop/__init__.py", 6, 7),
    "a nested function": ("add.check", CART, 37, 38),
    "a variable": ("cart.LIMIT", CART, 5, 5),
    "a property, which is its getter": ("Cart.total", CART, 15, 17),
    "overloads, which are their implementation": ("cart.add", CART, 36, 40),
}


@pytest.mark.parametrize(("name", "path", "start", "end"), NAMES.values(), ids=NAMES.keys())
def test_a_name_means_its_definition(
    name: str, path: str, start: int, end: int, documents: Documents, symbols: Symbols
) -> None:
    found = resolve([asking(symbol(name))], documents, symbols)

    assert ("symbol", path, start, end, 1) in rows(found, documents)
    assert found.level.tolist() == [0, 1]


@pytest.mark.parametrize("name", ["tore.find", "torage.find", "art.Cart", "cart.Car", "store"])
def test_a_part_of_a_word_means_nothing(name: str, documents: Documents, symbols: Symbols) -> None:
    assert "is not in the source" in problem(symbol(name), documents, symbols)


def test_a_strict_rule_wins_over_a_permissive_one() -> None:
    documents = Documents.of(
        [
            ("store.py", "def find(): ...\n"),
            ("lib/store.py", "class A:\n    def find(self): ...\n"),
        ]
    )

    found = resolve([asking(symbol("store.find"))], documents, find_symbols(documents))

    assert rows(found, documents)[-1] == ("symbol", "store.py", 1, 1, 1)


def test_a_package_and_a_symbol_may_not_share_a_part() -> None:
    documents = Documents.of([("p/q.py", "def f(): ...\n")])

    message = problem(symbol("q.q.f"), documents, find_symbols(documents))

    assert "is not in the source" in message


def test_a_name_with_too_many_meanings_is_a_problem_that_lists_them(
    documents: Documents, symbols: Symbols
) -> None:
    message = problem(symbol("save"), documents, symbols)

    assert "means 2 definitions" in message
    assert f"{STORE}::Store.save" in message
    assert f"{ENGINE}::SqlStore.save" in message


def test_what_an_ambiguous_name_is_told_to_say_resolves(
    documents: Documents, symbols: Symbols
) -> None:
    message = problem(symbol("save"), documents, symbols)

    for name in message.partition("say which: ")[2].split(", "):
        assert resolution_problems([asking(symbol(name))], documents, symbols) == ()


def test_more_meanings_can_be_allowed(documents: Documents, symbols: Symbols) -> None:
    found = resolve([asking(symbol("save"))], documents, symbols, most_matches=2)

    assert [row for row in rows(found, documents) if row[0] == "symbol"] == [
        ("symbol", ENGINE, 8, 9, 1),
        ("symbol", STORE, 19, 20, 1),
    ]


def test_a_miss_names_the_nearest_symbols_and_files(
    documents: Documents, symbols: Symbols
) -> None:
    assert "Cart.total" in problem(symbol("Cart.totel"), documents, symbols)
    assert CART in problem(Target("file", path="cart.py"), documents, symbols)
    assert CART in problem(Target("file", path="src/shop/card.py"), documents, symbols)
    assert "nothing has a name like it" in problem(symbol("qqqqqqq"), documents, symbols)


def test_lines_after_the_last_are_a_problem(documents: Documents, symbols: Symbols) -> None:
    message = problem(Target("span", path=CART, start=40, end=46), documents, symbols)

    assert "the file has 45" in message


def test_all_problems_are_in_one_error_a_line_each(documents: Documents, symbols: Symbols) -> None:
    queries = [
        Query("first", "?", (symbol("Cart"), symbol("Nothing"))),
        Query("second", "?", (Target("file", path="nowhere.py"),)),
    ]

    with pytest.raises(FixtureError) as caught:
        resolve(queries, documents, symbols)

    heading, first, second = caught.value.message.split("\n")
    assert "2" in heading
    assert "'first'" in first
    assert "'Nothing'" in first
    assert "'second'" in second
    assert "'nowhere.py'" in second


def test_a_file_target_is_the_whole_file_at_file_level_only(
    documents: Documents, symbols: Symbols
) -> None:
    found = resolve([asking(Target("file", path=".\\src\\shop\\cart.py"))], documents, symbols)

    assert rows(found, documents) == [("file", CART, 1, 45, 1)]


def test_a_span_is_itself_its_definition_and_its_file(
    documents: Documents, symbols: Symbols
) -> None:
    found = resolve([asking(Target("span", path=CART, start=38, end=38))], documents, symbols)

    assert rows(found, documents) == [
        ("file", CART, 1, 45, 1),
        ("symbol", CART, 37, 38, 1),
        ("span", CART, 38, 38, 1),
    ]


def test_a_span_over_two_methods_is_their_class(documents: Documents, symbols: Symbols) -> None:
    found = resolve([asking(Target("span", path=CART, start=13, end=16))], documents, symbols)

    assert rows(found, documents)[1] == ("symbol", CART, 9, 25, 1)


def test_a_span_on_a_variable_or_between_definitions_is_itself(
    documents: Documents, symbols: Symbols
) -> None:
    target = Target("span", path=CART, start=5, end=6)

    found = resolve([asking(target)], documents, symbols)

    assert rows(found, documents)[1] == ("symbol", CART, 5, 6, 1)


def test_a_span_in_a_file_of_no_language_is_itself(documents: Documents, symbols: Symbols) -> None:
    target = Target("span", path="README.md", start=1, end=1)

    found = resolve([asking(target)], documents, symbols)

    assert rows(found, documents) == [
        ("file", "README.md", 1, 3, 1),
        ("symbol", "README.md", 1, 1, 1),
        ("span", "README.md", 1, 1, 1),
    ]


def test_equal_places_merge_with_the_highest_grade(documents: Documents, symbols: Symbols) -> None:
    targets = (
        symbol("Store.find", 2),
        symbol("Store.save", 5),
        Target("span", path=STORE, start=16, end=16, grade=3),
        Target("file", path=STORE),
    )

    found = resolve([asking(*targets)], documents, symbols)

    assert rows(found, documents) == [
        ("file", STORE, 1, 20, 5),
        ("symbol", STORE, 15, 17, 3),
        ("symbol", STORE, 19, 20, 5),
        ("span", STORE, 16, 16, 3),
    ]


def test_rows_name_their_query_by_its_place(documents: Documents, symbols: Symbols) -> None:
    queries = read_queries(SAMPLES / "queries" / "shop.yaml")

    found = resolve(queries, documents, symbols)

    assert sorted(set(found.query.tolist())) == [0, 1]


def test_every_sample_query_stands_in_the_sample(documents: Documents, symbols: Symbols) -> None:
    queries = [
        query
        for name in ("shop.yaml", "tasks", "golden.jsonl", "spans.jsonl")
        for query in read_queries(SAMPLES / "queries" / name)
    ]

    assert len(queries) == 9
    assert resolution_problems(queries, documents, symbols) == ()


def test_queries_without_targets_resolve_to_nothing(
    documents: Documents, symbols: Symbols
) -> None:
    found = resolve([Query("q", "?", negative=True)], documents, symbols)

    assert len(found.query) == 0
    assert found.start_byte.dtype.name == "int32"


def test_places_that_were_stored_as_lines_are_not_read_as_bytes() -> None:
    """`rankgrid rescore` would otherwise compute wrong numbers from an old store."""
    columns = ("query", "level", "document", "start", "end", "grade", "choice")
    record = make_dataclass("Judgements", columns)
    old = Record(record).encode(record(*[np.zeros(1, np.int32)] * len(columns)))

    with pytest.raises(TypeError, match="unexpected keyword"):
        Record(Judgements).decode(old)


FILE, SYMBOL = Target("file", path="a"), Target("symbol", symbol="a")
SPAN = Target("span", path="a", start=1, end=1)


def test_a_query_has_its_targets_levels_and_all_coarser_ones() -> None:
    assert levels_of(asking(FILE)) == {"file"}
    assert levels_of(asking(SYMBOL)) == {"file", "symbol"}
    assert levels_of(asking(FILE, SPAN)) == {"file", "symbol", "span"}
    assert levels_of(Query("q", "?", negative=True)) == frozenset()


def test_the_finest_level_is_one_that_every_query_has() -> None:
    negative = Query("n", "?", negative=True)

    assert finest_level([asking(SPAN), asking(SPAN, FILE), negative]) == "span"
    assert finest_level([asking(SPAN), asking(SYMBOL)]) == "symbol"
    assert finest_level([asking(SPAN), asking(FILE)]) == "file"
    assert finest_level([negative]) == "file"
