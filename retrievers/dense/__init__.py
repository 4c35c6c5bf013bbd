"""Dense retrieval: reading by a model, embedding, and search over vectors.

`settings` describe the model, `windows` cut chunks to its size, `encoder` turns texts into vectors
that never depend on their batch, `search` scores chunks by their windows, `tokens` by the token
vectors of windows, and `engines` hold vectors in NumPy or Qdrant. This package does not know
stores or plans.
"""

from retrievers.dense.encoder import Encoder
from retrievers.dense.engine_settings import VectorSettings
from retrievers.dense.engines import ExactEngine, VectorEngine, recall
from retrievers.dense.opening import load_encoder
from retrievers.dense.qdrant import (
    EdgeEngine,
    QdrantEngine,
    ServerEngine,
    open_engine,
    open_multivectors,
)
from retrievers.dense.reader import text_token_ends
from retrievers.dense.retriever import (
    Dense,
    LoadedModel,
    ModelWindows,
    QueryVectors,
    Vectors,
    WindowVectors,
    joined,
)
from retrievers.dense.search import (
    ChunksOfPoints,
    best_of_windows,
    chunk_scores,
    points_of_chunks,
)
from retrievers.dense.served import EmbeddingServer, ServedEncoder
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.shapes import slice_by_length
from retrievers.dense.tokens import TokenVectors, window_scores
from retrievers.dense.weights import PACKAGED, refuse_absent
from retrievers.dense.windows import (
    Members,
    Windows,
    chunk_headers,
    chunk_windows,
    cut_chunk_windows,
    cut_windows,
    document_windows,
    joined_windows,
    members,
    rows_by_document,
    window_text,
    window_texts,
)

__all__ = [
    "PACKAGED",
    "ChunksOfPoints",
    "Dense",
    "EdgeEngine",
    "EmbeddingModel",
    "EmbeddingServer",
    "Encoder",
    "ExactEngine",
    "LoadedModel",
    "Members",
    "ModelWindows",
    "QdrantEngine",
    "QueryVectors",
    "ServedEncoder",
    "ServerEngine",
    "TokenVectors",
    "VectorEngine",
    "VectorSettings",
    "Vectors",
    "WindowVectors",
    "Windows",
    "best_of_windows",
    "chunk_headers",
    "chunk_scores",
    "chunk_windows",
    "cut_chunk_windows",
    "cut_windows",
    "document_windows",
    "joined",
    "joined_windows",
    "load_encoder",
    "members",
    "open_engine",
    "open_multivectors",
    "points_of_chunks",
    "recall",
    "refuse_absent",
    "rows_by_document",
    "slice_by_length",
    "text_token_ends",
    "window_scores",
    "window_text",
    "window_texts",
]
