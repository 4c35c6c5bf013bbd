"""BERT as a graph of OpenVINO, made of `config.json` and safetensors; torch is not needed.

MiniLM, BGE and E5 are such models. Weights are given in float32; OpenVINO makes the copy that it
multiplies with, in the precision that it computes in.
"""

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from retrievers.errors import ModelError

_NORMAL = {"model_type": "bert", "hidden_act": "gelu"}
_POOLINGS = {"mean_tokens": "mean", "cls_token": "cls", "max_tokens": "max", "lasttoken": "last"}
_OF_LAYER = ("weight", "bias")
_LONGEST = 8192
"""For models that name no limit."""
_MODULES = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True)
class BertFolder:
    """What the files of a sentence-transformers folder say about its model."""

    folder: Path
    config: Mapping[str, Any]
    pooling: str
    normalises: bool
    """Whether the model itself makes vectors of length 1."""
    longest: int
    """Tokens that the model was made to read at most."""

    @classmethod
    def of(cls, name: str, folder: Path | None) -> "BertFolder":
        """Return what a folder says, or refuse a model that is not built here."""
        if folder is None:
            message = f"runtime=openvino: {name} is on the hub"
            raise ModelError(f"{message}; download it, and give its folder as model")
        config = _read(folder / "config.json")
        for field, value in _NORMAL.items():
            if config.get(field) != value:
                raise _refused(name, f"{field} is {config.get(field)}, not {value}")
        if config.get("position_embedding_type", "absolute") != "absolute":
            raise _refused(name, "its positions are not absolute")
        modules = _modules(folder)
        if modules not in ([], [*_MODULES[:2]], [*_MODULES]):
            raise _refused(name, f"it has the modules {', '.join(modules)}")
        pooling = _pooling(name, folder / "1_Pooling/config.json") if modules else "mean"
        return cls(folder, config, pooling, modules == [*_MODULES], _longest(folder, config))


def _modules(folder: Path) -> list[str]:
    """Return the kinds of a folder's modules; without a list of them it is a transformer alone."""
    path = folder / "modules.json"
    return [one["type"].rsplit(".", 1)[-1] for one in _read(path)] if path.is_file() else []


def _longest(folder: Path, config: Mapping[str, Any]) -> int:
    path = folder / "sentence_bert_config.json"
    limit = _read(path).get("max_seq_length") if path.is_file() else None
    return min(int(limit or _LONGEST), int(config["max_position_embeddings"]))


def _pooling(name: str, path: Path) -> str:
    described = _read(path)
    given = described.get("pooling_mode")
    wanted = (
        [given]
        if given
        else [
            _POOLINGS.get(field.removeprefix("pooling_mode_"), field)
            for field, is_on in described.items()
            if field.startswith("pooling_mode_") and is_on
        ]
    )
    if len(wanted) != 1 or wanted[0] not in _POOLINGS.values():
        raise _refused(name, f"its pooling is {', '.join(map(str, wanted))}")
    return str(wanted[0])


def _refused(name: str, reason: str) -> ModelError:
    return ModelError(f"runtime=openvino: {name} is not a plain BERT ({reason}); use torch")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"runtime=openvino: {path} cannot be read; use torch") from error


def load_openvino() -> ModuleType:
    """Return the library, which would else report each import of it to its makers."""
    sys.modules.setdefault("openvino_telemetry", cast("ModuleType", None))
    import openvino

    return cast("ModuleType", openvino)


def bert_graph(model: BertFolder) -> Any:
    """Return the model: token ids and an additive mask in, vectors of tokens out."""
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

    file: Any = safe_open(folder / "model.safetensors", "np")
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
        """Return what the first layer reads; all tokens are of the first of two texts."""
        ops, zero = self.ops, self.integers(0)
        length = ops.gather(ops.shape_of(ids), self.integers(1), zero)
        word, position, kind = (
            self.weight(f"embeddings.{one}_embeddings.weight")
            for one in ("word", "position", "token_type")
        )
        # BERT reads positions and kinds from tables as it reads words.
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
