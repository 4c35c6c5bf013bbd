"""MaxSim: for each token of the query the most similar token of a text, on average."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrievers.dense.encoder import Encoder
from retrievers.interface import Floats

Halves = np.ndarray[Any, np.dtype[np.float16]]

_KEPT_BYTES = 400_000_000


def maxsim(query_tokens: Floats, passage_tokens: Floats) -> float:
    """Return the mean over the query's tokens of the best cosine; 0 where there are no tokens."""
    if not len(query_tokens) or not len(passage_tokens):
        return 0.0
    return float((query_tokens @ passage_tokens.T).max(axis=1).mean(dtype=np.float64))


class LateInteractionScorer:
    """Scores texts by MaxSim, keeping the token vectors of those it saw lately.

    Token vectors are rounded to 16 bits whether they were kept or not, so that a score never
    depends on what was asked before.
    """

    def __init__(self, encoder: Encoder, *, kept_bytes: int = _KEPT_BYTES) -> None:
        self._encoder = encoder
        self._kept: OrderedDict[str, Halves] = OrderedDict()
        self._free = kept_bytes

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        asked = self._encoder.query_tokens(query)
        passages = self._passages(list(dict.fromkeys(texts)))
        scores = {
            text: maxsim(asked, tokens.astype(np.float32)) for text, tokens in passages.items()
        }
        return np.array([scores[text] for text in texts], np.float32)

    def _passages(self, texts: Sequence[str]) -> dict[str, Halves]:
        new = [text for text in texts if text not in self._kept]
        found = dict(zip(new, self._encoded(new), strict=True))
        for text in texts:
            if text in self._kept:
                self._kept.move_to_end(text)
                found[text] = self._kept[text]
        for text in new:
            self._keep(text, found[text])
        return found

    def _encoded(self, texts: Sequence[str]) -> list[Halves]:
        return [tokens.astype(np.float16) for tokens in self._encoder.passage_tokens(texts)]

    def _keep(self, text: str, tokens: Halves) -> None:
        self._kept[text] = tokens
        self._free -= tokens.nbytes
        while self._free < 0 and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._free += oldest.nbytes
