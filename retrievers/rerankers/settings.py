"""What a user can say about a reranker; every field is part of a fingerprint."""

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
    """Compare the tokens of the query with those of each candidate (MaxSim).

    `weight` is that of the second score beside the first (`fuse`).
    """

    model: str = PACKAGED
    revision: str = ""
    dtype: Dtype = "auto"
    window: int = 0
    path_header: bool = True
    windows: WindowsOf = "own"
    """Whose windows are compared: those of each chunk, or those of its document near it."""
    query_prompt: str = ""
    passage_prompt: str = ""
    trust_remote_code: bool = False
    depth: int = 20
    weight: float = 0.2
    keep: int = 0
    """How many hits are left of the new order; 0: all."""
    vectors: VectorsFrom = "stored"
    """Whether token vectors are stored with the index, or computed for the hits of each query.

    Scores are equal, to the last bit.
    """
    runtime: ComputedBy = field(default="torch", repr=False, metadata=LATER)
    """What computes the model, as `embedder.runtime`."""

    def __post_init__(self) -> None:
        """Refuse what cannot be computed, and a store for what takes no time to compute."""
        check_place(self.depth, self.weight, self.keep)
        check_choice("vectors", self.vectors, get_args(VectorsFrom))
        if self.embedder.is_static:
            object.__setattr__(self, "vectors", "computed")

    @property
    def embedder(self) -> EmbeddingModel:
        """The model whose tokens are compared, with its dtype resolved."""
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
    """Let a model read the query and each candidate together.

    `weight` is that of the second score beside the first; from 1 it decides alone (`fuse`).
    """

    model: str
    """A local folder, or a name on the hub."""
    depth: int = 20
    revision: str = ""
    trust_remote_code: bool = False
    dtype: Dtype = "auto"
    max_length: int = 512
    """Tokens of query and candidate together; longer candidates are cut."""
    weight: float = 1.0
    keep: int = 0
    """How many hits are left of the new order; 0: all."""

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        check_place(self.depth, self.weight, self.keep)
        check_model(self.model, self.revision, trusted=self.trust_remote_code)
        check_choice("dtype", self.dtype, get_args(Dtype))
        if self.max_length < _SHORTEST_PAIR:
            message = f"max_length={self.max_length}: give at least {_SHORTEST_PAIR} tokens"
            raise ModelError(message)

    def resolved(self) -> "CrossEncoder":
        """Return these settings with `dtype=auto` turned into what this machine is good at."""
        return replace(self, dtype=resolved_dtype(self.dtype))

    @property
    def weights(self) -> Weights:
        """Where the model's files are."""
        return locate(self.model, self.revision)

    @property
    def identity(self) -> str:
        """Everything outside the fields that changes a score, and the dtype that auto means."""
        return f"{self.weights.identity} dtype={resolved_dtype(self.dtype)}"


def check_place(depth: int, weight: float, keep: int) -> None:
    """Refuse a depth, a weight or a count that means nothing."""
    if depth < 1:
        raise ModelError(f"depth={depth}: rerank at least 1 candidate")
    if not (math.isfinite(weight) and weight >= 0):
        raise ModelError(f"weight={weight}: give 0 or more")
    if keep < 0:
        raise ModelError(f"keep={keep}: give how many hits are left, or 0 for all")
