"""A channel of a trial on one repository: its ranking, and what would serve it."""

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
    """The ranking of one retriever, and how it is served; floors and ceilings are not."""

    ranking: Stage[Rankings]
    served: ServedRetriever | None = None
    answers: AskEngine | TakeRun | None = None
    """The answers of an external engine, where queries may have failed one by one."""
    recall: MeasureEngineRecall | None = None
    """How much of an exact search a vector engine finds, if it ranks what is judged."""


def channel_of(
    settings: ChannelSettings,
    stages: RepositoryStages,
    judged: JudgedChunks,
    *,
    own_chunks: bool,
) -> Channel:
    """Return a channel; `own_chunks` if it is an engine whose places are what is ranked."""
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
