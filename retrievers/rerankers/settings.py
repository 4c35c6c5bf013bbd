"""The settings of rerankers. Every field is part of the fingerprint."""

import math
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from retrievers.dense.settings import (
    LATER,
    ComputedBy,
    Dtype,
    EmbeddingModel,
    WindowsOf,
    check_choice,
    check_model,
    resolved_dtype,
)
from retrievers.dense.weights import PACKAGED, Weights, locate
from retrievers.errors import ModelError

VectorsFrom = Literal["stored", "computed"]

_SHORTEST_PAIR = 16


@dataclass(frozen=True)
class LateInteraction:
    """A reranker that compares the tokens of the query and each candidate (MaxSim).

    `weight` is the weight of the reranker's score in `fuse`.
    """

    model: str = PACKAGED
    revision: str = ""
    dtype: Dtype = "auto"
    window: int = 0
    path_header: bool = True
    windows: WindowsOf = "own"
    """The windows that are compared: those of each chunk, or those of its document near it."""
    query_prompt: str = ""
    passage_prompt: str = ""
    trust_remote_code: bool = False
    depth: int = 20
    weight: float = 0.2
    keep: int = 0
    """Number of hits that are kept after reranking; 0 keeps all."""
    vectors: VectorsFrom = "stored"
    """Whether token vectors are stored with the index, or computed for the hits of each query.

    Both give equal scores, to the last bit.
    """
    runtime: ComputedBy = field(default="torch", repr=False, metadata=LATER)
    """The runtime of the model, like `embedder.runtime`."""

    def __post_init__(self) -> None:
        """Raise an error for invalid values. Static models never store vectors: they are fast."""
        check_place(self.depth, self.weight, self.keep)
        check_choice("vectors", self.vectors, get_args(VectorsFrom))
        if self.embedder.is_static:
            object.__setattr__(self, "vectors", "computed")

    @property
    def embedder(self) -> EmbeddingModel:
        """The model of the tokens, with its dtype resolved."""
        return EmbeddingModel(
            model=self.model,
            revision=self.revision,
            dtype=self.dtype,
            window=self.window,
            path_header=self.path_header,
            windows=self.windows,
            query_prompt=self.query_prompt,
            passage_prompt=self.passage_prompt,
            trust_remote_code=self.trust_remote_code,
            runtime=self.runtime,
        ).resolved()


@dataclass(frozen=True)
class CrossEncoder:
    """A reranker whose model reads the query and each candidate together.

    `weight` is the weight of the reranker's score in `fuse`. From 1, only this score counts.
    """

    model: str
    """A local folder, or a name on the hub."""
    depth: int = 20
    revision: str = ""
    trust_remote_code: bool = False
    dtype: Dtype = "auto"
    max_length: int = 512
    """Maximum tokens of query and candidate together. The longer of the two is cut first."""
    weight: float = 1.0
    keep: int = 0
    """Number of hits that are kept after reranking; 0 keeps all."""

    def __post_init__(self) -> None:
        """Raise an error for values that are not allowed."""
        check_place(self.depth, self.weight, self.keep)
        check_model(self.model, self.revision, trusted=self.trust_remote_code)
        check_choice("dtype", self.dtype, get_args(Dtype))
        if self.max_length < _SHORTEST_PAIR:
            message = f"max_length={self.max_length}: give at least {_SHORTEST_PAIR} tokens"
            raise ModelError(message)

    def resolved(self) -> "CrossEncoder":
        """Return these settings with `dtype=auto` replaced by the best dtype for this machine."""
        return replace(self, dtype=resolved_dtype(self.dtype))

    @property
    def weights(self) -> Weights:
        """The files of the model."""
        return locate(self.model, self.revision)

    @property
    def identity(self) -> str:
        """The identity of the files and the resolved dtype, which also change scores."""
        return f"{self.weights.identity} dtype={resolved_dtype(self.dtype)}"


def check_place(depth: int, weight: float, keep: int) -> None:
    """Raise an error for a depth, weight or count out of range."""
    if depth < 1:
        raise ModelError(f"depth={depth}: rerank at least 1 candidate")
    if not (math.isfinite(weight) and weight >= 0):
        raise ModelError(f"weight={weight}: give 0 or more")
    if keep < 0:
        raise ModelError(f"keep={keep}: give how many hits are left, or 0 for all")
