"""Texts into vectors that never depend on their batch.

Batches have the fixed shapes of `shapes`; `networks` compute them. A query runs in a batch of its
own.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np

from retrievers.dense.networks import Network, load_network
from retrievers.dense.reader import Reader, Reading
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.shapes import TOKENS, Shape, batches
from retrievers.errors import ModelError
from retrievers.interface import Floats, Integers

_SORTED_TOGETHER = 4096
_YIELDED_TOGETHER = 256
_ALONE = 1
"""So few tokens a batch that it has one row."""


def load_local_encoder(settings: EmbeddingModel) -> "Encoder":
    """Return the encoder of these settings; encoders of one model share it in memory."""
    known = settings.resolved()
    return Encoder(_network(known), known, _reader(known))


def _network(settings: EmbeddingModel) -> Network:
    return load_network(
        settings.model, settings.revision, settings.dtype, trusted=settings.trust_remote_code
    )


@lru_cache(maxsize=8)
def _reader(settings: EmbeddingModel) -> Reader:
    """Return the reader of these settings; a large vocabulary takes a second to copy."""
    network = _network(settings)
    return Reader(network.tokenizer, settings, longest=network.longest)


class Encoder:
    """One model, given texts in one way."""

    def __init__(self, network: Network, settings: EmbeddingModel, reader: Reader) -> None:
        self._network = network
        self.settings = settings
        self.reader = reader

    @property
    def window(self) -> int:
        """Tokens of one text that the model sees, special ones included."""
        return self.reader.window

    @cached_property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.queries([""]).shape[1])

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text that is searched."""
        vectors: Floats | None = None
        for places, found in self.passages_in_batches(texts):
            if vectors is None:
                vectors = np.empty((len(texts), found.shape[1]), np.float32)
            vectors[places] = found
        return np.zeros((0, self.dimensions), np.float32) if vectors is None else vectors

    def passages_in_batches(self, texts: Sequence[str]) -> Iterator[tuple[Integers, Floats]]:
        """Yield the places and vectors of some hundred passages at a time, as they are done."""
        for start in range(0, len(texts), _SORTED_TOGETHER):
            block = texts[start : start + _SORTED_TOGETHER]
            for places, vectors in self._embedded(block):
                yield places + start, vectors

    def queries(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text that is asked."""
        readings = self._readings(texts, self.settings.query_prompt)
        vectors = [self._vectors([reading], tokens=_ALONE)[0] for reading in readings]
        return np.stack(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    def query_tokens(self, text: str) -> Floats:
        """Return a normalised vector for each token of a query; special tokens have none."""
        readings = self._readings([text], self.settings.query_prompt)
        return self._token_vectors(readings, tokens=_ALONE)[0]

    def passage_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Return a normalised vector for each token of passages; special tokens have none."""
        return self._token_vectors(self._readings(texts, self.settings.passage_prompt))

    def _readings(self, texts: Sequence[str], prompt: str) -> list[Reading]:
        return self.reader.read([prompt + text for text in texts])

    def _embedded(self, texts: Sequence[str]) -> Iterator[tuple[Integers, Floats]]:
        """Yield places and vectors of texts that are sorted together."""
        readings = self._readings(texts, self.settings.passage_prompt)
        places: list[int] = []
        vectors: list[Floats] = []
        for shape, batch in self._batches(readings, TOKENS):
            places += batch
            vectors.append(self._pooled(shape, [readings[place] for place in batch]))
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

    def _vectors(self, readings: Sequence[Reading], *, tokens: int) -> Floats:
        ((shape, _),) = self._batches(readings, tokens)
        return self._pooled(shape, readings)

    def _pooled(self, shape: Shape, readings: Sequence[Reading]) -> Floats:
        """Return the vectors of one batch."""
        rows = [reading.ids for reading in readings]
        vectors = self._network.vectors(shape, rows, self.settings)
        if vectors.shape[1] < self.settings.dimensions:
            message = f"dimensions={self.settings.dimensions}: {self.settings.model} gives"
            raise ModelError(f"{message} {vectors.shape[1]} only")
        return vectors

    def _token_vectors(self, readings: Sequence[Reading], *, tokens: int = TOKENS) -> list[Floats]:
        found: dict[int, Floats] = {}
        for shape, batch in self._batches(readings, tokens):
            rows = [readings[place].ids for place in batch]
            for place, states in zip(batch, self._network.token_vectors(shape, rows), strict=True):
                found[place] = np.array(states[readings[place].own])
        return [found[place] for place in range(len(readings))]
