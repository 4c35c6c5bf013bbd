"""Words for tests, benchmarks and mocks, in paths and in queries."""

import re
from collections.abc import Iterator

TEST_WORDS = frozenset(
    re.findall(
        r"\w+",
        "test tests tested tester testers testing testcase testcases testdata testlib testutil "
        "testutils unittest unittests pytest conftest doctest doctests bench benches benched "
        "benchmark benchmarks benchmarked benchmarking mock mocks mocked mocking",
    )
)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def has_test_word(text: str) -> bool:
    """Whether a text has a word for tests, alone or in a name."""
    return not TEST_WORDS.isdisjoint(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    return (piece.lower() for piece in _PIECE.findall(text))
