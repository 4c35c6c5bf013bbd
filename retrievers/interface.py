"""The data types of retrieval, and the Protocols of retrievers, indexes and rerankers.

Collections are arrays with one row per item. A large repository has hundreds of thousands of
chunks, and these arrays are what the cache stores.

A retriever is a frozen dataclass whose fields are its settings. It declares its inputs by name
(`DOCUMENTS`, `CHUNKS`, …; the inputs for symbols, models and engines are next to their types).
`retrievers.catalogue` lists all retrievers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np

Integers = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float32]]

SEARCHED = 200
"""Maximum number of hits that a searcher passes to the next step: enough to fill a fused list."""


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `start` to `end` of a file, both counted from 1 and included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Documents:
    """The files of a repository in one UTF-8 buffer, sorted by path."""

    paths: tuple[str, ...]
    content: np.ndarray[Any, np.dtype[np.uint8]]
    ends: Integers

    @classmethod
    def of(cls, files: Sequence[tuple[str, str]]) -> "Documents":
        """Return documents from pairs of path and text, in any order."""
        ordered = sorted(files)
        pieces = [text.encode("utf-8", "surrogatepass") for _, text in ordered]
        return cls(
            paths=tuple(path for path, _ in ordered),
            content=np.frombuffer(b"".join(pieces), np.uint8),
            ends=np.cumsum([len(piece) for piece in pieces], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.paths)

    def text(self, document: int) -> str:
        """Return the whole text of a document."""
        return self.slice(document, 0, self.size(document))

    def slice(self, document: int, start: int, end: int) -> str:
        """Return the text between two byte offsets of a document."""
        base = self._base(document)
        return self.content[base + start : base + end].tobytes().decode("utf-8", "surrogatepass")

    def source(self, document: int) -> bytes:
        """Return the bytes of a document."""
        base = self._base(document)
        return self.content[base : base + self.size(document)].tobytes()

    def size(self, document: int) -> int:
        """Return a document's length in bytes."""
        return int(self.ends[document]) - self._base(document)

    def line_starts(self, document: int) -> Integers:
        """Return the byte offset at which each line of a document begins."""
        base = self._base(document)
        breaks = np.flatnonzero(self.content[base : base + self.size(document)] == ord("\n")) + 1
        starts = np.concatenate([[0], breaks])
        size = self.size(document)
        return starts[:-1] if size and len(starts) > 1 and starts[-1] == size else starts

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of the document of each path."""
        return {path: number for number, path in enumerate(self.paths)}

    def _base(self, document: int) -> int:
        return int(self.ends[document - 1]) if document else 0


@dataclass(frozen=True)
class TokenEnds:
    """The end of each token of each document, in bytes. There are no gaps between tokens."""

    ends: np.ndarray[Any, np.dtype[np.int32]]
    stops: Integers
    """For each document, the number of tokens in it and all before it."""

    def of(self, document: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the byte offset at which each token of a document ends."""
        start = int(self.stops[document - 1]) if document else 0
        return self.ends[start : int(self.stops[document])]


@dataclass(frozen=True)
class Chunks:
    """Pieces of documents, ordered by document and then by offset."""

    document: np.ndarray[Any, np.dtype[np.int32]]
    start_byte: np.ndarray[Any, np.dtype[np.int32]]
    end_byte: np.ndarray[Any, np.dtype[np.int32]]
    start_line: np.ndarray[Any, np.dtype[np.int32]]
    end_line: np.ndarray[Any, np.dtype[np.int32]]
    start_token: np.ndarray[Any, np.dtype[np.int32]]
    end_token: np.ndarray[Any, np.dtype[np.int32]]
    headers: tuple[str, ...] = ()
    """The header shown above each chunk; empty without headers. The offsets exclude it."""
    header_tokens: np.ndarray[Any, np.dtype[np.int32]] = field(
        default_factory=lambda: np.zeros(0, np.int32)
    )

    def __len__(self) -> int:
        return len(self.document)

    def span(self, chunk: int, documents: Documents) -> Span:
        """Return the path and the lines of a chunk."""
        path = documents.paths[int(self.document[chunk])]
        return Span(path, int(self.start_line[chunk]), int(self.end_line[chunk]))

    def text(self, chunk: int, documents: Documents) -> str:
        """Return a chunk's text."""
        start, end = int(self.start_byte[chunk]), int(self.end_byte[chunk])
        return documents.slice(int(self.document[chunk]), start, end)

    def texts(self, documents: Documents) -> Iterator[str]:
        """Return every chunk's text, in order."""
        return (self.text(chunk, documents) for chunk in range(len(self)))

    def shown(self, chunk: int, documents: Documents) -> str:
        """Return the header and the text of a chunk, in the form that readers and models see."""
        text = self.text(chunk, documents)
        return self.headers[chunk] + text if self.headers else text

    def all_shown(self, documents: Documents) -> Iterator[str]:
        """Return the header and the text of every chunk, in order."""
        return (self.shown(chunk, documents) for chunk in range(len(self)))


