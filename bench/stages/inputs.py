"""Stages for the declared inputs of retrievers.

`retrievers` declares inputs by name; this module maps each name to the stage that makes it.
Retrievers with an equal input share the stage, even in different trials.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar

from bench.engine import Codec, Earlier, Read, Record, Stage
from bench.errors import ArtifactError
from bench.stages.changes import change_days
from bench.stages.dense import EmbedQueries, LoadModel, Model, embedded_parts, windows_of
from bench.stages.external import AskEngine, ConnectEngine, Opening, TakeRun
from bench.stages.late import EmbedQueryTokens, token_parts
from bench.stages.sources import FindEdges, Questions
from bench.stages.symbols import symbol_parts
from retrievers.dense import (
    EmbeddingModel,
    LoadedModel,
    ModelWindows,
    QueryVectors,
    Windows,
    WindowVectors,
)
from retrievers.external import EngineConnection, EngineReplies, ExternalSettings, RunFile
from retrievers.graph import RepositoryGraph
from retrievers.graph.reordered import SymbolVectors
from retrievers.interface import (
    Before,
    Chunks,
    Derived,
    Documents,
    Input,
    Named,
    ReadInput,
    TokenEnds,
)
from retrievers.late import QueryTokens, WindowTokens
from retrievers.source import Symbols

T = TypeVar("T")


class Loader(Protocol):
    """Opens an input that cannot be stored, such as a model; a frozen dataclass."""

    def load(self, read: Read, /) -> Any:
        """Return the opened input."""
        ...


Provider = Stage[Any] | tuple[Stage[Any], ...] | Loader
"""Source of an input: a stage, several stages that make its parts, or a loader."""


@dataclass(frozen=True)
class Inputs:
    """Declared inputs with the provider of each."""

    providers: tuple[Provider, ...]
    declared: tuple[Input[Any], ...] = field(compare=False)
    """Excluded from fingerprints, because the providers determine the data."""

    def reader(self, read: Read, /) -> ReadInput:
        """Return access to the inputs for a retriever."""
        return _Reader(dict(zip(self.declared, self.providers, strict=True)), read)

    def earlier_reader(self, earlier: Earlier[Any]) -> ReadInput:
        """Return access to the inputs of an earlier commit, all of which must come from stages."""
        pairs = zip(self.declared, self.providers, strict=True)
        stages = {wanted: provider for wanted, provider in pairs if isinstance(provider, Stage)}
        return lambda wanted: earlier(stages[wanted])


@dataclass(frozen=True)
class _Reader:
    providers: Mapping[Input[Any], Provider]
    read: Read

    def __call__(self, wanted: Input[T], /) -> T:
        if wanted not in self.providers:
            raise ArtifactError(f"{wanted}: read but not declared; add it to the inputs")
        provider = self.providers[wanted]
        if isinstance(provider, Stage):
            found: T = self.read(provider)
        elif isinstance(provider, tuple):
            found = tuple(self.read(part) for part in provider)  # type: ignore[assignment]
        else:
            found = provider.load(self.read)
        return found


@dataclass(frozen=True)
class BuildIndex(Stage[Any]):
    """Compute the derived data, such as an index, that retrievers declare."""

    kind: ClassVar[str] = "build-index"

    derived: Derived[Any]
    algorithm_version: int
    data: Inputs

    @property
    def codec(self) -> Codec[Any]:  # type: ignore[override]
        """Codec of the record; each kind of data has its own."""
        return Record(self.derived.record)

    @property
    def versions(self) -> Mapping[str, int]:
        """Versions of the stage and of the data's algorithm."""
        return {**super().versions, type(self.derived).__name__: self.algorithm_version}

    def run(self, read: Read, /) -> Any:
        """Return the data."""
        reader = self.data.reader(read)
        earlier = read.earlier(self) if self.derived.is_updated else None
        if earlier is None:
            made = self.derived.make(reader)
        else:
            before = Before(earlier.result, self.data.earlier_reader(earlier))
            made = self.derived.updated(reader, before)
        read.count(**self.derived.counts(made))
        return made


