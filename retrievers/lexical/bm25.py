"""BM25 in five variants, computed from postings.

The variants are the same as in bm25s, and tests compare the scores. The arithmetic is our own
because it is short and because bm25s stores only the weights. Here one count of the words serves
every k1, b and variant. An empty corpus or a query without known words is not an error, and the
order of ties is defined.

bm25l and bm25+ give a chunk a constant amount for each word that it lacks. This amount is left
out, since it is the same for all chunks: a chunk with none of the query's words scores zero.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from retrievers.errors import LexicalError
from retrievers.interface import Floats, IndexRetriever, Input, Rankings, ReadInput, ranked
from retrievers.lexical.chunk_words import WordCounts
from retrievers.lexical.postings import Postings
from retrievers.lexical.query_words import check_mode, query_words
from retrievers.lexical.tokenizers import TokenizerName, tokenizer_named
from retrievers.reading import Mode

Method = Literal["lucene", "robertson", "atire", "bm25+", "bm25l"]

_Doubles = np.ndarray[Any, np.dtype[np.float64]]

_K1_LIMIT = 10.0
_FEW_TERMS = 300
"""Terms that are looked for one by one in less time than it takes to weigh all."""
_DELTA = 0.5


@dataclass(frozen=True)
class BM25(IndexRetriever):
    """Settings of BM25: `k1` is the saturation of counts, `b` the normalisation of length."""

    tokenizer: TokenizerName = "identifier"
    k1: float = 1.5
    b: float = 0.75
    method: Method = "lucene"
    reading: Mode = "plain"
    """plain is BM25 as published. parts counts each distinct word once per part of the query."""

    def __post_init__(self) -> None:
        """Raise an error for names and values that are not allowed."""
        tokenizer_named(self.tokenizer)
        check_mode(self.reading)
        if self.method not in _VARIANTS:
            message = f"method={self.method} is not known; choose one of {', '.join(_VARIANTS)}"
            raise LexicalError(message)
        if not 0 <= self.k1 <= _K1_LIMIT:
            raise LexicalError(f"k1={self.k1} is out of range; choose 0 to {_K1_LIMIT:g}")
        if not 0 <= self.b <= 1:
            raise LexicalError(f"b={self.b} is out of range; choose 0 to 1")

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The counts of the words."""
        return (WordCounts(self.tokenizer),)

    def rank(self, queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return the chunks with a score above zero, weighing only the words of few queries."""
        asked = (query_words(query, self.tokenizer, self.reading) for query in queries)
        terms = {term for weights in asked for term in weights}
        if len(terms) > _FEW_TERMS:
            return super().rank(queries, read, depth=depth)
        index = BM25Index(read(WordCounts(self.tokenizer)).of_terms(terms), self)
        return ranked((index.scores(query) for query in queries), depth, floor=0.0)

    def index(self, read: ReadInput, /) -> "BM25Index":
        """Weigh the counts."""
        return BM25Index(read(WordCounts(self.tokenizer)).postings, self)


class BM25Index:
    """The postings of a repository with their BM25 weights."""

    def __init__(self, postings: Postings, settings: BM25) -> None:
        if postings.tokenizer != settings.tokenizer:
            message = (
                f"tokenizer={settings.tokenizer}: these words were counted with "
                f"{postings.tokenizer}; count them again"
            )
            raise LexicalError(message)
        self._postings = postings
        self._settings = settings
        self._weights = _weights(postings, settings)

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; zero without any word of the query."""
        scores = np.zeros(len(self._postings.lengths), np.float32)
        own = self._settings
        for token, counted in query_words(query, own.tokenizer, own.reading).items():
            term = self._postings.terms.get(token)
            if term is not None:
                held = self._postings.of_term(term)
                weights = self._weights[held] * np.float32(counted)
                np.add.at(scores, self._postings.chunk[held], weights)
        return scores


def _weights(postings: Postings, settings: BM25) -> Floats:
    """Return the weight that each posting adds to the score of its chunk."""
    variant = _VARIANTS[settings.method]
    chunks = len(postings.lengths)
    held_by = np.diff(postings.stops, prepend=0)
    rarity = variant.rarity(chunks, held_by.astype(np.float64)).astype(np.float32)
    mean_length = float(postings.lengths.mean()) if postings.lengths.any() else 1.0
    norm = 1 - settings.b + settings.b * postings.lengths / mean_length
    saturated = variant.saturation(
        postings.frequency.astype(np.float32),
        norm.astype(np.float32)[postings.chunk],
        settings.k1,
    )
    return np.asarray(saturated * np.repeat(rarity, held_by), np.float32)


@dataclass(frozen=True)
class _Variant:
    """The two factors of a weight: the rarity of a word, and its saturated count in a chunk."""

    rarity: Callable[[int, _Doubles], _Doubles]
    saturation: Callable[[Floats, Floats, float], Floats]


def _saturation(frequency: Floats, norm: Floats, k1: float) -> Floats:
    return frequency / (k1 * norm + frequency)


def _scaled_saturation(frequency: Floats, norm: Floats, k1: float) -> Floats:
    return (k1 + 1) * _saturation(frequency, norm, k1)


def _lifted_saturation(frequency: Floats, norm: Floats, k1: float) -> Floats:
    lifted = frequency / norm + np.float32(_DELTA)
    absent = np.float32(_DELTA / (k1 + _DELTA))
    return np.float32(k1 + 1) * (lifted / (k1 + lifted) - absent)


_VARIANTS: Mapping[str, _Variant] = MappingProxyType(
    {
        "lucene": _Variant(
            rarity=lambda chunks, having: np.log(1 + (chunks - having + 0.5) / (having + 0.5)),
            saturation=_saturation,
        ),
        "robertson": _Variant(
            rarity=lambda chunks, having: np.log(
                np.maximum((chunks - having + 0.5) / (having + 0.5), 1)
            ),
            saturation=_saturation,
        ),
        "atire": _Variant(
            rarity=lambda chunks, having: np.log(chunks / having),
            saturation=_scaled_saturation,
        ),
        "bm25+": _Variant(
            rarity=lambda chunks, having: np.log((chunks + 1) / having),
            saturation=_scaled_saturation,
        ),
        "bm25l": _Variant(
            rarity=lambda chunks, having: np.log((chunks + 1) / (having + 0.5)),
            saturation=_lifted_saturation,
        ),
    }
)
