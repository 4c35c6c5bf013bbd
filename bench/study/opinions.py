"""How each kind of channel ranks a repository: its stages, and its live form for latency."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bench.judgements import Judgements, Level
from bench.pipeline import Stage
from bench.settings import Chance, Channel, Constant, Oracle
from bench.stages import (
    PARTS,
    AskEngine,
    ChannelForm,
    CountWords,
    CutChunkWindows,
    CutWindows,
    EmbedQueryTokens,
    EmbedTokens,
    EmbedWindows,
    FieldsForm,
    GraphForm,
    GrepForm,
    IndexForm,
    LiveEngine,
    LiveTokenVectors,
    LiveVectors,
    LiveWords,
    Model,
    NamesForm,
    Opening,
    Questions,
    RankByAnswers,
    RankByChance,
    RankByPlaces,
    RankByTokenVectors,
    RankByVectors,
    RankByWords,
    SplitFields,
    TakeRankings,
    WindowInputs,
    WordsForm,
    graph_inputs,
)
from retrievers.dense import EmbeddingModel, EmbeddingServer, LateSearch, VectorSettings, Windows
from retrievers.external import (
    CommandEngine,
    ExternalSettings,
    HttpEngine,
    McpEngine,
    PythonEngine,
)
from retrievers.graph import Graph
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from retrievers.lexical import BM25, Fields, Grep, Names
from retrievers.source import Symbols


@dataclass(frozen=True)
class Sources:
    """What a channel may rank from."""

    documents: Stage[Documents]
    questions: Stage[Questions]
    chunks: Stage[Chunks]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]
    judgements: Stage[Judgements]
    """What is right: for floors and ceilings only."""
    level: Level
    """The level that the study measures: a ceiling holds at one level."""
    vectors: VectorSettings | None
    repository: str
    """The name that engines of other people are told."""
    own_places: bool = False
    """Whether the chunks are the places that the only channel, an engine, answers with."""

    def asked(self, engine: ExternalSettings) -> AskEngine:
        """Return the stage that asks somebody else's engine."""
        return asked_of(engine, self.documents, self.questions, self.symbols, self.repository)


@dataclass(frozen=True)
class Opinion:
    """A channel's ranking, and what would serve it; floors and ceilings serve nobody."""

    ranking: Stage[Rankings]
    live: ChannelForm | None = None
    answers: AskEngine | None = None
    """Where queries may have failed one by one."""


def asked_of(
    engine: ExternalSettings,
    documents: Stage[Documents],
    questions: Stage[Questions],
    symbols: Stage[Symbols],
    repository: str,
) -> AskEngine:
    """Return the stage that asks somebody else's engine about a repository."""
    return AskEngine(questions, documents, symbols, Opening(engine, repository))


def opinion_of(channel: Channel, sources: Sources) -> Opinion:
    """Return the stages that rank by one channel."""
    return _BY_SETTINGS[type(channel)](channel, sources)


def _by_words(settings: BM25, sources: Sources) -> Opinion:
    postings = CountWords(sources.documents, sources.chunks, settings.tokenizer)
    return _by_index(WordsForm(postings, settings), sources)


def _by_fields(settings: Fields, sources: Sources) -> Opinion:
    columns = (sources.documents, sources.chunks, sources.symbols)
    return _by_index(FieldsForm(SplitFields(*columns, settings.tokenizer), settings), sources)


def _by_grep(settings: Grep, sources: Sources) -> Opinion:
    return _by_index(GrepForm(sources.documents, sources.chunks, settings), sources)


def _by_names(settings: Names, sources: Sources) -> Opinion:
    form = NamesForm(sources.symbols, sources.documents, sources.chunks, settings)
    return _by_index(form, sources)


def _by_graph(settings: Graph, sources: Sources) -> Opinion:
    inputs = graph_inputs(sources.documents, sources.symbols, sources.tokens, settings)
    return _by_index(GraphForm(inputs, sources.symbols, sources.chunks), sources)


