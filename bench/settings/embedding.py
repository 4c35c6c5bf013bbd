"""Settings of an embedding model, parsed without the imports of a whole study."""

from collections.abc import Mapping
from typing import Any

from bench.errors import SettingError
from bench.settings.fields import build
from retrievers.dense import EmbeddingModel, EmbeddingServer


def parse_embedder(config: Mapping[str, Any]) -> EmbeddingModel:
    """Return the embedding model of a configuration."""
    kind = EmbeddingServer if "url" in config["embedder"] else EmbeddingModel
    settings = build(kind, config["embedder"], where="embedder")
    try:
        return settings.resolved()
    except ValueError as error:
        raise SettingError(f"embedder: {error}") from error
