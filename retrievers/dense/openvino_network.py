"""Network of a BERT in OpenVINO, in the fixed shapes of `shapes`, without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.dense.bert_folder import BertFolder
from retrievers.dense.loading import read_tokenizer
from retrievers.dense.openvino_bert import bert_graph, load_openvino
from retrievers.dense.settings import Dtype, EmbeddingModel
from retrievers.dense.shapes import Row, Shape, filled
from retrievers.dense.vectors import finished, normalised, pooled
from retrievers.dense.weights import Weights
from retrievers.errors import ModelError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PRECISION = {"bfloat16": "bf16", "float32": "f32"}
_HIDDEN = np.float32(-3e38)
"""Number added to the attention scores of padding; bfloat16 can represent it."""


@dataclass(frozen=True)
class OpenvinoNetwork:
    """A compiled model for all shapes, whose kernels depend on the shape only."""

    tokenizer: "Tokenizer"
    described: BertFolder
    request: Any

    @classmethod
    def of(cls, weights: Weights, dtype: Dtype) -> "OpenvinoNetwork":
        """Return the model of a folder, on one thread."""
        described = BertFolder.of(weights.name, weights.present)
        try:
            tokenizer = read_tokenizer(described.folder)
            graph = bert_graph(described)
        except Exception as error:  # the errors of tokenizers and safetensors have no common root
            message = f"model={weights.name}: its files cannot be read ({error})"
            raise ModelError(f"{message}; give a sentence-transformers folder") from error
        options = {
            "INFERENCE_PRECISION_HINT": _PRECISION[dtype],
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": "1",
            "ENABLE_CPU_PINNING": False,
        }
        compiled = load_openvino().Core().compile_model(graph, "CPU", options)
        return cls(tokenizer, described, compiled.create_infer_request())

    @property
    def longest(self) -> int:
        """Most tokens that the model was trained to read."""
        return self.described.longest

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector per row, with the pooling, dimensions and length of the settings."""
        return self._pooled(self._states(shape, rows), settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row one normalised vector per token."""
        return [normalised(one) for one in self._states(shape, rows)]

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return the vector and the token vectors of each row, from one forward pass."""
        states = self._states(shape, rows)
        return self._pooled(states, settings), [normalised(one) for one in states]

    def _pooled(self, states: Sequence[Floats], settings: EmbeddingModel) -> Floats:
        pooling = self.described.pooling if settings.pooling == "model" else settings.pooling
        whole = np.stack([pooled(one, pooling) for one in states])
        return finished(normalised(whole) if self.described.normalises else whole, settings)

    def _states(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return the token vectors of each row without padding, in float32."""
        ids, seen = filled(shape, rows, padding=self.described.padding)
        mask = np.where(seen == 1, np.float32(0), _HIDDEN)
        states = self.request.infer([ids, mask])[0]
        # The runtime writes the next batch to the same memory.
        return [np.array(states[place, : len(row)]) for place, row in enumerate(rows)]