def _by_index(form: IndexForm, sources: Sources) -> Opinion:
    return Opinion(RankByWords(sources.questions, form), LiveWords(form))


def _by_vectors(settings: EmbeddingModel, sources: Sources) -> Opinion:
    dense = _embedded(Model.of(settings), _windows(settings, sources), sources.documents)
    ranking = RankByVectors(
        questions=dense.queries(sources.questions),
        documents=sources.documents,
        chunks=sources.chunks,
        windows=dense.windows,
        vectors=dense.vectors,
        long_text=settings.long_text,
    )
    engine = sources.vectors or VectorSettings()
    return Opinion(ranking, LiveVectors(sources.chunks, dense, settings.long_text, engine))


def _windows(settings: EmbeddingModel, sources: Sources) -> Stage[Windows]:
    """Return what the model sees: the same for every way to cut, but for truncated chunks."""
    model = Model.of(settings)
    if settings.long_text == "truncate":
        return CutChunkWindows(sources.documents, sources.chunks, model)
    return CutWindows(sources.documents, model)


def _by_tokens(settings: LateSearch, sources: Sources) -> Opinion:
    model, windows = Model.of(settings.embedder), _windows(settings.embedder, sources)
    stored: dict[str, Any] = {"model": model, "bits": settings.bits, "pooling": settings.pooling}
    tokens = (EmbedTokens(sources.documents, windows, **stored, part=n) for n in range(PARTS))
    ranking = RankByTokenVectors(
        questions=EmbedQueryTokens(sources.questions, model, settings.bits),
        chunks=sources.chunks,
        windows=windows,
        tokens=tuple(tokens),
        long_text=settings.embedder.long_text,
    )
    engine = sources.vectors if settings.served_from == "vectors" else None
    return Opinion(ranking, LiveTokenVectors(ranking, model, engine))


def embedded_windows(documents: Stage[Documents], settings: EmbeddingModel) -> WindowInputs:
    """Return what a model sees of documents, the same for every way to cut them."""
    model = Model.of(settings)
    return _embedded(model, CutWindows(documents, model), documents)


def _embedded(model: Model, windows: Stage[Windows], documents: Stage[Documents]) -> WindowInputs:
    parts = (EmbedWindows(documents, windows, model, part) for part in range(PARTS))
    return WindowInputs(model, windows, tuple(parts))


def _by_engine(settings: ExternalSettings, sources: Sources) -> Opinion:
    answers, places = sources.asked(settings), (sources.documents, sources.symbols, sources.chunks)
    if sources.own_places:
        return Opinion(TakeRankings(answers), LiveEngine(*places, answers.opening), answers)
    live = LiveEngine(*places, answers.opening, fused=True)
    return Opinion(RankByPlaces(answers, sources.chunks), live, answers)


def _by_chance(settings: Chance, sources: Sources) -> Opinion:
    return Opinion(RankByChance(sources.questions, sources.chunks, settings.seed))


def _by_answers_of_others(_settings: Constant, sources: Sources) -> Opinion:
    given = (sources.questions, sources.chunks, sources.judgements)
    return Opinion(RankByAnswers(*given, "others"))


def _by_answers(_settings: Oracle, sources: Sources) -> Opinion:
    given = (sources.questions, sources.chunks, sources.judgements)
    return Opinion(RankByAnswers(*given, "own", sources.level))


_BY_SETTINGS: Mapping[type[Any], Callable[[Any, Sources], Opinion]] = MappingProxyType(
    {
        BM25: _by_words,
        Fields: _by_fields,
        Grep: _by_grep,
        Names: _by_names,
        Graph: _by_graph,
        EmbeddingModel: _by_vectors,
        EmbeddingServer: _by_vectors,
        LateSearch: _by_tokens,
        Chance: _by_chance,
        Constant: _by_answers_of_others,
        Oracle: _by_answers,
        HttpEngine: _by_engine,
        CommandEngine: _by_engine,
        McpEngine: _by_engine,
        PythonEngine: _by_engine,
    }
)
