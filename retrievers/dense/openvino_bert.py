"""BERT as a graph of OpenVINO, made from `config.json` and safetensors without torch.

Weights are given in float32. OpenVINO converts them to the precision of its computations.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from retrievers.dense.bert_folder import WEIGHTS, BertFolder

_OF_LAYER = ("weight", "bias")


def load_openvino() -> ModuleType:
    """Return the library, with the telemetry of its imports turned off."""
    sys.modules.setdefault("openvino_telemetry", cast("ModuleType", None))
    import openvino

    return cast("ModuleType", openvino)


def bert_graph(model: BertFolder) -> Any:
    """Return a graph from token ids and an additive mask to token vectors."""
    openvino = load_openvino()
    ops = importlib.import_module("openvino.opset13")
    layers = _Layers(ops, _weights(model.folder), model.config)
    ids = ops.parameter([-1, -1], np.int64, name="ids")
    mask = ops.parameter([-1, -1], np.float32, name="mask")
    states = layers.embeddings(ids)
    above = ops.unsqueeze(mask, layers.integers(1, 2))
    for number in range(model.config["num_hidden_layers"]):
        states = layers.layer(states, above, f"encoder.layer.{number}")
    return openvino.Model([ops.result(states)], [ids, mask], "bert")


def _weights(folder: Path) -> Callable[[str], Any]:
    from safetensors import safe_open

    file: Any = safe_open(folder / WEIGHTS, "np")
    prefix = "bert." if "bert.embeddings.LayerNorm.weight" in file.keys() else ""  # noqa: SIM118

    def weight(name: str) -> Any:
        return np.asarray(file.get_tensor(prefix + name), np.float32)

    return weight


@dataclass(frozen=True)
class _Layers:
    """Parts of BERT, by the names of their weights."""

    ops: Any
    weight: Callable[[str], Any]
    config: Mapping[str, Any]

    def integers(self, *numbers: int) -> Any:
        return self.ops.constant(np.array(numbers, np.int64))

    def embeddings(self, ids: Any) -> Any:
        """Return the input of the first layer; all tokens have the first of two types."""
        ops, zero = self.ops, self.integers(0)
        length = ops.gather(ops.shape_of(ids), self.integers(1), zero)
        word, position, kind = (
            self.weight(f"embeddings.{one}_embeddings.weight")
            for one in ("word", "position", "token_type")
        )
        # BERT looks up positions and types in tables, like words.
        places = ops.slice(ops.constant(position + kind[0]), zero, length, self.integers(1), zero)
        words = ops.gather(ops.constant(word), ids, zero)
        return self.norm(ops.add(words, places), "embeddings.LayerNorm")

    def layer(self, states: Any, mask: Any, name: str) -> Any:
        ops = self.ops
        query, key, value = (
            self.heads(self.linear(states, f"{name}.attention.self.{one}"))
            for one in ("query", "key", "value")
        )
        seen = ops.scaled_dot_product_attention(query, key, value, mask)
        seen = ops.transpose(seen, self.integers(0, 2, 1, 3))
        seen = ops.reshape(seen, self.integers(0, 0, self.config["hidden_size"]), True)
        seen = ops.add(self.linear(seen, f"{name}.attention.output.dense"), states)
        seen = self.norm(seen, f"{name}.attention.output.LayerNorm")
        wide = ops.gelu(self.linear(seen, f"{name}.intermediate.dense"), "erf")
        return self.norm(
            ops.add(self.linear(wide, f"{name}.output.dense"), seen), f"{name}.output.LayerNorm"
        )

    def heads(self, states: Any) -> Any:
        count = self.config["num_attention_heads"]
        shape = self.integers(0, 0, count, self.config["hidden_size"] // count)
        apart = self.ops.reshape(states, shape, True)
        return self.ops.transpose(apart, self.integers(0, 2, 1, 3))

    def linear(self, states: Any, name: str) -> Any:
        weight, bias = (self.ops.constant(self.weight(f"{name}.{one}")) for one in _OF_LAYER)
        return self.ops.add(self.ops.matmul(states, weight, False, True), bias)

    def norm(self, states: Any, name: str) -> Any:
        weight, bias = (self.ops.constant(self.weight(f"{name}.{one}")) for one in _OF_LAYER)
        even = self.ops.mvn(
            states, self.integers(-1), True, self.config["layer_norm_eps"], "inside_sqrt"
        )
        return self.ops.add(self.ops.multiply(even, weight), bias)
