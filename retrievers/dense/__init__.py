"""Meaning as vectors: what a model reads, what it makes of it, and how vectors are searched.

`settings` say which model and how, `windows` cut documents into what fits it, `encoder` turns
texts into vectors that never depend on their batch, `search` scores chunks by the windows that
lie in them, `tokens` by the tokens of these, `engines` hold vectors in NumPy or Qdrant. Nothing
here knows of stores or plans.
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
from retrievers.dense.retriever import (
    Dense,
    LoadedModel,
    ModelWindows,
    QueryVectors,
    Vectors,
    WindowVectors,
    best_of_found,
    chunk_of_each,
    joined,
    windows_of_chunks,
)
from retrievers.dense.search import best_of_windows, chunk_scores
from retrievers.dense.served import EmbeddingServer, ServedEncoder
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.tokens import TokenVectors, window_scores
from retrievers.dense.weights import PACKAGED, refuse_absent
from retrievers.dense.windows import (
    Members,
    Windows,
    cut_chunk_windows,
    cut_windows,
    document_windows,
    joined_windows,
    members,
    window_text,
    window_texts,
)

__all__ = [
    "PACKAGED",
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
    "best_of_found",
    "best_of_windows",
    "chunk_of_each",
    "chunk_scores",
    "cut_chunk_windows",
    "cut_windows",
    "document_windows",
    "joined",
    "joined_windows",
    "load_encoder",
    "members",
    "open_engine",
    "open_multivectors",
    "recall",
    "refuse_absent",
    "window_scores",
    "window_text",
    "window_texts",
    "windows_of_chunks",
]
