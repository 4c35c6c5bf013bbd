"""Network in ONNX Runtime: `*.onnx` and `tokenizer.json` in a folder.

Each text is computed alone and without padding. Models with dynamic quantization round activations
by their range in a batch, so that a neighbour would change a vector.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.dense.loading import read_tokenizer
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.shapes import Row, Shape
from retrievers.dense.vectors import finished, normalised, pooled
from retrievers.dense.weights import Weights
from retrievers.errors import ModelError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LONGEST = 512
"""Most tokens of models that do not set a limit: the positions of BERT."""
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
_REASON = 200


@dataclass(frozen=True)
class OnnxNetwork:
    """A session of ONNX Runtime. The default pooling is the mean."""

    tokenizer: "Tokenizer"
    session: Any
    longest: int

    @classmethod
    def of(cls, weights: Weights) -> "OnnxNetwork":
        """Return the model of a folder, on one thread."""
        folder = weights.present
        graphs = sorted(folder.glob("*.onnx"))
        if len(graphs) != 1 or not (folder / "tokenizer.json").is_file():
            message = f"model={weights.name}: give a folder with one *.onnx and tokenizer.json"
            raise ModelError(message)
        session = _session(graphs[0], weights.name)
        return cls(read_tokenizer(folder), session, _longest(folder))

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector per row, with the pooling, dimensions and length of the settings."""
        del shape
        return _pooled([self._states(row) for row in rows], settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row one normalised vector per token."""
        del shape
        return [normalised(self._states(row)) for row in rows]

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return the vector and the token vectors of each row, from one run of the model."""
        del shape
        states = [self._states(row) for row in rows]
        return _pooled(states, settings), [normalised(one) for one in states]

    def _states(self, row: Row) -> Floats:
        ids = np.asarray(row, np.int64)[None]
        known = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        given = {one.name: known[one.name] for one in self.session.get_inputs()}
        return np.asarray(self.session.run(None, given)[0][0], np.float32)


def _pooled(states: Sequence[Floats], settings: EmbeddingModel) -> Floats:
    return finished(np.stack([pooled(one, settings.pooling) for one in states]), settings)


def _session(graph: Path, name: str) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        message = f'model={name}: it needs onnxruntime; pip install "rankgrid[onnx]"'
        raise ModelError(message) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(graph), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the runtime's own errors have no common root
        reason = " ".join(str(error).split())[:_REASON]
        raise ModelError(f"model={name}: {graph.name} does not load ({reason})") from error
    inputs = {one.name for one in session.get_inputs()}
    if not inputs <= _INPUTS or len(session.get_outputs()[0].shape) != 3:  # noqa: PLR2004
        message = f"model={name}: {graph.name} does not make token vectors of token ids"
        raise ModelError(f"{message} (its inputs: {', '.join(sorted(inputs))})")
    return session


def _longest(folder: Path) -> int:
    try:
        config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        return min(int(config["model_max_length"]), 16 * _LONGEST)
    except (OSError, ValueError, LookupError, TypeError):
        return _LONGEST
