"""A channel of a trial on one repository: its ranking, and what would serve it."""

from dataclasses import dataclass

from bench.engine import Stage
from bench.settings import ChannelSettings
from bench.stages import (
    AskEngine,
    Bound,
    JudgedChunks,
    RankQueries,
    RepositoryStages,
    ServedRetriever,
    TakeRun,
)
from retrievers.external import ExternalSettings, OwnChunks
from retrievers.interface import Rankings, Retriever


@dataclass(frozen=True)
class Channel:
    """The ranking of one retriever, and how it is served; floors and ceilings are not."""

    ranking: Stage[Rankings]
    served: ServedRetriever | None = None
    answers: AskEngine | TakeRun | None = None
    """The answers of an external engine, where queries may have failed one by one."""


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
    served = ServedRetriever(retriever, stages.inputs(retriever.inputs))
    return Channel(RankQueries.of(retriever, stages), served, answers)
