"""Settings of an embedding model. All of them are part of fingerprints."""

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from retrievers.dense.bert_folder import BertFolder, NotPlainBertError
from retrievers.dense.weights import PACKAGED, Weights, locate
from retrievers.errors import ModelError

Dtype = Literal["auto", "float32", "bfloat16"]
Pooling = Literal["model", "mean", "cls", "last", "max"]
LongText = Literal["max", "mean", "truncate"]
WindowsOf = Literal["own", "small_to_big"]
Bits = Literal[8, 16]
ComputedBy = Literal["torch", "openvino"]

LATER = MappingProxyType({"later": True})
"""Metadata of later settings: at their defaults, fingerprints stay as before."""

_SMALLEST_WINDOW = 16
_BF16_FLAGS = {"avx512_bf16", "amx_bf16"}
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class EmbeddingModel:
    """A sentence-transformers model with the settings of its input and output."""

    model: str = PACKAGED
    """Packaged model, local folder, or name on the hub."""
    revision: str = ""
    dtype: Dtype = "auto"
    window: int = 0
    """Most tokens of one text, special ones included; 0: the limit of the model."""
    path_header: bool = True
    long_text: LongText = "max"
    """Score of a chunk longer than the window: of its best window, of the mean of all windows, or
    of the beginning that fits."""
    query_prompt: str = ""
    passage_prompt: str = ""
    dimensions: int = 0
    """Leading dimensions to keep (Matryoshka); 0: all."""
    trust_remote_code: bool = False
    pooling: Pooling = field(default="model", repr=False, metadata=LATER)
    """Pooling of token vectors: the model's own, or another."""
    normalise: bool = field(default=True, repr=False, metadata=LATER)
    """Whether vectors are scaled to length 1 (cosine) or keep the length of the model."""
    windows: WindowsOf = field(default="own", repr=False, metadata=LATER)
    """Source of windows: each chunk by itself, or whole documents (`small_to_big`), where the
    chunks around the best windows are returned."""
    runtime: ComputedBy = field(default="torch", repr=False, metadata=LATER)
    """Library that computes a transformer. `identity` contains its version."""

    def __post_init__(self) -> None:
        """Refuse settings with which no model can be loaded."""
        check_choice("pooling", self.pooling, get_args(Pooling))
        check_model(self.model, self.revision, trusted=self.trust_remote_code)
        check_choice("dtype", self.dtype, get_args(Dtype))
        check_choice("long_text", self.long_text, get_args(LongText))
        check_choice("windows", self.windows, get_args(WindowsOf))
        check_choice("runtime", self.runtime, get_args(ComputedBy))
        if self.windows == "small_to_big":
            # The chunk around the best window is returned: equal searches must be equal.
            object.__setattr__(self, "long_text", "max")
        if self.window and self.window < _SMALLEST_WINDOW:
            raise ModelError(f"window={self.window}: give 0 or at least {_SMALLEST_WINDOW} tokens")
        if self.dimensions < 0:
            raise ModelError(f"dimensions={self.dimensions}: give 0 (all of them) or more")

    def resolved(self) -> "EmbeddingModel":
        """Return these settings with `dtype=auto` replaced by the best dtype of this machine."""
        runtime = self.weights.runtime
        if self.runtime == "openvino":
            self._refuse_in_openvino(runtime)
        if runtime == "transformer":
            return replace(self, dtype=resolved_dtype(self.dtype))
        if self.dtype == "bfloat16":
            message = f"dtype=bfloat16: {self.model} computes in its own number format; use auto"
            raise ModelError(message)
        if runtime == "static" and self.pooling not in ("model", "mean"):
            message = f"pooling={self.pooling}: {self.model} has no tokens in context"
            raise ModelError(f"{message}; leave model")
        return replace(self, dtype="float32")

    def _refuse_in_openvino(self, runtime: str) -> None:
        if runtime != "transformer":
            message = f"runtime=openvino: {self.model} is not a transformer in safetensors"
            raise ModelError(f"{message}; use torch")
        folder = self.weights.folder
        if folder is None:
            message = f"runtime=openvino: {self.model} is on the hub"
            raise ModelError(f"{message}; download it, and give its folder as model")
        try:
            BertFolder.of(self.model, folder)
        except NotPlainBertError as error:
            raise ModelError(f"runtime=openvino: {error}; use torch") from error

    @property
    def is_static(self) -> bool:
        """Whether a token has the same vector in every text."""
        return self.weights.runtime == "static"

    @property
    def weights(self) -> Weights:
        """Files of the model."""
        return locate(self.model, self.revision)

    @property
    def identity(self) -> str:
        """Identity of everything outside the fields that changes a vector."""
        if self.runtime == "openvino":
            return self.weights.identity_in_openvino
        return self.weights.identity

    @property
    def unusual(self) -> str:
        """Settings that `repr` leaves out, if they differ from the defaults."""
        if (self.pooling, self.normalise) == ("model", True):
            return ""
        return f" pooling={self.pooling} normalise={self.normalise}"


def resolved_dtype(dtype: Dtype) -> Dtype:
    """Return bfloat16 for auto if the processor computes in it, otherwise float32."""
    if dtype != "auto":
        return dtype
    return "bfloat16" if _processor_has_bf16() else "float32"


def check_model(model: str, revision: str, *, trusted: bool) -> None:
    """Refuse a model without a name, and remote code that is not pinned to a commit."""
    if not model.strip():
        raise ModelError("model='': give a model's folder or a hub name")
    if trusted and not _COMMIT.fullmatch(revision) and not Path(model).expanduser().is_dir():
        message = (
            f"model={model}: trust_remote_code=true runs the repository's code; pin it with"
            " revision=<the 40 hex digits of a commit that you have read>"
        )
        raise ModelError(message)


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a value that is not one of `choices`."""
    if value not in choices:
        raise ModelError(f"{name}={value}: choose one of {', '.join(choices)}")


@lru_cache(maxsize=1)
def _processor_has_bf16() -> bool:
    try:
        description = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    flags = next((line for line in description.splitlines() if line.startswith("flags")), "")
    return not _BF16_FLAGS.isdisjoint(flags.split())
