"""Networks that compute token vectors; here a transformer in torch.

`static_network`, `onnx_network` and `openvino_network` have three more. The transformer runs in
the dtype of the settings, in the fixed shapes of `shapes`; pooling and all later steps run in
float32. MiniLM and other plain BERTs are made by `torch_bert`, any other transformer by
sentence-transformers, which takes seconds to import.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from retrievers.dense.bert_folder import BertFolder, NotPlainBertError
from retrievers.dense.bert_tokenizer import is_plain_tokenizer
from retrievers.dense.loading import load_model, read_tokenizer, use_one_thread
from retrievers.dense.onnx_network import OnnxNetwork
from retrievers.dense.openvino_network import OpenvinoNetwork
from retrievers.dense.settings import ComputedBy, Dtype, EmbeddingModel, Pooling
from retrievers.dense.shapes import Row, Shape, filled
from retrievers.dense.static_network import StaticNetwork
from retrievers.dense.weights import Weights, locate
from retrievers.errors import ModelError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

Features = dict[str, "Tensor"]
"""Token ids with their mask, and results of a model by name."""

_LONGEST = 8192
"""Most tokens of models that do not set a limit."""
_MODES = {"mean": "mean", "cls": "cls", "last": "lasttoken", "max": "max"}


class Network(Protocol):
    """A loaded model; a row's numbers never depend on the other rows of its batch."""

    @property
    def tokenizer(self) -> "Tokenizer":
        """Tokenizer of the model."""
        ...

    @property
    def longest(self) -> int:
        """Most tokens that the model was trained to read."""
        ...

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector per row, with the pooling, dimensions and length of the settings."""
        ...

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row one normalised vector per token."""
        ...

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return the vector and the token vectors of each row, from one forward pass.

        They are bitwise equal to those of `vectors` and `token_vectors`.
        """
        ...


@dataclass(frozen=True)
class TransformerNetwork:
    """A transformer with its pooling."""

    tokenizer: "Tokenizer"
    longest: int
    padding: int
    """Token that pads a row."""
    transformer: Callable[["Features"], "Features"]
    pooled: Callable[["Features", Pooling], "Tensor"]

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector per row, with the pooling, dimensions and length of the settings."""
        import torch

        with torch.inference_mode():
            return self._pooled(self._states(shape, rows), len(rows), settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row one normalised vector per token."""
        import torch

        with torch.inference_mode():
            return _of_tokens(self._states(shape, rows), rows)

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return the vector and the token vectors of each row, from one forward pass.

        They are bitwise equal to those of `vectors` and `token_vectors`.
        """
        import torch

        with torch.inference_mode():
            features = self._states(shape, rows)
            tokens = _of_tokens(features, rows)  # first: modules may change the features
            return self._pooled(features, len(rows), settings), tokens

    def _pooled(self, features: Features, count: int, settings: EmbeddingModel) -> Floats:
        """Return one vector for each of the first rows of a batch; the others are dummies."""
        from torch.nn.functional import normalize

        vectors = self.pooled(features, settings.pooling).float()[:, : settings.dimensions or None]
        if settings.normalise:
            vectors = normalize(vectors, dim=1)
        return np.asarray(vectors[:count].numpy(), np.float32)

    def _states(self, shape: Shape, rows: Sequence[Row]) -> Features:
        """Return the transformer's features of a batch, in float32."""
        import torch

        ids, mask = map(torch.from_numpy, filled(shape, rows, padding=self.padding))
        features = self.transformer({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        return dict(features)


@dataclass(frozen=True)
class _Modules:
    """Pooling by the modules of sentence-transformers that follow the transformer."""

    transformer: Any
    modules: tuple[Any, ...]

    def __call__(self, features: Features, pooling: Pooling) -> "Tensor":
        """Return the vectors of a batch with the requested pooling."""
        for module in self._with(pooling):
            features = module(features)
        return features["sentence_embedding"]

    def _with(self, pooling: Pooling) -> tuple[Any, ...]:
        if pooling == "model":
            return self.modules
        from sentence_transformers.sentence_transformer.modules import Pooling as Pool

        size = int(self.transformer.get_embedding_dimension())
        wanted = Pool(size, pooling_mode=_MODES[pooling])
        return (wanted, *(module for module in self.modules if not isinstance(module, Pool)))


def _of_tokens(features: Features, rows: Sequence[Row]) -> list[Floats]:
    """Return for each row one normalised vector per token."""
    from torch.nn.functional import normalize

    states = normalize(features["token_embeddings"], dim=2).numpy()
    return [states[number, : len(row)] for number, row in enumerate(rows)]


@lru_cache(maxsize=1)
def load_network(
    model: str, revision: str, dtype: Dtype, runtime: ComputedBy, *, trusted: bool
) -> Network:
    """Return a network; only the last one stays in memory."""
    weights = locate(model, revision)
    if runtime == "openvino":
        return OpenvinoNetwork.of(weights, dtype)
    if weights.runtime == "onnx":
        return OnnxNetwork.of(weights)
    if weights.runtime == "static":
        return StaticNetwork.of(weights)
    return _plain_bert(weights, dtype) or _any_transformer(weights, dtype, trusted=trusted)


def _plain_bert(weights: Weights, dtype: Dtype) -> TransformerNetwork | None:
    """Return a network bitwise equal to that of sentence-transformers; None if not a plain
    BERT."""
    if weights.folder is None or not is_plain_tokenizer(weights.present):
        return None
    use_one_thread()
    from retrievers.dense.torch_bert import Bert, BertPooling

    try:
        described = BertFolder.of(weights.name, weights.folder)
        bert = Bert(described, dtype)
    except NotPlainBertError:
        return None  # sentence-transformers loads it, or reports the error
    tokenizer = read_tokenizer(weights.folder)
    pooling = BertPooling(described.pooling, described.normalises)
    return TransformerNetwork(tokenizer, described.longest, described.padding, bert, pooling)


def _any_transformer(weights: Weights, dtype: Dtype, *, trusted: bool) -> TransformerNetwork:
    from sentence_transformers import SentenceTransformer

    loaded = load_model(SentenceTransformer, weights, dtype=dtype, trust_remote_code=trusted)
    first, *modules = list(loaded)
    tokenizer: Any = getattr(first, "tokenizer", None)
    if not getattr(tokenizer, "is_fast", False):
        message = f"model={weights.name}: only transformers with a fast tokenizer can be used"
        raise ModelError(message)
    return TransformerNetwork(
        tokenizer=tokenizer.backend_tokenizer,
        longest=min(int(tokenizer.model_max_length), _LONGEST),
        padding=int(tokenizer.pad_token_id or 0),
        transformer=first,
        pooled=_Modules(first, tuple(module.float() for module in modules)),
    )