@dataclass(frozen=True)
class ChangeDays:
    """Days from the last change of each file to the last change of any file."""

    path: tuple[str, ...]
    days: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def by_path(self) -> dict[str, float]:
        """The days of each file."""
        return dict(zip(self.path, self.days.tolist(), strict=True))


@dataclass(frozen=True)
class Rankings:
    """The best chunks of each query, best first. Ties go to the lower chunk number."""

    chunk: np.ndarray[Any, np.dtype[np.int32]]
    score: Floats
    stops: Integers
    """For each query, the number of hits of this query and all queries before it."""
    mean: Floats
    """Mean and standard deviation of the scores of each query over all chunks. Fusion uses them to
    bring the scores of different retrievers to one scale."""
    deviation: Floats

    @classmethod
    def of(cls, hits: Sequence[tuple[Any, Any]], mean: Any, deviation: Any) -> "Rankings":
        """Return rankings from pairs of chunks and scores, one pair per query."""
        counts = [len(chunks) for chunks, _ in hits]
        empty = np.zeros(0)
        return cls(
            chunk=np.concatenate([empty, *(chunks for chunks, _ in hits)]).astype(np.int32),
            score=np.concatenate([empty, *(scores for _, scores in hits)]).astype(np.float32),
            stops=np.cumsum(counts, dtype=np.int64),
            mean=np.asarray(mean, np.float32),
            deviation=np.asarray(deviation, np.float32),
        )

    def __len__(self) -> int:
        return len(self.stops)

    def of_query(self, query: int) -> tuple[np.ndarray[Any, np.dtype[np.int32]], Floats]:
        """Return a query's chunks and their scores, best first."""
        start = int(self.stops[query - 1]) if query else 0
        stop = int(self.stops[query])
        return self.chunk[start:stop], self.score[start:stop]


Floor = Literal["mean", "zero"]
"""The level above which a score counts. `mean` is the query's mean over all chunks, for the raw
scores of a retriever. `zero` is for fused scores, which are already on one scale."""


def best_first(scores: Floats, depth: int) -> Integers:
    """Return the positions of the `depth` highest scores, best first. Ties keep their order."""
    if len(scores) > depth:
        floor = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        places = np.flatnonzero(scores >= floor)
    else:
        places = np.arange(len(scores))
    order = np.argsort(-scores[places], kind="stable")
    return np.asarray(places[order][:depth], np.int64)


def ranked(rows: Iterable[Floats], depth: int, *, floor: float | None = None) -> Rankings:
    """Return the `depth` best chunks of each query, with scores above `floor` if it is given."""
    hits: list[tuple[Integers, Floats]] = []
    mean: list[float] = []
    deviation: list[float] = []
    for scores in rows:
        places = np.arange(len(scores)) if floor is None else np.flatnonzero(scores > floor)
        best = places[best_first(scores[places], depth)]
        hits.append((best, scores[best]))
        mean.append(float(scores.mean(dtype=np.float64)) if len(scores) else 0.0)
        deviation.append(float(scores.std(dtype=np.float64)) if len(scores) else 0.0)
    return Rankings.of(hits, mean, deviation)


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Input(Generic[T_co]):
    """Data that a retriever reads. It has a name, so that the pipeline can provide it.

    Equal inputs mean the same data. A subclass adds the fields that distinguish its data, such as
    the model of vectors.
    """


@dataclass(frozen=True)
class Named(Input[T_co]):
    """Data that every repository has exactly once, such as its documents."""

    name: str


DOCUMENTS: Input[Documents] = Named("documents")
CHUNKS: Input[Chunks] = Named("chunks")
TOKENS: Input[TokenEnds] = Named("tokens")
CHANGE_DAYS: Input[ChangeDays] = Named("change days")


