"""Network without context: a vector for each token, and their mean for a text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.dense.bert_folder import WEIGHTS
from retrievers.dense.loading import read_tokenizer
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.shapes import Row, Shape
from retrievers.dense.vectors import finished, normalised, pooled
from retrievers.dense.weights import Weights, refuse_pickles
from retrievers.errors import ModelError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Numbers = np.ndarray[Any, np.dtype[Any]]

_LONGEST = 8192
"""Most tokens of a text; such models do not set a limit."""
_TYPES = {"BF16": "<u2", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
_KEPT_BYTES = 16_000_000
"""Bytes of rows that are kept. For the 9 million tokens of Django, a row is read 130,000 times."""
_HEADER = 8
"""Bytes with the length of the JSON header of a safetensors file."""


class TokenTable:
    """Vectors of tokens, in a file that is mapped into memory.

    Rows that were read last are kept as float32, since a few thousand tokens make nearly all of a
    repository's text. A whole vocabulary would take 150 MB in each process.
    """

    def __init__(
        self,
        vectors: Numbers,
        places: Numbers | None = None,
        weights: Numbers | None = None,
        *,
        kept_bytes: int = _KEPT_BYTES,
    ) -> None:
        self._vectors = vectors
        self._places = places
        """Row of each token if tokens share rows; otherwise None."""
        self._weights = weights
        """Factor of each token's row; None for 1."""
        count, dimensions = len(vectors if places is None else places), vectors.shape[1]
        room = min(count, kept_bytes // (dimensions * np.dtype(np.float32).itemsize))
        self._kept = np.empty((room, dimensions), np.float32)
        self._used = 0
        self._slot = np.full(count, -1, np.int32)
        """Position of each token's row in `_kept`; -1 if it is not kept."""

    def rows(self, tokens: Row) -> Floats:
        """Return the vectors of tokens."""
        slots = self._slot[tokens]
        if (slots < 0).any():
            new = np.unique(tokens[slots < 0])
            if self._used + len(new) > len(self._kept):
                self._slot[:] = -1
                self._used, new = 0, np.unique(tokens)
            if len(new) > len(self._kept):
                return self._read(tokens)
            self._keep(new)
            slots = self._slot[tokens]
        return self._kept[slots]

    def _keep(self, tokens: Numbers) -> None:
        slots = slice(self._used, self._used + len(tokens))
        self._kept[slots] = self._read(tokens)
        self._slot[tokens] = np.arange(slots.start, slots.stop)
        self._used = slots.stop

    def _read(self, tokens: Numbers) -> Floats:
        found = self._vectors[tokens if self._places is None else self._places[tokens]]
        if self._weights is not None:
            # Products of smaller types are exact in float64 and are rounded once, to float32.
            found = found.astype(np.float64) * self._weights[tokens][:, None]
        return np.asarray(found, np.float32)


@dataclass(frozen=True)
class StaticNetwork:
    """Model with a fixed vector for each token; the vector of a text is their mean."""

    tokenizer: "Tokenizer"
    table: TokenTable
    normalises: bool
    """Whether the model itself normalises its vectors to length 1."""
    longest: int = _LONGEST

    @classmethod
    def of(cls, weights: Weights) -> "StaticNetwork":
        """Return the model of a sentence-transformers folder, without importing that library."""
        refuse_pickles(weights)
        modules = json.loads((weights.present / "modules.json").read_text(encoding="utf-8"))
        folder = weights.present / modules[0]["path"]
        others = sorted(
            {str(one["type"]).rsplit(".", 1)[-1] for one in modules[1:]} - {"Normalize"}
        )
        if others:
            message = (
                f"model={weights.name}: a static model with {', '.join(others)} cannot be used"
            )
            raise ModelError(f"{message}; give one with nothing but Normalize")
        try:
            tokenizer = read_tokenizer(folder)
            table = _table(_mapped(folder / WEIGHTS))
        except Exception as error:  # the errors of tokenizers and safetensors have no common root
            message = f"model={weights.name}: its files cannot be read ({error})"
            raise ModelError(f"{message}; give a sentence-transformers folder") from error
        return cls(tokenizer, table, normalises=len(modules) > 1)

    def vectors(self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel) -> Floats:
        """Return one vector per row, with the dimensions and length of the settings."""
        del shape
        means = np.stack([pooled(self.table.rows(row), "mean") for row in rows])
        return finished(normalised(means) if self.normalises else means, settings)

    def token_vectors(self, shape: Shape, rows: Sequence[Row]) -> list[Floats]:
        """Return for each row one normalised vector per token."""
        del shape
        return [normalised(self.table.rows(row)) for row in rows]

    def both_vectors(
        self, shape: Shape, rows: Sequence[Row], settings: EmbeddingModel
    ) -> tuple[Floats, list[Floats]]:
        """Return the vector and the token vectors of each row."""
        return self.vectors(shape, rows, settings), self.token_vectors(shape, rows)


def _table(tensors: Mapping[str, Numbers]) -> TokenTable:
    """Return the table from a file of sentence-transformers or model2vec."""
    if "embedding.weight" in tensors:
        return TokenTable(tensors["embedding.weight"])
    return TokenTable(tensors["embeddings"], tensors.get("mapping"), tensors.get("weights"))


def _mapped(path: Path) -> dict[str, Numbers]:
    """Return the tensors of a file without reading them."""
    from safetensors import safe_open

    safe_open(path, "np")  # refuses a file whose header and size do not agree
    with path.open("rb") as file:
        size = int.from_bytes(file.read(_HEADER), "little")
        described = json.loads(file.read(size))
    described.pop("__metadata__", None)
    found = {}
    for name, tensor in described.items():
        kind, shape = tensor["dtype"], tuple(tensor["shape"])
        if kind not in _TYPES:
            message = f"{name} has numbers of the type {kind}, not of {', '.join(_TYPES)}"
            raise ValueError(message)
        start = _HEADER + size + tensor["data_offsets"][0]
        whole = np.asarray(np.memmap(path, _TYPES[kind], "r", offset=start, shape=shape))
        if kind == "BF16":  # NumPy does not have this type, the upper half of float32
            whole = (whole.astype(np.uint32) << 16).view(np.float32)
        found[name] = whole
    return found
