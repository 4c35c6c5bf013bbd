"""The number of occurrences of each word in each chunk: the data of lexical retrieval.

The counts depend on the tokenizer only, so a grid over weights counts the words once.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from retrievers.interface import Integers
from retrievers.lexical.tokenizers import Tokenizer, TokenizerName, tokenizer_named

Counts = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Postings:
    """For each term, the chunks with it, in order, and its number of occurrences in each."""

    tokenizer: TokenizerName
    vocabulary: tuple[str, ...]
    """The terms, each once."""
    stops: Integers
    """For each term, the number of postings of this term and all terms before it."""
    chunk: Counts
    frequency: Counts
    lengths: Counts
    """For each chunk, the number of its tokens."""

    @cached_property
    def terms(self) -> dict[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.vocabulary)}

    def of_term(self, term: int) -> slice:
        """Return the rows of the postings of a term."""
        return slice(int(self.stops[term - 1]) if term else 0, int(self.stops[term]))


def count_words(texts: Iterable[str], tokenizer: TokenizerName) -> Postings:
    """Return the postings of chunks, given the text of each chunk."""
    lately = _lately(tokenizer)
    found = [lately.numbers(text) for text in texts]
    lengths = np.array([len(tokens) for tokens in found], np.int32)
    tokens, terms = lately.renumbered(np.concatenate([np.zeros(0, np.int32), *found]))
    pairs, frequency = _counted(tokens.astype(np.int64) * max(len(lengths), 1) + owners(lengths))
    term, chunk = np.divmod(pairs, max(len(lengths), 1))
    return Postings(
        tokenizer=tokenizer,
        vocabulary=terms,
        stops=np.cumsum(np.bincount(term, minlength=len(terms)), dtype=np.int64),
        chunk=chunk.astype(np.int32),
        frequency=frequency,
        lengths=lengths,
    )


def grouped(postings: Postings, group: Integers) -> Postings:
    """Return postings in which a group of chunks is one text; `group` has a number per chunk."""
    groups = int(group.max(initial=-1)) + 1
    term = np.repeat(np.arange(len(postings.vocabulary)), np.diff(postings.stops, prepend=0))
    pairs, place = np.unique(term * groups + group[postings.chunk], return_inverse=True)
    term, chunk = np.divmod(pairs, max(groups, 1))
    return Postings(
        tokenizer=postings.tokenizer,
        vocabulary=postings.vocabulary,
        stops=np.cumsum(np.bincount(term, minlength=len(postings.vocabulary)), dtype=np.int64),
        chunk=chunk.astype(np.int32),
        frequency=np.bincount(place, postings.frequency, len(pairs)).astype(np.int32),
        lengths=np.bincount(group, postings.lengths, groups).astype(np.int32),
    )


_MOST_TERMS, _MOST_TOKENS = 500_000, 8_000_000
_MOST_OTHER_TOKENS = 4_000_000
"""Tokens of other tokenizers beyond which the texts of the one used longest ago are forgotten."""


class _Lately:
    """A cache of the tokens of recent texts in this process, as numbers of terms.

    The next commit of a repository or the next chunker has mostly the same texts.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._terms = _Terms()
        self._words = _Numbers(tokenizer, self._terms)
        self._texts: dict[bytes, Counts] = {}
        self.tokens = 0

    @property
    def is_full(self) -> bool:
        return len(self._terms) > _MOST_TERMS or self.tokens > _MOST_TOKENS

    def numbers(self, text: str) -> Counts:
        """Return the number of each of a text's tokens."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        found = self._texts.get(key)
        if found is None:
            found = self._texts[key] = self._words.of(text)
            self.tokens += len(found)
        return found

    def renumbered(self, tokens: Counts) -> tuple[Counts, tuple[str, ...]]:
        """Return tokens with numbers in the order of first occurrence, and the terms of these."""
        # Assigned from last to first, so that the first occurrence of each term remains.
        first = np.full(len(self._terms), len(tokens))
        first[tokens[::-1]] = np.arange(len(tokens))[::-1]
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(tokens))]
        own = np.zeros(len(first), np.int32)
        own[order] = np.arange(len(order), dtype=np.int32)
        names = list(self._terms)
        return own[tokens], tuple(names[number] for number in order.tolist())


_LATELY: dict[str, _Lately] = {}


def _lately(tokenizer: TokenizerName) -> _Lately:
    """Return the cache of a tokenizer; a new one if the old one is full."""
    known = _LATELY.pop(tokenizer, None)
    while sum(other.tokens for other in _LATELY.values()) > _MOST_OTHER_TOKENS:
        del _LATELY[next(iter(_LATELY))]
    if known is None or known.is_full:
        known = _Lately(tokenizer_named(tokenizer))
    _LATELY[tokenizer] = known
    return known


class _Terms(dict[str, int]):
    """The number of each term, in the order of first use."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class _Numbers(dict[str, tuple[int, ...]]):
    """The numbers of the terms of each word, computed at its first use."""

    def __init__(self, tokenizer: Tokenizer, terms: _Terms) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._terms = terms

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self[word] = tuple(map(self._terms.__getitem__, self._tokenizer.expand(word)))
        return found

    def of(self, text: str) -> Counts:
        """Return the numbers of a text's tokens."""
        words = map(self.__getitem__, self._tokenizer.find(text))
        return np.fromiter(chain.from_iterable(words), np.int32)


def owners(lengths: Counts) -> Counts:
    """Return the chunk of each token."""
    return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)


def _counted(values: Integers) -> tuple[Integers, Counts]:
    """Return the sorted distinct values and their counts. Sorts `values` in place."""
    values.sort()
    first = np.flatnonzero(np.diff(values, prepend=-1))
    return values[first], np.diff(first, append=len(values)).astype(np.int32)
