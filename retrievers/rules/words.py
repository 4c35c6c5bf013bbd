"""Words of queries and paths that are compared, and words for tests."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from retrievers.lexical.stop_words import QUESTION_WORDS
from retrievers.lexical.tokenizers import tokenizer_named
from retrievers.reading import TEST_WORDS, read_query

_WORD = re.compile(r"\w+")
_SHORTEST = 2
_FRAMEWORK_WORDS = frozenset(("test", "testing", "pytest", "unittest", "doctest"))
_TEST_ENDINGS = frozenset(("spec", "specs"))
"""Endings of tests, if another word precedes them: `cart.spec.ts`, `cart_spec.rb`."""


def parts(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, with identifiers split."""
    for word in _WORD.findall(text):
        yield from _parts_of(word)


@lru_cache(maxsize=65536)
def _parts_of(word: str) -> tuple[str, ...]:
    tokens = tokenizer_named("identifier").expand(word)
    compound = len(tokens) > 1 and tokens[-1] == word.lower()
    return tokens[:-1] if compound else tokens


def stems(text: str) -> tuple[str, ...]:
    """Return the distinct stems of a text, without stop words and single letters."""
    found = (stem for part in parts(text) for stem in _stem(part))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=65536)
def _stem(part: str) -> tuple[str, ...]:
    if len(part) < _SHORTEST or part in QUESTION_WORDS:
        return ()
    return tokenizer_named("english").expand(part)


def speaks_of_tests(query: str) -> bool:
    """Whether a query is about tests, benchmarks or mocks."""
    return read_query(query).asks_for_tests


@lru_cache(maxsize=65536)
def is_test_path(path: str) -> bool:
    """Whether a path has a word for tests, benchmarks or mocks."""
    name = list(parts(PurePosixPath(path).stem))
    ends_so = len(name) > 1 and name[-1] in _TEST_ENDINGS
    return ends_so or not TEST_WORDS.isdisjoint(parts(path))


def is_testing_folder(name: str) -> bool:
    """Whether a folder may hold a testing framework: `tests` and `testdata` hold tests."""
    return not _FRAMEWORK_WORDS.isdisjoint(parts(name))
