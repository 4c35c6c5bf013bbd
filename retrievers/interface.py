"""The nouns of retrieval, and the Protocols of what works with them.

Collections of things are arrays with one row per thing: an index of a large repository has
hundreds of thousands of chunks, and its artifact is these arrays.

A retriever is a frozen dataclass: its fields are its settings. It declares its inputs by name
(`DOCUMENTS`, `CHUNKS`, …; those of symbols, models and engines are next to their types) and
`retrievers.catalogue` lists it.
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
"""Hits that a searcher gives to the next step: enough to fill a fused list."""


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `start` to `end` of a file, both counted from 1 and included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Documents:
    """The files of a repository: UTF-8 in one buffer, in the order of their paths."""

    paths: tuple[str, ...]
    content: np.ndarray[Any, np.dtype[np.uint8]]
    ends: Integers

    @classmethod
    def of(cls, files: Sequence[tuple[str, str]]) -> "Documents":
        """Return the documents with these paths and texts."""
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
        """The number of each path's document."""
        return {path: number for number, path in enumerate(self.paths)}

    def _base(self, document: int) -> int:
        return int(self.ends[document - 1]) if document else 0


@dataclass(frozen=True)
class TokenEnds:
    """Where each token of each document ends, in bytes; a document's tokens are contiguous."""

    ends: np.ndarray[Any, np.dtype[np.int32]]
    stops: Integers
    """For each document, the number of tokens in it and all before it."""

    def of(self, document: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the byte offset at which each token of a document ends."""
        start = int(self.stops[document - 1]) if document else 0
        return self.ends[start : int(self.stops[document])]


@dataclass(frozen=True)
class Chunks:
    """Pieces of documents, in the order of the documents and then of their offsets."""

    document: np.ndarray[Any, np.dtype[np.int32]]
    start_byte: np.ndarray[Any, np.dtype[np.int32]]
    end_byte: np.ndarray[Any, np.dtype[np.int32]]
    start_line: np.ndarray[Any, np.dtype[np.int32]]
    end_line: np.ndarray[Any, np.dtype[np.int32]]
    start_token: np.ndarray[Any, np.dtype[np.int32]]
    end_token: np.ndarray[Any, np.dtype[np.int32]]
    headers: tuple[str, ...] = ()
    """What is shown above each chunk, or nothing; no part of its place."""
    header_tokens: np.ndarray[Any, np.dtype[np.int32]] = field(
        default_factory=lambda: np.zeros(0, np.int32)
    )

    def __len__(self) -> int:
        return len(self.document)

    def span(self, chunk: int, documents: Documents) -> Span:
        """Return the place of a chunk."""
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
        """Return what a reader is shown of a chunk: its header and its text."""
        text = self.text(chunk, documents)
        return self.headers[chunk] + text if self.headers else text

    def all_shown(self, documents: Documents) -> Iterator[str]:
        """Return what is shown of every chunk, in order."""
        return (self.shown(chunk, documents) for chunk in range(len(self)))


@dataclass(frozen=True)
class ChangeDays:
    """The days from each file's last change to the last change of all."""

    path: tuple[str, ...]
    days: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def by_path(self) -> dict[str, float]:
        """The days of each file."""
        return dict(zip(self.path, self.days.tolist(), strict=True))


@dataclass(frozen=True)
class Rankings:
    """For each query its best chunks, best first; ties go to the lower chunk number."""

    chunk: np.ndarray[Any, np.dtype[np.int32]]
    score: Floats
    stops: Integers
    """For each query, the number of hits of it and all queries before it."""
    mean: Floats
    """Mean and deviation of each query's scores over all chunks, for putting scores of
    different retrievers on one scale."""
    deviation: Floats

    @classmethod
    def of(cls, hits: Sequence[tuple[Any, Any]], mean: Any, deviation: Any) -> "Rankings":
        """Return the rankings that these (chunks, scores) pairs are, one a query."""
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
"""What a score must be above to count: the query's mean over all chunks, as a retriever's own
scores need it, or zero, like fused scores that are already on a scale."""


def best_first(scores: Floats, depth: int) -> Integers:
    """Return the places of the `depth` highest scores, best first, ties by place."""
    if len(scores) > depth:
        floor = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        places = np.flatnonzero(scores >= floor)
    else:
        places = np.arange(len(scores))
    order = np.argsort(-scores[places], kind="stable")
    return np.asarray(places[order][:depth], np.int64)


def ranked(rows: Iterable[Floats], depth: int, *, floor: float | None = None) -> Rankings:
    """Return the `depth` best chunks of each query's scores, only those above `floor` if given."""
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
    """Data that a retriever reads, named so that whoever runs it can provide it.

    Equal inputs are the same data. A subclass adds the fields that tell its data apart, such as
    the model of some vectors.
    """


@dataclass(frozen=True)
class Named(Input[T_co]):
    """Data that every repository has once."""

    name: str


DOCUMENTS: Input[Documents] = Named("documents")
CHUNKS: Input[Chunks] = Named("chunks")
TOKENS: Input[TokenEnds] = Named("tokens")
CHANGE_DAYS: Input[ChangeDays] = Named("change days")


class ReadInput(Protocol):
    """Gives a retriever the inputs that it has declared."""

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
    """Data computed from other inputs. It is stored once and shared by all who need an equal one.

    The fields are what the data depends on besides the inputs: `tokenizer` belongs here, `k1`
    does not. Raise `algorithm_version` when `make` returns something else for equal fields.
    """

    algorithm_version: ClassVar[int] = 1
    is_updated: ClassVar[bool] = False
    """Whether `updated` takes less than `make`."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Input[Any], ...]:
        """What it is made of."""

    @property
    @abstractmethod
    def record(self) -> type[Any]:
        """The dataclass that is stored: its fields are arrays, texts and plain values."""

    @abstractmethod
    def make(self, read: ReadInput, /) -> T_co:
        """Compute the data."""

    def updated(self, read: ReadInput, _before: "Before[Any]", /) -> T_co:
        """Compute the data with that of an earlier commit; it is what `make` would return."""
        return self.make(read)

    def counts(self, _made: Any, /) -> Mapping[str, int]:
        """Return sizes worth keeping with the cost of making it."""
        return {}


class Index(Protocol):
    """Chunks, ready to be scored."""

    def scores(self, query: str) -> Floats:
        """Return the score of every chunk; zero or less is not a hit."""
        ...


class Searcher(Protocol):
    """A retriever as it is served: loaded once, asked one query at a time."""

    def search(self, query: str) -> Rankings:
        """Return the ranking of one query."""
        ...

    def close(self) -> None:
        """Release memory, connections and processes."""
        ...


@runtime_checkable
class ApproximateSearcher(Protocol):
    """A searcher whose engine may miss what an exact search finds."""

    def recall(self, query: str, limit: int) -> float | None:
        """Return the share of the nearest that is found; None where nothing can be missed."""
        ...


class Retriever(Protocol):
    """A way to rank chunks. Its fields are its settings, and all of them are in its fingerprint.

    It declares the inputs that it reads and knows nothing of where they come from. Raise
    `algorithm_version` when it ranks differently with equal fields.
    """

    algorithm_version: ClassVar[int] = 1

    @property
    @abstractmethod
    def inputs(self) -> tuple[Input[Any], ...]:
        """What both a ranking and a searcher are made of."""
        ...

    @property
    def query_inputs(self) -> tuple[Input[Any], ...]:
        """What is computed for all queries together, and only a ranking reads."""
        return ()

    @property
    def for_ranking(self) -> "Retriever":
        """These settings with defaults for those that change how queries are served only.

        Configurations that differ only in serving then share one ranking.
        """
        return self

    @property
    def ranking_engine(self) -> str:
        """The foreign engine that ranks in place of our code, with its version; or nothing."""
        return ""

    @abstractmethod
    def rank(self, queries: Sequence[str], read: ReadInput, /, *, depth: int) -> Rankings:
        """Return the best `depth` chunks of each query."""
        ...

    @abstractmethod
    def searcher(self, read: ReadInput, /) -> Searcher:
        """Load what serves queries one at a time."""
        ...


class IndexRetriever(Retriever, Protocol):
    """A retriever that scores every chunk with an index in memory: `index` is all that it adds."""

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
    """Serves an index: the searcher of every retriever that does not bring its own."""

    index: Index

    def search(self, query: str) -> Rankings:
        """Return the chunks with a score above zero."""
        return ranked([self.index.scores(query)], SEARCHED, floor=0.0)

    def close(self) -> None:
        """Release nothing: the index is memory only."""


class Reranker(Protocol):
    """Scores texts against a query, so that the first hits can be put in a better order."""

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        ...
