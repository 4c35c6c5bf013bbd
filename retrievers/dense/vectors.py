"""Pooling of token vectors in NumPy, for models that torch does not run."""

import numpy as np

from retrievers.dense.settings import EmbeddingModel, Pooling
from retrievers.interface import Floats

_SMALLEST_NORM = 1e-12


def pooled(tokens: Floats, pooling: Pooling) -> Floats:
    """Return the pooled token vectors of a text; zeros without tokens. `model` means the mean."""
    if not len(tokens):
        return np.zeros(tokens.shape[1], np.float32)
    match pooling:
        case "cls":
            whole = tokens[0]
        case "last":
            whole = tokens[-1]
        case "max":
            whole = tokens.max(axis=0)
        case _:
            whole = tokens.mean(axis=0, dtype=np.float64)
    return np.asarray(whole, np.float32)


def finished(vectors: Floats, settings: EmbeddingModel) -> Floats:
    """Return vectors cut to the dimensions of the settings, and normalised if they say so."""
    kept = vectors[:, : settings.dimensions or None]
    return normalised(kept) if settings.normalise else kept


def normalised(vectors: Floats) -> Floats:
    """Return vectors of length 1; vectors of zeros stay."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, _SMALLEST_NORM), np.float32)
