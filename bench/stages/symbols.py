"""Vectors of definitions as stages. Each definition is embedded by its own text, not by chunks."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.models import load_encoder
from bench.stages.dense import PARTS, Model, embedded_at
from retrievers.dense import Vectors, slice_by_length
from retrievers.graph import CodeGraph
from retrievers.graph.reordering import symbol_passages
from retrievers.interface import Documents


@dataclass(frozen=True)
class EmbedSymbols(Stage[Vectors]):
    """Embed one part of a repository's definitions; equal texts are embedded once."""

    kind: ClassVar[str] = "embed-symbols"
    codec: ClassVar[Record[Vectors]] = Record(Vectors)

    documents: Stage[Documents]
    graph: Stage[CodeGraph]
    model: Model
    part: int
    parts: int = PARTS

    def prepare(self) -> None:
        """Load the model."""
        load_encoder(self.model.settings)

    def run(self, read: Read, /) -> Vectors:
        """Return the vectors of this part's definitions."""
        passages = symbol_passages(read(self.graph), read(self.documents))
        places = slice_by_length(np.array([*map(len, passages)]), self.part, self.parts)
        texts = [passages[place] for place in places.tolist()]
        return embedded_at(places, texts, self.model, read)


def symbol_parts(
    documents: Stage[Documents], graph: Stage[CodeGraph], model: Model
) -> tuple[Stage[Vectors], ...]:
    """Return the stages that embed definitions, one per part."""
    return tuple(EmbedSymbols(documents, graph, model, part) for part in range(PARTS))