@dataclass(frozen=True)
class RepositoryStages:
    """Stages of a repository from which inputs are made."""

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]
    chunks: Stage[Chunks] | None = None
    """None if nothing is ranked: the graph of a folder does not need chunks."""
    questions: Stage[Questions] | None = None
    repository: str = ""
    """Name of the repository for external engines."""
    queries: tuple[tuple[str, str], ...] = ()
    """Ids and texts of the questions, for rankings from a file."""

    def inputs(self, declared: Sequence[Input[Any]]) -> Inputs:
        """Return declared inputs with their providers."""
        return Inputs(tuple(map(self.provider, declared)), tuple(declared))

    def provider(self, wanted: Input[Any]) -> Provider:
        """Return the provider of an input."""
        if isinstance(wanted, Derived):
            return self.built(wanted)
        if isinstance(wanted, Named):
            return _NAMED[wanted.name](self)
        return _BY_TYPE[type(wanted)](self, wanted)

    def built(self, wanted: Derived[Any]) -> BuildIndex:
        """Return the stage that computes derived data."""
        version = type(wanted).algorithm_version
        return BuildIndex(wanted, version, self.inputs(wanted.inputs))

    def replies(self, engine: ExternalSettings) -> AskEngine | TakeRun:
        """Return the stage that queries an external engine, or that reads its stored answers."""
        if isinstance(engine, RunFile):
            return TakeRun(self.queries, self.repository, self.documents, self.symbols, engine)
        opening = Opening(engine, self.repository)
        return AskEngine(self.asked, self.documents, self.symbols, opening)

    @property
    def cut(self) -> Stage[Chunks]:
        """Stage of the chunks; raises if the plan has none."""
        return _needed(self.chunks, "chunks")

    @property
    def asked(self) -> Stage[Questions]:
        """Stage of the questions; raises if the plan has none."""
        return _needed(self.questions, "questions")


def _needed(stage: Stage[T] | None, name: str) -> Stage[T]:
    if stage is None:
        raise ArtifactError(f"{name}: an input needs them, and this plan has none")
    return stage


_NAMED: Mapping[str, Callable[[RepositoryStages], Stage[Any]]] = MappingProxyType(
    {
        "documents": lambda stages: stages.documents,
        "tokens": lambda stages: stages.tokens,
        "symbols": lambda stages: stages.symbols,
        "edges": lambda stages: FindEdges(stages.documents, stages.symbols),
        "chunks": lambda stages: stages.cut,
        "change days": lambda stages: change_days(stages.documents),
    }
)


def _windows(stages: RepositoryStages, model: EmbeddingModel) -> Stage[Windows]:
    return windows_of(model, stages.documents, stages.cut)


def _vectors(stages: RepositoryStages, wanted: WindowVectors) -> Provider:
    windows = _windows(stages, wanted.model)
    return embedded_parts(stages.documents, windows, Model.of(wanted.model))


def _symbol_vectors(stages: RepositoryStages, wanted: SymbolVectors) -> Provider:
    graph = stages.built(RepositoryGraph())
    return symbol_parts(stages.documents, graph, Model.of(wanted.model))


def _tokens(stages: RepositoryStages, wanted: WindowTokens) -> Provider:
    return token_parts(stages.documents, _windows(stages, wanted.model), wanted)


def _query_tokens(stages: RepositoryStages, wanted: QueryTokens) -> Provider:
    return EmbedQueryTokens(stages.asked, Model.of(wanted.model), wanted.bits)


def _connection(stages: RepositoryStages, wanted: EngineConnection) -> Provider:
    if isinstance(wanted.engine, RunFile):
        raise ArtifactError(f"retriever.path={wanted.engine.path}: a run cannot be asked")
    opening = Opening(wanted.engine, stages.repository)
    return ConnectEngine(stages.documents, stages.symbols, opening)


_BY_TYPE: Mapping[type[Input[Any]], Callable[[RepositoryStages, Any], Provider]] = (
    MappingProxyType(
        {
            ModelWindows: lambda stages, wanted: _windows(stages, wanted.model),
            WindowVectors: _vectors,
            SymbolVectors: _symbol_vectors,
            QueryVectors: lambda stages, wanted: EmbedQueries(
                stages.asked, Model.of(wanted.model)
            ),
            LoadedModel: lambda _stages, wanted: LoadModel(Model.of(wanted.model)),
            WindowTokens: _tokens,
            QueryTokens: _query_tokens,
            EngineReplies: lambda stages, wanted: stages.replies(wanted.engine),
            EngineConnection: _connection,
        }
    )
)
