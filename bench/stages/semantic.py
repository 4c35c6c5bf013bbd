"""Chunking by vectors: neighbouring sentences are embedded and compared."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.stages.dense import EmbeddedWindows
from retrievers.chunkers import Semantic, single_sentences
from retrievers.dense import EmbeddingModel, Vectors, Windows, joined
from retrievers.interface import Chunks, Documents, TokenEnds


@dataclass(frozen=True)
class FindSentences(Stage[Chunks]):
    """Find every sentence; sentences larger than a chunk are cut."""

    kind: ClassVar[str] = "find-sentences"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    size: int

    def run(self, read: Read, /) -> Chunks:
        """Return the sentences."""
        sentences = single_sentences(read(self.documents), read(self.tokens), self.size)
        read.count(sentences=len(sentences))
        return sentences


@dataclass(frozen=True)
class CutAtTopics(Stage[Chunks]):
    """Cut documents where the vectors of neighbouring sentences differ most."""

    kind: ClassVar[str] = "cut-at-topics"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    sentences: Stage[Chunks]
    embedded: EmbeddedWindows
    """Embedded sentences, with their model."""
    chunker: Semantic

    @classmethod
    def of(
        cls,
        documents: Stage[Documents],
        tokens: Stage[TokenEnds],
        chunker: Semantic,
        model: EmbeddingModel,
    ) -> "CutAtTopics":
        """Return the stage that cuts documents by a model's vectors."""
        sentences = FindSentences(documents, tokens, chunker.size)
        return cls(sentences, EmbeddedWindows.of(documents, sentences, model), chunker)

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks."""
        sentences, windows = read(self.sentences), read(self.embedded.windows)
        parts = [read(part) for part in self.embedded.vectors]
        vectors = sentence_vectors(windows, parts, len(sentences))
        chunks = self.chunker.pack(sentences, vectors)
        read.count(chunks=len(chunks))
        return chunks


def sentence_vectors(
    windows: Windows, parts: list[Vectors], count: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the sum of the window vectors of each sentence; most sentences have one window."""
    shown = joined(parts)
    found = np.zeros((count, shown.shape[1]), np.float64)
    np.add.at(found, windows.chunk, shown)
    return found
