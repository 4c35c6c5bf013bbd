"""What computes vectors of tokens: a transformer in torch, or a table of token vectors.

`onnx_network` and `openvino_network` have two more. The transformer runs in the dtype of the
settings, in the fixed shapes of `shapes`; pooling and everything after it runs in float32.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from retrievers.dense.loading import load_model
from retrievers.dense.onnx_network import OnnxNetwork
from retrievers.dense.openvino_network import OpenvinoNetwork
from retrievers.dense.settings import ComputedBy, Dtype, EmbeddingModel, Pooling
from retrievers.dense.shapes import Row, Shape, filled
from retrievers.dense.vectors import finished, normalised, pooled
from retrievers.dense.weights import locate
from retrievers.errors import ModelError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

_LONGEST = 8192
"""For models that name no limit."""
_MODES = {"mean": "mean", "cls": "cls", "last": "lasttoken", "max": "max"}


class Network(Protocol):
    """A loaded model; a row's numbers never depend on the other rows of its batch."""

    @property
    def tokenizer(self) -> "Tokenizer":
        """What makes tokens of a text."""
        ...

    @property
    def longest(self) -> int:
        """Tokens that the model was made to read at most."""
        ...

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector a row, as the settings want it."""
        ...

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row a normalised vector a token."""
        ...

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return one vector a row and those of its tokens, bit for bit, of one forward pass."""
        ...


@dataclass(frozen=True)
class TransformerNetwork:
    """A transformer, and modules that make one vector of its tokens."""

    transformer: Any
    modules: tuple[Any, ...]

    @property
    def tokenizer(self) -> "Tokenizer":
        """What makes tokens of a text."""
        found: Tokenizer = self.transformer.tokenizer.backend_tokenizer
        return found

    @property
    def longest(self) -> int:
        """Tokens that the model was made to read at most."""
        return min(int(self.transformer.tokenizer.model_max_length), _LONGEST)

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector a row, as the settings want it."""
        import torch

        with torch.inference_mode():
            return self._pooled(self._states(shape, rows), len(rows), settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row a normalised vector a token."""
        import torch

        with torch.inference_mode():
            return _of_tokens(self._states(shape, rows), rows)

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return one vector a row and those of its tokens, bit for bit, of one forward pass."""
        import torch

        with torch.inference_mode():
            features = self._states(shape, rows)
            tokens = _of_tokens(features, rows)  # first: modules may change the features
            return self._pooled(features, len(rows), settings), tokens

    def _pooled(self, features: dict[str, Any], count: int, settings: EmbeddingModel) -> Floats:
        """Return one vector for each of the first rows of a batch."""
        from torch.nn.functional import normalize

        for module in self._modules(settings.pooling):
            features = module(features)
        vectors = features["sentence_embedding"].float()[:, : settings.dimensions or None]
        if settings.normalise:
            vectors = normalize(vectors, dim=1)
        return np.asarray(vectors[:count].numpy(), np.float32)

    def _states(self, shape: Shape, rows: Sequence[Row]) -> dict[str, "Tensor"]:
        """Return the transformer's features of a batch, in float32."""
        import torch

        padding = int(self.transformer.tokenizer.pad_token_id or 0)
        ids, mask = map(torch.from_numpy, filled(shape, rows, padding=padding))
        features = self.transformer({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        return dict(features)

    def _modules(self, pooling: Pooling) -> tuple[Any, ...]:
        """Return what makes one vector of tokens, with the pooling that is wanted."""
        if pooling == "model":
            return self.modules
        from sentence_transformers.sentence_transformer.modules import Pooling as Pool

        size = int(self.transformer.get_embedding_dimension())
        wanted = Pool(size, pooling_mode=_MODES[pooling])
        return (wanted, *(module for module in self.modules if not isinstance(module, Pool)))


@dataclass(frozen=True)
class StaticNetwork:
    """A vector for each token, whatever is around it; a text is the mean of its own."""

    tokenizer: "Tokenizer"
    table: Floats
    normalises: bool
    """Whether the model itself makes vectors of length 1."""
    longest: int = _LONGEST

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector a row, as the settings want it; shapes do not matter here."""
        del shape
        means = np.stack([pooled(self.table[row], "mean") for row in rows])
        return finished(normalised(means) if self.normalises else means, settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row a normalised vector a token."""
        del shape
        return [normalised(self.table[row]) for row in rows]

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return one vector a row and those of its tokens."""
        return self.vectors(shape, rows, settings), self.token_vectors(shape, rows)


def _of_tokens(features: "dict[str, Tensor]", rows: Sequence[Row]) -> list[Floats]:
    """Return for each row a normalised vector a token."""
    from torch.nn.functional import normalize

    states = normalize(features["token_embeddings"], dim=2).numpy()
    return [states[number, : len(row)] for number, row in enumerate(rows)]


@lru_cache(maxsize=1)
def load_network(
    model: str, revision: str, dtype: Dtype, runtime: ComputedBy, *, trusted: bool
) -> Network:
    """Return a model; only the last one stays in memory."""
    weights = locate(model, revision)
    if runtime == "openvino":
        return OpenvinoNetwork.of(weights, dtype)
    if weights.runtime == "onnx":
        return OnnxNetwork.of(weights)
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    loaded = load_model(SentenceTransformer, weights, dtype=dtype, trust_remote_code=trusted)
    first, *modules = list(loaded)
    if isinstance(first, StaticEmbedding):
        return _static(first, modules, model)
    if not getattr(getattr(first, "tokenizer", None), "is_fast", False):
        message = f"model={model}: only transformers with a fast tokenizer can be used"
        raise ModelError(message)
    return TransformerNetwork(first, tuple(module.float() for module in modules))


def _static(embedding: Any, modules: Sequence[Any], model: str) -> StaticNetwork:
    others = sorted({type(module).__name__ for module in modules} - {"Normalize"})
    if others:
        message = f"model={model}: a static model with {', '.join(others)} cannot be used"
        raise ModelError(f"{message}; give one with nothing but Normalize")
    table = embedding.embedding.weight.detach().float().numpy()
    return StaticNetwork(embedding.tokenizer, table, normalises=bool(modules))
