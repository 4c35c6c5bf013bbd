"""BERT in torch, made from `config.json` and safetensors without transformers.

The operations, their order and their numbers are those of transformers' `BertModel` with `sdpa`
attention and of sentence-transformers' `Pooling`. Vectors are bitwise the same.

Weights stay in the file, which is mapped into memory, if they have the type of the computation.
The table of words always stays there: its rows are converted when they are looked up. Processes
with the same model share these pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import (
    embedding,
    gelu,
    layer_norm,
    linear,
    normalize,
    scaled_dot_product_attention,
)

from retrievers.dense.bert_folder import WEIGHTS, BertFolder, NotPlainBertError
from retrievers.dense.settings import Dtype, Pooling

Features = dict[str, Tensor]
Pair = tuple[Tensor, Tensor]
"""A weight and its bias."""

_NO_TOKENS = 1e-9


@dataclass(frozen=True)
class _Weights:
    """Tensors of a file; raises if their names or shapes are not those of a BERT."""

    file: Any
    name: str
    prefix: str
    dtype: torch.dtype

    @classmethod
    def of(cls, model: BertFolder, dtype: torch.dtype) -> "_Weights":
        try:
            file: Any = safe_open(model.folder / WEIGHTS, "pt")
        except (OSError, SafetensorError) as error:
            raise NotPlainBertError(f"{model.folder / WEIGHTS} cannot be read") from error
        first = "bert.embeddings.word_embeddings.weight"
        prefix = "bert." if first in file.keys() else ""  # noqa: SIM118
        return cls(file, model.folder.name, prefix, dtype)

    def stored(self, name: str, *shape: int) -> Tensor:
        """Return a tensor in the type of the file."""
        try:
            found = cast("Tensor", self.file.get_tensor(self.prefix + name))
        except SafetensorError as error:
            raise NotPlainBertError(f"{self.name} has no weights {name}") from error
        if tuple(found.shape) != shape:
            raise NotPlainBertError(f"{self.name}: {name} has the shape {tuple(found.shape)}")
        return found

    def table(self, name: str, *shape: int) -> Tensor:
        return self.stored(f"{name}.weight", *shape).to(self.dtype)

    def pair(self, name: str, *shape: int) -> Pair:
        bias = self.stored(f"{name}.bias", shape[0]).to(self.dtype)
        return self.table(name, *shape), bias


@dataclass(frozen=True)
class _Layer:
    """A layer: attention and the feed-forward network after it."""

    heads: int
    epsilon: float
    asking: tuple[Pair, Pair, Pair]
    """Projections to queries, keys and values."""
    attended: Pair
    attended_norm: Pair
    wide: Pair
    narrow: Pair
    narrow_norm: Pair

    @classmethod
    def of(cls, weights: _Weights, name: str, config: Mapping[str, Any]) -> "_Layer":
        size, wide = config["hidden_size"], config["intermediate_size"]
        query, key, value = (
            weights.pair(f"{name}.attention.self.{one}", size, size)
            for one in ("query", "key", "value")
        )
        return cls(
            heads=config["num_attention_heads"],
            epsilon=config["layer_norm_eps"],
            asking=(query, key, value),
            attended=weights.pair(f"{name}.attention.output.dense", size, size),
            attended_norm=weights.pair(f"{name}.attention.output.LayerNorm", size),
            wide=weights.pair(f"{name}.intermediate.dense", wide, size),
            narrow=weights.pair(f"{name}.output.dense", size, wide),
            narrow_norm=weights.pair(f"{name}.output.LayerNorm", size),
        )

    def __call__(self, states: Tensor, seen: Tensor | None) -> Tensor:
        query, key, value = (
            linear(states, *pair).view(*states.shape[:-1], self.heads, -1).transpose(1, 2)
            for pair in self.asking
        )
        found = scaled_dot_product_attention(
            query, key, value, attn_mask=seen, scale=query.shape[-1] ** -0.5
        )
        found = found.transpose(1, 2).contiguous().flatten(2)
        found = self._norm(linear(found, *self.attended) + states, self.attended_norm)
        wide = gelu(linear(found, *self.wide))
        return self._norm(linear(wide, *self.narrow) + found, self.narrow_norm)

    def _norm(self, states: Tensor, pair: Pair) -> Tensor:
        return layer_norm(states, (states.shape[-1],), *pair, eps=self.epsilon)


class Bert(Module):
    """The model: its input is token ids and their mask, to which it adds token vectors."""

    def __init__(self, model: BertFolder, dtype: Dtype) -> None:
        super().__init__()
        config, self._dtype = model.config, cast("torch.dtype", getattr(torch, dtype))
        weights, size = _Weights.of(model, self._dtype), config["hidden_size"]
        name = "embeddings.{}_embeddings"
        self._words = weights.stored(f"{name.format('word')}.weight", config["vocab_size"], size)
        self._places = weights.table(
            name.format("position"), config["max_position_embeddings"], size
        )
        kinds = weights.table(name.format("token_type"), config["type_vocab_size"], size)
        self._kind = kinds[0]
        """All tokens have the type of the first of two texts."""
        self._norm = weights.pair("embeddings.LayerNorm", size)
        self._epsilon: float = config["layer_norm_eps"]
        self._layers = [
            _Layer.of(weights, f"encoder.layer.{number}", config)
            for number in range(config["num_hidden_layers"])
        ]

    def forward(self, features: Features) -> Features:
        """Return the features with vectors of tokens."""
        ids, mask = features["input_ids"], features["attention_mask"]
        rows, length = ids.shape
        states = embedding(ids, self._words).to(self._dtype) + self._kind
        states = states + self._places[:length]
        states = layer_norm(states, self._kind.shape, *self._norm, eps=self._epsilon)
        # As in transformers, there is no mask without padding: attention may then use another
        # kernel.
        seen = None if mask.all() else mask.bool()[:, None, None].expand(rows, -1, length, -1)
        for layer in self._layers:
            states = layer(states, seen)
        return {**features, "token_embeddings": states}


@dataclass(frozen=True)
class BertPooling:
    """Pooling by the model's own method or another one."""

    own: Pooling
    normalises: bool

    def __call__(self, features: Features, pooling: Pooling) -> Tensor:
        """Return the vectors of a batch; a row has at least one token."""
        states, mask = features["token_embeddings"], features["attention_mask"]
        found = _pooled(states, mask, self.own if pooling == "model" else pooling)
        return normalize(found, dim=-1) if self.normalises else found


def _pooled(states: Tensor, mask: Tensor, pooling: Pooling) -> Tensor:
    match pooling:
        case "cls":
            return states[:, 0]
        case "last":
            return states[torch.arange(len(states)), mask.sum(dim=1) - 1]
        case "max":
            return states.masked_fill(mask.unsqueeze(-1) == 0, float("-inf")).amax(dim=1)
        case _:
            weights = mask.unsqueeze(-1).to(states.dtype)
            return (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=_NO_TOKENS)
