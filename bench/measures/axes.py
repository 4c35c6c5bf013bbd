"""Units of text: positions of bytes and tokens, in tokens or in characters."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from bench.measures.characters import Characters
from bench.measures.ranges import Integers
from retrievers.interface import TokenEnds


class Axis(Protocol):
    """Unit in which the text of documents is measured."""

    def at(self, document: Integers, byte: Integers) -> Integers:
        """Return the amount of text before a byte of a document."""
        ...

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return the amount of text before a token of a document."""
        ...


@dataclass(frozen=True)
class InTokens:
    """Text in tokens. A token belongs to the byte in which it starts."""

    characters: Characters
    tokens: TokenEnds

    @cached_property
    def counts(self) -> Integers:
        """The number of tokens of each document."""
        return np.diff(self.tokens.stops, prepend=0)

    def at(self, document: Integers, byte: Integers) -> Integers:
        """Return the tokens that start before a byte."""
        ended = np.zeros(len(document), np.int64)
        order = np.argsort(document, kind="stable")
        # One document after the other: few of a repository are ranked or right.
        for rows in np.split(order, np.flatnonzero(np.diff(document[order])) + 1):
            if len(rows):
                ends = self.tokens.of(int(document[rows[0]]))
                ended[rows] = np.searchsorted(ends, byte[rows])
        return np.where(byte > 0, np.minimum(ended + 1, self.counts[document]), 0)

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return the number of tokens before a token, which is its own number."""
        return token

    def byte(self, document: Integers, token: Integers) -> Integers:
        """Return the byte of a document at which a token starts."""
        first = self.tokens.stops[document] - self.counts[document]
        if not len(self.tokens.ends):
            return np.zeros(len(document), np.int64)
        ends = np.take(self.tokens.ends, first + token - 1, mode="clip").astype(np.int64)
        return np.where(token > 0, ends, 0)


@dataclass(frozen=True)
class InCharacters:
    """Text in characters without white space. A character belongs to the token it begins in."""

    tokens: InTokens

    def at(self, document: Integers, byte: Integers) -> Integers:
        """Return the number of characters before a byte."""
        return self.tokens.characters.before(document, byte)

    def before(self, document: Integers, token: Integers) -> Integers:
        """Return the number of characters before a token."""
        return self.at(document, self.tokens.byte(document, token))


def whole(axis: Axis, characters: Characters, document: Integers) -> Integers:
    """Return the amount of text of a document."""
    return axis.at(document, characters.documents.ends[document] - characters.starts[document])
