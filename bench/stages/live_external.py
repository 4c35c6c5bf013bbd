"""An engine as it would be served: the engine itself, on a tree of its own."""

from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from bench.errors import EngineError
from bench.pipeline import Read, Stage
from bench.stages.external import Opening, rankings_of
from bench.stages.live import POOL
from bench.stages.placing import ChunkLines
from retrievers.interface import Chunks, Documents, Rankings, ranked
from retrievers.source import Symbols


@dataclass(frozen=True)
class LiveEngine:
    """What serves an engine's places."""

    documents: Stage[Documents]
    symbols: Stage[Symbols]
    chunks: Stage[Chunks]
    """The places that it answered with before."""
    opening: Opening
    fused: bool = False
    """Whether the chunks are ours, ranked by its places, and not these places themselves."""

    def open(self, read: Read, /) -> "_LiveEngine":
        """Let the engine see the tree."""
        return _LiveEngine(self, read)


class _LiveEngine:
    def __init__(self, form: LiveEngine, read: Read) -> None:
        documents, chunks = read(form.documents), read(form.chunks)
        columns = (chunks.document, chunks.start_line, chunks.end_line)
        places = zip(*(column.tolist() for column in columns), strict=True)
        self._chunks = {place: number for number, place in enumerate(places)}
        self._lines = ChunkLines.of(chunks) if form.fused else None
        self._documents = documents.places
        self._stack = ExitStack()
        opening = form.opening.opened(documents, read(form.symbols))
        self._opened = self._stack.enter_context(opening)

    def opinion(self, query: str) -> Rankings:
        """Return the places that it answers with, as far as they are known from before."""
        found, error = self._opened.placed(self._opened.engine.ask([query])[0])
        if error:
            raise EngineError(error)
        places = [(self._documents[span.path], span.start, span.end) for span, _ in found]
        if self._lines is not None:
            own = np.array([score for _, score in found], np.float32)
            return ranked([self._lines.scores(places, own)], POOL, floor=0)
        known = [row for row, place in enumerate(places) if place in self._chunks]
        chunks = np.array([self._chunks[places[row]] for row in known], np.int32)
        scores = np.array([found[row][1] for row in known], np.float32)
        return rankings_of([(chunks, scores)])

    def close(self) -> None:
        """Let go of the engine and of its tree."""
        self._stack.close()
