"""Encoder: vectors of texts that never depend on their batch.

Batches have the fixed shapes of `shapes`, and `networks` compute them. Each query runs in a batch
of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from retrievers.dense.networks import Network, load_network
from retrievers.dense.reader import Reader, Reading
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.shapes import TOKENS, Shape, batches
from retrievers.errors import ModelError
from retrievers.interface import Floats, Integers

KeepTokens = Callable[[str, Floats], None]
"""Callback for a text and the vectors of its tokens."""

_SORTED_TOGETHER = 4096
_YIELDED_TOGETHER = 256
_ALONE = 1
"""Tokens of a batch of queries: so few that a batch has one row."""


def load_local_encoder(settings: EmbeddingModel) -> "Encoder":
    """Return the encoder of these settings; encoders of one model share it in memory."""
    return _encoder(settings.resolved())


@lru_cache(maxsize=1)
def _encoder(settings: EmbeddingModel) -> "Encoder":
    """Return one encoder for equal settings: the steps of a pipeline share a query's pass."""
    return Encoder(_network(settings), settings, _reader(settings))


def _network(settings: EmbeddingModel) -> Network:
    return load_network(
        settings.model,
        settings.revision,
        settings.dtype,
        settings.runtime,
        trusted=settings.trust_remote_code,
    )


@lru_cache(maxsize=8)
def _reader(settings: EmbeddingModel) -> Reader:
    network = _network(settings)
    return Reader(network.tokenizer, settings, longest=network.longest)


@dataclass(frozen=True)
class EmbeddedQuery:
    """Result of one pass over a query: its vector, and a normalised vector per token."""

    vector: Floats
    tokens: Floats


class Encoder:
    """A model with one way of reading texts."""

    def __init__(self, network: Network, settings: EmbeddingModel, reader: Reader) -> None:
        self._network = network
        self.settings = settings
        self.reader = reader
        self._left: dict[str, EmbeddedQuery] = {}
        """The last query, if it was embedded alone, for the next step of the same pipeline."""

    @property
    def window(self) -> int:
        """Most tokens of a text that the model sees, special ones included."""
        return self.reader.window

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.queries([""]).shape[1])

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of passages, one row each."""
        vectors: Floats | None = None
        for places, found in self.passages_in_batches(texts):
            if vectors is None:
                vectors = np.empty((len(texts), found.shape[1]), np.float32)
            vectors[places] = found
        return np.zeros((0, self.dimensions), np.float32) if vectors is None else vectors

    def passages_in_batches(self, texts: Sequence[str]) -> Iterator[tuple[Integers, Floats]]:
        """Yield the positions and vectors of a few hundred passages at a time, once computed."""
        yield from self._in_blocks(texts, None)

    def passages_with_tokens(
        self, texts: Sequence[str], keep: KeepTokens
    ) -> Iterator[tuple[Integers, Floats]]:
        """Yield positions and vectors; `keep` receives the token vectors of the same pass."""
        yield from self._in_blocks(texts, keep)

    def queries(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of queries, one row each."""
        found = [self._query(text) for text in texts]
        self._left = dict(zip(texts, found, strict=True)) if len(texts) == 1 else {}
        vectors = [one.vector for one in found]
        return np.stack(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    def query(self, text: str) -> EmbeddedQuery:
        """Return a query's vector and its token vectors.

        The pass that `queries` just made over the same query is used once. A repeated query is
        embedded again, so that its time is measured.
        """
        return self._left.pop(text, None) or self._query(text)

    def query_tokens(self, text: str) -> Floats:
        """Return a normalised vector for each token of a query, without special tokens."""
        return self._query(text).tokens

    def _query(self, text: str) -> EmbeddedQuery:
        readings = self._readings([text], self.settings.query_prompt)
        ((shape, _),) = self._batches(readings, _ALONE)
        vectors, tokens = self._both(shape, readings)
        return EmbeddedQuery(vectors[0], tokens[0])

    def passage_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Return normalised vectors for the tokens of each passage, without special tokens."""
        found: dict[int, Floats] = {}
        readings = self._readings(texts, self.settings.passage_prompt)
        for shape, batch in self._batches(readings, TOKENS):
            rows = [readings[place].ids for place in batch]
            for place, states in zip(batch, self._network.token_vectors(shape, rows), strict=True):
                found[place] = np.array(states[readings[place].own])
        return [found[place] for place in range(len(readings))]

    def _readings(self, texts: Sequence[str], prompt: str) -> list[Reading]:
        return self.reader.read([prompt + text for text in texts])

    def _in_blocks(
        self, texts: Sequence[str], keep: KeepTokens | None
    ) -> Iterator[tuple[Integers, Floats]]:
        for start in range(0, len(texts), _SORTED_TOGETHER):
            block = texts[start : start + _SORTED_TOGETHER]
            for places, vectors in self._embedded(block, keep):
                yield places + start, vectors

    def _embedded(
        self, texts: Sequence[str], keep: KeepTokens | None
    ) -> Iterator[tuple[Integers, Floats]]:
        """Yield positions and vectors of texts that are sorted by length together."""
        readings = self._readings(texts, self.settings.passage_prompt)
        places: list[int] = []
        vectors: list[Floats] = []
        for shape, batch in self._batches(readings, TOKENS):
            rows = [readings[place] for place in batch]
            places += batch
            if keep is None:
                vectors.append(self._pooled(shape, rows))
            else:
                found, tokens = self._both(shape, rows)
                vectors.append(found)
                for place, own in zip(batch, tokens, strict=True):
                    keep(texts[place], own)
            if len(places) >= _YIELDED_TOGETHER:
                yield np.array(places), np.concatenate(vectors)
                places, vectors = [], []
        if places:
            yield np.array(places), np.concatenate(vectors)

    def _batches(
        self, readings: Sequence[Reading], tokens: int
    ) -> Iterator[tuple[Shape, list[int]]]:
        lengths = [len(reading.ids) for reading in readings]
        return batches(lengths, longest=self._network.longest, tokens=tokens)

    def _pooled(self, shape: Shape, readings: Sequence[Reading]) -> Floats:
        rows = [reading.ids for reading in readings]
        return self._checked(self._network.vectors(shape, rows, self.settings))

    def _both(self, shape: Shape, readings: Sequence[Reading]) -> tuple[Floats, list[Floats]]:
        """Return the vectors of one batch, and the token vectors of each text itself."""
        rows = [reading.ids for reading in readings]
        vectors, states = self._network.both_vectors(shape, rows, self.settings)
        pairs = zip(states, readings, strict=True)
        return self._checked(vectors), [np.array(own[reading.own]) for own, reading in pairs]

    def _checked(self, vectors: Floats) -> Floats:
        if vectors.shape[1] < self.settings.dimensions:
            message = f"dimensions={self.settings.dimensions}: {self.settings.model} gives"
            raise ModelError(f"{message} {vectors.shape[1]} only")
        return vectors
