"""Texts into vectors that never depend on their batch.

The transformer runs in the dtype of the settings, in the fixed shapes of `shapes`; pooling and
everything after it runs in float32. A query runs in a batch of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.dense.loading import load_model
from retrievers.dense.reader import Reader, Reading
from retrievers.dense.settings import Dtype, EmbeddingModel
from retrievers.dense.shapes import TOKENS, Row, Shape, batches, filled
from retrievers.dense.weights import ModelError, locate
from retrievers.interface import Floats, Integers

if TYPE_CHECKING:
    from torch import Tensor

_SORTED_TOGETHER = 4096
_YIELDED_TOGETHER = 256
_ALONE = 1
"""So few tokens a batch that it has one row."""
_LONGEST = 8192
"""For models that name no limit."""


@dataclass(frozen=True)
class Network:
    """A loaded model: a transformer, and modules that make one vector of its tokens."""

    transformer: Any
    pooling: tuple[Any, ...]
    tokenizer: Any

    @property
    def longest(self) -> int:
        """Tokens that the model was made to read at most."""
        return min(int(self.tokenizer.model_max_length), _LONGEST)

    @property
    def padding(self) -> int:
        """The token that rows are filled up with."""
        return int(self.tokenizer.pad_token_id or 0)

    def states(self, shape: Shape, rows: Sequence[Row]) -> dict[str, "Tensor"]:
        """Return the transformer's features of a batch, in float32."""
        ids, mask = filled(shape, rows, padding=self.padding)
        features = self.transformer({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        return dict(features)

    def pooled(self, features: dict[str, "Tensor"]) -> "Tensor":
        """Return one vector a row."""
        for module in self.pooling:
            features = module(features)
        return features["sentence_embedding"].float()


@lru_cache(maxsize=1)
def load_network(model: str, revision: str, dtype: Dtype, *, trusted: bool) -> Network:
    """Return a model; only the last one stays in memory."""
    from sentence_transformers import SentenceTransformer

    weights = locate(model, revision)
    loaded = load_model(SentenceTransformer, weights, dtype=dtype, trust_remote_code=trusted)
    transformer, *pooling = list(loaded)
    if not getattr(getattr(transformer, "tokenizer", None), "is_fast", False):
        message = f"model={model}: only transformers with a fast tokenizer can be used"
        raise ModelError(message)
    modules = tuple(module.float() for module in pooling)
    return Network(transformer, modules, transformer.tokenizer)


def load_local_encoder(settings: EmbeddingModel) -> "Encoder":
    """Return the encoder of these settings; encoders of one model share it in memory."""
    known = settings.resolved()
    network = load_network(
        known.model, known.revision, known.dtype, trusted=known.trust_remote_code
    )
    return Encoder(network, known)


class Encoder:
    """One model, given texts in one way."""

    def __init__(self, network: Network, settings: EmbeddingModel) -> None:
        self._network = network
        self.settings = settings
        backend = network.tokenizer.backend_tokenizer
        self.reader = Reader(backend, settings, longest=network.longest)

    @property
    def window(self) -> int:
        """Tokens of one text that the model sees, special ones included."""
        return self.reader.window

    @cached_property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.queries([""]).shape[1])

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return a normalised vector for each text that is searched."""
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
        """Return a normalised vector for each text that is asked."""
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
        """Return the vectors of one batch, cut to the wanted dimensions and normalised."""
        import torch
        from torch.nn.functional import normalize

        with torch.inference_mode():
            features = self._network.states(shape, [reading.ids for reading in readings])
            pooled = self._network.pooled(features)
            kept = pooled[:, : self.settings.dimensions or None]
            vectors = normalize(kept, dim=1)[: len(readings)]
        return np.asarray(vectors.numpy(), np.float32)

    def _token_vectors(self, readings: Sequence[Reading], *, tokens: int = TOKENS) -> list[Floats]:
        import torch
        from torch.nn.functional import normalize

        found: dict[int, Floats] = {}
        for shape, batch in self._batches(readings, tokens):
            with torch.inference_mode():
                features = self._network.states(shape, [readings[place].ids for place in batch])
                states = normalize(features["token_embeddings"], dim=2).numpy()
            for row, place in enumerate(batch):
                own = readings[place].own
                found[place] = np.array(states[row, : len(own)][own])
        return [found[place] for place in range(len(readings))]