class ReadInput(Protocol):
    """Access to the inputs that a retriever has declared."""

    def __call__(self, wanted: Input[T], /) -> T:
        """Return the data of an input."""
        ...


@dataclass(frozen=True)
class Before(Generic[T_co]):
    """The data of an earlier commit, and the inputs that it was computed from."""

    data: T_co
    read: ReadInput


@dataclass(frozen=True)
class Derived(Input[T_co], ABC):
    """Data computed from other inputs. The result is stored once and shared by equal inputs.

    The fields are the settings that the data depends on: `tokenizer` belongs here, `k1` does not.
    Raise `algorithm_version` when `make` returns a different result for equal fields.
    """

    algorithm_version: ClassVar[int] = 1
    is_updated: ClassVar[bool] = False
    """Whether `updated` is implemented and faster than `make`."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Input[Any], ...]:
        """The inputs of the computation."""

    @property
    @abstractmethod
    def record(self) -> type[Any]:
        """The dataclass that is stored. Its fields are arrays, texts and plain values."""

    @abstractmethod
    def make(self, read: ReadInput, /) -> T_co:
        """Compute the data."""

    def updated(self, read: ReadInput, _before: "Before[Any]", /) -> T_co:
        """Update the data of an earlier commit. The result must be equal to that of `make`."""
        return self.make(read)

    def counts(self, _made: Any, /) -> Mapping[str, int]:
        """Return sizes to store next to the cost of the computation."""
        return {}


class Index(Protocol):
    """An index that scores every chunk."""

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk. A chunk with zero or less is not a hit."""
        ...


class Searcher(Protocol):
    """A retriever in production: loaded once, then asked one query at a time."""

    def search(self, query: str) -> Rankings:
        """Return the ranking of one query."""
        ...

    def close(self) -> None:
        """Release memory, connections and processes."""
        ...


@runtime_checkable
class ApproximateSearcher(Protocol):
    """A searcher whose engine may miss hits of an exact search."""

    def recall(self, query: str, limit: int) -> float | None:
        """Return the share of the `limit` nearest that is found; None for an exact search."""
        ...


class Retriever(Protocol):
    """A way to rank chunks. Its fields are its settings, and its fingerprint covers all of them.

    A retriever declares its inputs and does not know where they come from. Raise
    `algorithm_version` when rankings change for equal fields.
    """

    algorithm_version: ClassVar[int] = 1

    @property
    @abstractmethod
    def inputs(self) -> tuple[Input[Any], ...]:
        """The inputs of both `rank` and `searcher`."""
        ...

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """Inputs that are computed for all queries together. Only `rank` reads them."""
        return ()

    @property
    def for_ranking(self) -> "Retriever":
        """These settings, with defaults for all settings that matter only in serving.

        Configurations that differ only in those settings then share one ranking.
        """
        return self

    @property
    def ranking_engine(self) -> str:
        """The external engine that ranks instead of our code, with its version; else empty."""
        return ""

    @abstractmethod
    def rank(self, queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return the best `depth` chunks of each query."""
        ...

    @abstractmethod
    def searcher(self, read: ReadInput, /) -> Searcher:
        """Return a searcher that is loaded and ready for single queries."""
        ...


class IndexRetriever(Retriever, Protocol):
    """A retriever that scores every chunk with an index in memory. Subclasses define `index`."""

    @abstractmethod
    def index(self, read: ReadInput, /) -> Index:
        """Return the index of a repository's chunks."""
        ...

    def rank(self, queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return the chunks with a score above zero."""
        index = self.index(read)
        return ranked((index.scores(query) for query in queries), depth, floor=0.0)

    def searcher(self, read: ReadInput, /) -> "IndexSearcher":
        """Return a searcher that scores every chunk."""
        return IndexSearcher(self.index(read))


@dataclass(frozen=True)
class IndexSearcher:
    """The searcher of every retriever that scores with an index in memory."""

    index: Index

    def search(self, query: str) -> Rankings:
        """Return the chunks with a score above zero."""
        return ranked([self.index.scores(query)], SEARCHED, floor=0.0)

    def close(self) -> None:
        """Do nothing, since the index is only memory."""


class Reranker(Protocol):
    """A model that scores texts against a query, to reorder the first hits."""

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        ...
