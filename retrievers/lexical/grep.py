"""A keyword search like ripgrep's: the baseline that everyone knows.

Chunks are ordered by the number of distinct query words that they have, then by the total number
of occurrences, then by path. All words have the same weight.
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
    """Settings of the search. The defaults correspond to `rg --ignore-case --fixed-strings`."""

    match_case: bool = False
    whole_words: bool = False
    stop_words: bool = False
    """Whether words such as `the` and `where` are searched."""

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The texts of the chunks."""
        return DOCUMENTS, CHUNKS

    def index(self, read: ReadInput, /) -> "GrepIndex":
        """Return an index of the joined texts."""
        return GrepIndex(read(CHUNKS).all_shown(read(DOCUMENTS)), self)


class GrepIndex:
    """The joined texts of a repository's chunks."""

    def __init__(self, texts: Iterable[str], settings: Grep) -> None:
        self._texts = JoinedTexts(texts, match_case=settings.match_case)
        self._settings = settings

    def scores(self, query: str) -> Floats:
        """Return the distinct query words in each chunk, plus a fraction for their occurrences."""
        distinct = np.zeros(len(self._texts), np.int64)
        total = np.zeros(len(self._texts), np.int64)
        for word in keywords(query, self._settings):
            counts = self._texts.counts(word, whole=self._settings.whole_words)
            distinct += counts > 0
            total += counts
        return np.asarray(distinct + total / (1 + total.max(initial=0)), np.float32)


def keywords(query: str, settings: Grep) -> tuple[str, ...]:
    """Return the distinct words of a query that are searched, in order."""
    words = _WORD.findall(query)
    if not settings.stop_words:
        words = [word for word in words if word.lower() not in _NOT_ASKED_FOR]
    if not settings.match_case:
        words = [word.lower() for word in words]
    return tuple(dict.fromkeys(words))
