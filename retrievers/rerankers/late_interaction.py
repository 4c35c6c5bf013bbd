"""MaxSim: the mean over the query's tokens of the similarity of the most similar text token."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from retrievers.dense.encoder import Encoder
from retrievers.dense.settings import Bits
from retrievers.dense.tokens import TokenVectors, window_scores
from retrievers.interface import Floats

BITS: Bits = 8
"""Bits per number of a token vector, both for stored and for computed vectors."""
_KEPT_BYTES = 400_000_000


def maxsim(query_tokens: Floats, passage_tokens: Floats) -> float:
    """Return the mean over the query's tokens of the best cosine; 0 without tokens."""
    if not len(query_tokens) or not len(passage_tokens):
        return 0.0
    return float((query_tokens @ passage_tokens.T).max(axis=1).mean(dtype=np.float64))


class Passages(Protocol):
    """A source of token vectors for texts."""

    def of(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text. The texts must be distinct."""
        ...


class ComputedPassages:
    """Computes token vectors, with a cache for recent texts."""

    def __init__(self, encoder: Encoder, *, kept_bytes: int = _KEPT_BYTES) -> None:
        self._encoder = encoder
        self._kept: OrderedDict[str, TokenVectors] = OrderedDict()
        self._free = kept_bytes

    def of(self, texts: Sequence[str], /) -> list[TokenVectors]:
        """Return the token vectors of each text."""
        new = [text for text in texts if text not in self._kept]
        found = dict(zip(new, embedded_passages(self._encoder, new), strict=True))
        for text in texts:
            if text in self._kept:
                self._kept.move_to_end(text)
                found[text] = self._kept[text]
        for text in new:
            self._keep(text, found[text])
        return [found[text] for text in texts]

    def _keep(self, text: str, tokens: TokenVectors) -> None:
        self._kept[text] = tokens
        self._free -= _size(tokens)
        while self._free < 0 and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._free += _size(oldest)


def _size(tokens: TokenVectors) -> int:
    return tokens.vector.nbytes + tokens.factor.nbytes


def embedded_passages(encoder: Encoder, texts: Sequence[str]) -> list[TokenVectors]:
    """Return the token vectors of each text by the model, rounded for comparison."""
    return [rounded(tokens) for tokens in encoder.passage_tokens(texts)]


def rounded(tokens: Floats) -> TokenVectors:
    """Return the token vectors of one text with few bits, so that sums of products are exact."""
    return TokenVectors.of([0], [tokens], pooling=1, bits=BITS)


class LateInteractionScorer:
    """Scores texts by MaxSim over integers.

    A score is equal to the last bit for stored, cached and computed vectors, and does not depend
    on other texts in the call.
    """

    def __init__(self, encoder: Encoder, passages: Passages) -> None:
        self._encoder, self._passages = encoder, passages

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        return self.token_scores(self._encoder.query_tokens(query), texts)

    def token_scores(self, query_tokens: Floats, texts: Sequence[str]) -> Floats:
        """Return a score for each text, given the vectors of the query's tokens."""
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        found = self._passages.of(list(distinct))
        parts = (
            TokenVectors(np.array([place], np.int32), one.stops, one.vector, one.factor)
            for place, one in enumerate(found)
        )
        rows = window_scores(rounded(query_tokens), parts, window_count=len(distinct))
        return np.asarray(rows[0][[distinct[text] for text in texts]], np.float32)
