"""Texts laid end to end, so that one pass finds a word in all of them."""

import re
from collections.abc import Iterable

import numpy as np

from retrievers.interface import Integers

_LETTER = rb"[0-9A-Za-z_\x80-\xff]"


class Haystack:
    """Texts in which words are counted, as parts of longer words or standing alone."""

    def __init__(self, texts: Iterable[str], *, match_case: bool = False) -> None:
        self._match_case = match_case
        # No word has the line break that parts the texts.
        pieces = [self._folded(text) + b"\n" for text in texts]
        self._ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
        self._text = b"".join(pieces)

    def __len__(self) -> int:
        return len(self._ends)

    def counts(self, word: str, *, whole: bool = False) -> Integers:
        """Return how often each text has the word, which holds no line break."""
        pattern = re.escape(self._folded(word))
        if whole:
            pattern = b"(?<!" + _LETTER + b")" + pattern + b"(?!" + _LETTER + b")"
        places = [found.start() for found in re.finditer(pattern, self._text)] if word else []
        texts = np.searchsorted(self._ends, np.array(places, np.int64), side="right")
        return np.bincount(texts, minlength=len(self))

    def _folded(self, text: str) -> bytes:
        return (text if self._match_case else text.lower()).encode("utf-8", "surrogatepass")
