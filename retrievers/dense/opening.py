"""Encoders by their settings: a model in this process, or a model behind a server."""

from functools import lru_cache

from retrievers.dense.encoder import Encoder, load_local_encoder
from retrievers.dense.served import EmbeddingServer, ServedEncoder
from retrievers.dense.settings import EmbeddingModel


def load_encoder(settings: EmbeddingModel) -> Encoder:
    """Return the encoder of these settings; encoders of one model share it in memory."""
    if isinstance(settings, EmbeddingServer):
        return _served(settings)
    return load_local_encoder(settings)


@lru_cache(maxsize=4)
def _served(settings: EmbeddingServer) -> ServedEncoder:
    return ServedEncoder(settings)
