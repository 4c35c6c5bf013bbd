"""What the words of a query have in common with the paths of a repository."""

from math import log, sqrt

import numpy as np
import pytest

from bench.engine import Record
from retrievers.interface import Documents
from retrievers.rules.paths import PathNames, PathWords
from retrievers.rules.words import is_test_path, speaks_of_tests, stems


def matches(paths: list[str], query: str) -> dict[str, float]:
    """Return how well each path and the query name each other."""
    documents = Documents.of([(path, "") for path in paths])
    found = PathNames(PathWords.of(documents)).matches(query)
    return dict(zip(documents.paths, found.tolist(), strict=True))


def test_words_are_taken_apart_stemmed_and_kept_once() -> None:
    query = "How does the HTTPServer's retry_policy handle retries?"

    assert stems(query) == ("http", "server", "retri", "polici", "handl")


def test_question_words_and_single_letters_name_nothing() -> None:
    assert stems("where is what I want, and why don't they do a b?") == ()


def test_a_name_counts_by_both_shares() -> None:
    """Of three paths one has "order" and "line", none has "print", whose weight is ln 8."""
    found = matches(
        ["lib/cart.py", "lib/order_line.py", "tools/order.py"], "how is the order line printed"
    )

    two, one, none = log(1 + 1.5 / 2.5), log(1 + 2.5 / 1.5), log(1 + 3.5 / 0.5)
    whole = two + one + none
    assert found == pytest.approx(
        {
            "lib/cart.py": 0.0,
            "lib/order_line.py": sqrt((two + one) / whole),
            "tools/order.py": sqrt(two / whole),
        }
    )


def test_half_of_a_name_is_half_of_its_share() -> None:
    """Both the name's share and the query's weight: √(½ · 1)."""
    found = matches(["order_line.py", "cart.py"], "order")

    assert found == pytest.approx({"order_line.py": sqrt(0.5), "cart.py": 0.0})


def test_the_folder_counts_for_the_query_but_not_without_the_name() -> None:
    found = matches(
        ["billing/invoice.py", "billing/report.py", "shop/invoice.py"], "billing invoice"
    )

    assert found["billing/invoice.py"] == pytest.approx(1.0)
    assert found["shop/invoice.py"] == pytest.approx(sqrt(0.5))
    assert found["billing/report.py"] == 0.0


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        ("auth.py", "authentication", 1.0),  # a name of four letters that the word begins with
        ("authentication.py", "auth", 1.0),  # and the reverse
        ("aut.py", "authentication", 0.0),  # three letters are too few
        ("ids.py", "id", 1.0),  # equal stems need no length
        ("container.py", "contract", 0.0),  # a common beginning alone is not a prefix
    ],
)
def test_words_are_alike_when_equal_or_one_begins_the_other(
    path: str, query: str, expected: float
) -> None:
    found = matches([path, "other.py"], query)

    assert found[path] == pytest.approx(expected)


def test_the_extension_is_no_part_of_a_name() -> None:
    assert matches(["main.go", "cart.rs"], "go rs") == {"main.go": 0.0, "cart.rs": 0.0}


def test_a_query_without_words_matches_nothing() -> None:
    assert matches(["a/cart.py"], "?!") == {"a/cart.py": 0.0}


def test_a_repository_without_files_has_no_matches() -> None:
    assert matches([], "cart") == {}


@pytest.mark.parametrize(
    "path",
    [
        "tests/cart.py",
        "src/test_cart.py",
        "src/CartTest.java",
        "pkg/cart_test.go",
        "src/__tests__/cart.js",
        "benches/cart.rs",
        "src/mocks/cart.ts",
        "web/cart.spec.ts",
        "models/cart_spec.rb",
    ],
)
def test_paths_of_tests_benchmarks_and_mocks_are_known(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize("path", ["src/latest.py", "contest/cart.py", "spec.py", "spec/cart.py"])
def test_words_that_only_look_like_tests_are_none(path: str) -> None:
    assert not is_test_path(path)


@pytest.mark.parametrize("query", ["where is the cart tested?", "test_cart", "mock of the clock"])
def test_a_query_that_speaks_of_tests_is_known(query: str) -> None:
    assert speaks_of_tests(query)


def test_a_query_about_the_latest_contest_does_not_speak_of_tests() -> None:
    assert not speaks_of_tests("the latest contest")


def test_path_words_keep_the_documents_of_each_word() -> None:
    documents = Documents.of([("shop/cart.py", ""), ("shop/shop_cart.py", "")])

    found = PathWords.of(documents)

    assert found.words == ("cart", "shop")
    assert np.split(found.in_stem, found.in_stem_stops[:-1])[0].tolist() == [0, 1]
    assert np.split(found.in_stem, found.in_stem_stops[:-1])[1].tolist() == [1]
    assert np.split(found.in_path, found.in_path_stops[:-1])[1].tolist() == [0, 1]
    assert found.stem_size.tolist() == [1, 2]


@pytest.mark.parametrize("path", ["shop/cart.py", "shop/basket.py"])
def test_words_of_a_later_commit_are_those_of_its_files(path: str) -> None:
    """Paths often stay the same, but a file may become another kind."""
    before = PathWords.of(Documents.of([("shop/cart.py", "a = 1\n"), ("shop/post.py", "b = 2\n")]))
    now = Documents.of([(path, "# do not edit\n"), ("shop/post.py", "b = 2\n")])

    found, expected = before.updated(now), PathWords.of(now)

    assert Record(PathWords).encode(found) == Record(PathWords).encode(expected)
