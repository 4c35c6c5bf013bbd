"""Settings of a BERT such as MiniLM, BGE or E5, read from a sentence-transformers folder.

`openvino_bert` and `torch_bert` compute the model without transformers, which takes seconds to
import. A folder with settings that they do not support is refused with the reason.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from retrievers.errors import ModelError

OwnPooling = Literal["mean", "cls", "max", "last"]

WEIGHTS = "model.safetensors"
_NORMAL = {
    "model_type": ("bert",),
    "hidden_act": ("gelu",),
    "position_embedding_type": ("absolute", None),
    "is_decoder": (False, None),
    "add_cross_attention": (False, None),
    "chunk_size_feed_forward": (0, None),
    "quantization_config": (None,),
    "auto_map": (None,),
}
"""Supported values of `config.json`; None is an absent field."""
_NORMAL_TRANSFORMER = {
    "do_lower_case": (False, None),
    "transformer_task": ("feature-extraction", None),
    "module_output_name": ("token_embeddings", None),
    "modality_config": (
        {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
        None,
    ),
    "max_seq_length": None,
}
"""Fields of `sentence_bert_config.json` with their supported values; None allows every value."""
_NUMBERS = (
    "hidden_size",
    "intermediate_size",
    "layer_norm_eps",
    "max_position_embeddings",
    "num_attention_heads",
    "num_hidden_layers",
    "type_vocab_size",
    "vocab_size",
)
_POOLINGS: Mapping[str, OwnPooling] = {
    "mean": "mean",
    "cls": "cls",
    "max": "max",
    "lasttoken": "last",
}
_OLD_POOLINGS: Mapping[str, OwnPooling] = {
    "mean_tokens": "mean",
    "cls_token": "cls",
    "max_tokens": "max",
    "lasttoken": "last",
}
_MODULES = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
"""Kinds of modules, in their order, with the folder of each."""
_LONGEST = 8192
"""Most tokens of models that do not set a limit."""


class NotPlainBertError(ModelError):
    """A folder with a model that only sentence-transformers can compute."""


@dataclass(frozen=True)
class BertFolder:
    """A BERT with its pooling and the most tokens that it reads."""

    folder: Path
    config: Mapping[str, Any]
    pooling: OwnPooling
    normalises: bool
    """Whether the model itself normalises its vectors to length 1."""
    longest: int
    """Most tokens that the model was trained to read."""

    @classmethod
    def of(cls, name: str, folder: Path) -> "BertFolder":
        """Return the model of a folder, or refuse a model that is not a plain BERT."""
        try:
            return cls._read(name, folder)
        except (LookupError, TypeError, AttributeError) as error:
            raise _refused(name, f"its files have an unknown form: {error!r}") from error

    @classmethod
    def _read(cls, name: str, folder: Path) -> "BertFolder":
        config = _read(folder / "config.json")
        _check(name, config, _NORMAL)
        whole = _read_if_there(folder / "config_sentence_transformers.json")
        _check(name, whole, {"model_type": ("SentenceTransformer", None)})
        if (folder / "adapter_config.json").exists():
            raise _refused(name, "it is an adapter")
        missing = [field for field in _NUMBERS if field not in config]
        if missing:
            raise _refused(name, f"its config.json lacks {', '.join(missing)}")
        modules = _modules(name, folder)
        pooling = _pooling(name, folder / "1_Pooling/config.json") if modules else "mean"
        longest = min(_limit(name, folder), int(config["max_position_embeddings"]))
        return cls(folder, config, pooling, "Normalize" in modules, longest)

    @property
    def padding(self) -> int:
        """Token that pads a row."""
        return int(self.config.get("pad_token_id") or 0)


def _check(name: str, said: Mapping[str, Any], normal: Mapping[str, Any]) -> None:
    for field, values in normal.items():
        value = said.get(field)
        if values is not None and value not in values:
            raise _refused(name, f"{field} is {value}, not {values[0]}")


def _modules(name: str, folder: Path) -> list[str]:
    """Return the kinds of a folder's modules; without a list, it is a transformer only."""
    listed = _read(folder / "modules.json") if (folder / "modules.json").is_file() else []
    limits = {path.name for path in folder.glob("sentence_*_config.json")}
    if limits - ({"sentence_bert_config.json"} if listed else set()):
        raise _refused(name, f"it has the files {', '.join(sorted(limits))}")
    kinds = [one["type"].rsplit(".", 1)[-1] for one in listed]
    if listed and kinds != [*_MODULES][: max(len(kinds), 2)]:
        raise _refused(name, f"it has the modules {', '.join(kinds)}")
    for kind, one in zip(kinds, listed, strict=True):
        if one["path"] != _MODULES[kind] or not one["type"].startswith("sentence_transformers."):
            raise _refused(name, f"its {kind} is {one['type']} in {one['path'] or 'the folder'}")
    normalised = _read_if_there(folder / _MODULES["Normalize"] / "config.json")
    if set(normalised.values()) - {"sentence_embedding"}:
        raise _refused(name, "it normalises something else than the vector of a text")
    return kinds


def _limit(name: str, folder: Path) -> int:
    """Return the most tokens of a text; the transformer's own limit takes precedence."""
    described = _read_if_there(folder / "sentence_bert_config.json")
    _check(name, described, _NORMAL_TRANSFORMER)
    unknown = sorted(described.keys() - _NORMAL_TRANSFORMER.keys())
    if unknown:
        raise _refused(name, f"it sets {', '.join(unknown)}")
    own = _read_if_there(folder / "tokenizer_config.json").get("model_max_length")
    return int(min(described.get("max_seq_length") or own or _LONGEST, _LONGEST))


def _pooling(name: str, path: Path) -> OwnPooling:
    described = _read(path)
    given = str(described.get("pooling_mode", ""))
    if given in _POOLINGS:
        return _POOLINGS[given]
    wanted = [field for field, on in described.items() if field.startswith("pooling_mode_") and on]
    old = [_OLD_POOLINGS.get(field.removeprefix("pooling_mode_")) for field in wanted]
    if given or len(old) != 1 or old[0] is None:
        raise _refused(name, f"its pooling is {given or ', '.join(wanted)}")
    return old[0]


def _refused(name: str, reason: str) -> NotPlainBertError:
    return NotPlainBertError(f"{name} is not a plain BERT ({reason})")


def _read_if_there(path: Path) -> Any:
    return _read(path) if path.is_file() else {}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotPlainBertError(f"{path} cannot be read") from error
