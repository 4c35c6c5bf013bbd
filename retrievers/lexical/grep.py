"""What a search for keywords with ripgrep gives: the floor that everyone knows.

Chunks come in the order of how many of the query's words they have, then of how often, then
of their paths. No word is rarer or worth more than another.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrievers.interface import CHUNKS, DOCUMENTS, Floats, IndexRetriever, Input, ReadInput
from retrievers.lexical.joined_texts import JoinedTexts
from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS

_WORD = re.compile(r"\w+")
_NOT_ASKED_FOR = STOP_WORDS | QUESTION_WORDS


@dataclass(frozen=True)
class Grep(IndexRetriever):
    """How words are looked for: as `rg --ignore-case --fixed-strings` does, unless said so."""

    match_case: bool = False
    whole_words: bool = False
    stop_words: bool = False
    """Whether words such as `the` and `where` are looked for."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks."""
        return DOCUMENTS, CHUNKS

    def index(self, read: ReadInput, /) -> "GrepIndex":
        """Lay the texts end to end."""
        return GrepIndex(read(CHUNKS).all_shown(read(DOCUMENTS)), self)


class GrepIndex:
    """Chunks, ready to be scored by the keywords in them."""

    def __init__(self, texts: Iterable[str], settings: Grep) -> None:
        self._texts = JoinedTexts(texts, match_case=settings.match_case)
        self._settings = settings

    def scores(self, query: str) -> Floats:
        """Return how many of the query's words each chunk has, and below 1 how often."""
        distinct = np.zeros(len(self._texts), np.int64)
        total = np.zeros(len(self._texts), np.int64)
        for word in keywords(query, self._settings):
            counts = self._texts.counts(word, whole=self._settings.whole_words)
            distinct += counts > 0
            total += counts
        return np.asarray(distinct + total / (1 + total.max(initial=0)), np.float32)


def keywords(query: str, settings: Grep) -> tuple[str, ...]:
    """Return the distinct words of a query that are looked for, in order."""
    words = _WORD.findall(query)
    if not settings.stop_words:
        words = [word for word in words if word.lower() not in _NOT_ASKED_FOR]
    if not settings.match_case:
        words = [word.lower() for word in words]
    return tuple(dict.fromkeys(words))
