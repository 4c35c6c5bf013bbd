"""A channel of a trial on one repository: its ranking, and its retriever for serving."""

from dataclasses import dataclass

from bench.engine import Stage
from bench.settings import ChannelSettings
from bench.stages import (
    AskEngine,
    Bound,
    JudgedChunks,
    MeasureEngineRecall,
    RankQueries,
    RepositoryStages,
    ServedRetriever,
    TakeRun,
)
from retrievers.dense import Dense
from retrievers.external import ExternalSettings, OwnChunks
from retrievers.interface import Rankings, Retriever


@dataclass(frozen=True)
class Channel:
    """The ranking of one retriever and its served form; floors and ceilings are not served."""

    ranking: Stage[Rankings]
    served: ServedRetriever | None = None
    answers: AskEngine | TakeRun | None = None
    """Answers of an external engine or an imported run, where single queries may fail."""
    recall: MeasureEngineRecall | None = None
    """Stage that compares a vector engine with an exact search, if the engine ranks."""


def channel_of(
    settings: ChannelSettings,
    stages: RepositoryStages,
    judged: JudgedChunks,
    *,
    own_chunks: bool,
) -> Channel:
    """Return a channel; `own_chunks` is set if the ranked chunks are an engine's answers."""
    if isinstance(settings, Bound):
        return Channel(settings.ranking(judged))
    if not isinstance(settings, ExternalSettings):
        return _ranked(settings, stages)
    retriever: Retriever = OwnChunks(settings) if own_chunks else settings
    return _ranked(retriever, stages, stages.replies(settings))


def _ranked(
    retriever: Retriever, stages: RepositoryStages, answers: AskEngine | TakeRun | None = None
) -> Channel:
    ranking = RankQueries.of(retriever, stages)
    data = stages.inputs(retriever.inputs)
    if not isinstance(retriever, Dense):
        return Channel(ranking, ServedRetriever(retriever, data), answers)
    is_engine = retriever.vectors.ranked
    recall = MeasureEngineRecall.of(retriever, ranking, stages) if is_engine else None
    return Channel(ranking, ServedRetriever(retriever.for_serving, data), recall=recall)
