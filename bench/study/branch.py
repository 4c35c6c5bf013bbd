"""A trial on one repository: its stages from the documents to the last ranking, each made once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bench.errors import UsageError
from bench.judgements import Level, Query
from bench.pipeline import Stage
from bench.settings import TrialSettings
from bench.stages import (
    AnswerQueries,
    ApplyRules,
    AskEngine,
    ChannelForm,
    ChooseWeights,
    Cuttable,
    DescribeChunks,
    Evaluate,
    Fuse,
    FuseByKind,
    ListHits,
    LivePairs,
    LiveRules,
    LiveTokens,
    Parse,
    ReadPaths,
    RerankByPairs,
    RerankByTokens,
    ResolveTargets,
    ScoreWeights,
    Served,
    StepForm,
    TakePlaces,
    Threshold,
    Tokenize,
    Weighing,
)
from bench.study.corpus import PreparedRepository
from bench.study.opinions import Opinion, Sources, asked_of, embedded_windows, opinion_of
from retrievers.interface import Chunks, Rankings
from retrievers.rerankers import CrossEncoder, LateInteraction, RerankServer


@dataclass(frozen=True)
class Judged:
    """The last stages of a trial on one repository."""

    repository: PreparedRepository
    scores: Evaluate
    hits: ListHits
    chunks: DescribeChunks
    answers: tuple[AskEngine, ...] = ()
    """Where queries may have failed one by one."""
    replies: AnswerQueries | None = None

    @property
    def sources(self) -> tuple[Stage[Any], ...]:
        """The earlier stages whose results people see besides: targets, paths, errors, scores."""
        scored = self.replies.evidence if self.replies else ()
        return (self.scores.judgements, self.scores.documents, *self.answers, *scored)


@dataclass(frozen=True)
class Branch:
    """The stages of one configuration on one repository."""

    settings: TrialSettings
    repository: PreparedRepository
    chosen: ChooseWeights | None = None
    """What gives the weights, if they are not given."""
    level: Level = "span"
    """The level that the study measures."""

    @cached_property
    def tokens(self) -> Tokenize:
        """The tokens that every size is counted in."""
        return Tokenize(self.repository.documents)

    @cached_property
    def symbols(self) -> Parse:
        """What the documents define."""
        return Parse(self.repository.documents)

    @cached_property
    def answers(self) -> tuple[AskEngine, ...]:
        """What engines of other people have to say, if the trial asks any."""
        return tuple(one.answers for one in self.opinions if one.answers is not None)

    @cached_property
    def chunks(self) -> Stage[Chunks]:
        """What is ranked: documents cut into pieces, or the places that an engine answers with."""
        chunker, documents = self.settings.chunker, self.repository.documents
        engine = self.settings.retrieval.own_places
        if engine is not None:
            questions, name = self.repository.questions, self.repository.name
            answers = asked_of(engine, documents, questions, self.symbols, name)
            return TakePlaces(answers, documents, self.tokens)
        if chunker is None:
            raise UsageError("chunker: none was given, and no engine that brings its own places")
        cuttable = Cuttable(documents, self.tokens, self.symbols)
        return cuttable.headed(chunker, self.settings.headers)

    @cached_property
    def opinions(self) -> tuple[Opinion, ...]:
        """What each channel has to say."""
        sources = Sources(
            documents=self.repository.documents,
            questions=self.repository.questions,
            chunks=self.chunks,
            tokens=self.tokens,
            symbols=self.symbols,
            judgements=self.judgements,
            level=self.level,
            vectors=self.settings.vectors,
            repository=self.repository.name,
            own_places=self.settings.retrieval.own_places is not None,
        )
        return tuple(opinion_of(each, sources) for each in self.settings.retrieval.channels)

    @cached_property
    def first_ranking(self) -> Stage[Rankings]:
        """The opinion of the only channel, or of all of them together."""
        fusion = self.settings.retrieval.fusion
        if fusion is None:
            return self.opinions[0].ranking
        rankings = tuple(opinion.ranking for opinion in self.opinions)
        how = (fusion.normalisation, fusion.rank_constant)
        whole = Fuse(rankings, self.chosen or fusion.weights, *how)
        kinds = [
            whole if weights is None else Fuse(rankings, weights, *how)
            for weights in (fusion.symbol_weights, None, fusion.issue_weights)
        ]
        if all(one is whole for one in kinds):
            return whole
        return FuseByKind(self.repository.questions, *kinds)

    def scored_weights(self, weighing: Weighing) -> ScoreWeights:
        """Return what scores every weighting on the queries that choose."""
        rankings = tuple(opinion.ranking for opinion in self.opinions)
        queries = self.repository.choosing
        return ScoreWeights(rankings, self.chunks, self.judgements, queries, weighing)

    @cached_property
    def paths(self) -> ReadPaths:
        """The words of every path."""
        return ReadPaths(self.repository.documents)

    @cached_property
    def ruled_ranking(self) -> Stage[Rankings]:
        """The first ranking under the rules."""
        rules = self.settings.retrieval.rules
        if rules is None:
            return self.first_ranking
        return ApplyRules(
            ranking=self.first_ranking,
            questions=self.repository.questions,
            chunks=self.chunks,
            paths=self.paths,
            symbols=self.symbols,
            rules=rules,
            floor="zero" if self.settings.retrieval.fusion else "mean",
        )

    @cached_property
    def ranking(self) -> Stage[Rankings]:
        """The ranking that is judged."""
        reranker = self.settings.reranker
        if reranker is None:
            return self.ruled_ranking
        shared: dict[str, Any] = {
            "ranking": self.ruled_ranking,
            "questions": self.repository.questions,
            "documents": self.repository.documents,
            "chunks": self.chunks,
            "settings": reranker,
        }
        if isinstance(reranker, CrossEncoder | RerankServer):
            return RerankByPairs(**shared, identity=reranker.identity)
        closer = embedded_windows(self.repository.documents, reranker.embedder)
        return RerankByTokens(
            **shared,
            windows=closer.windows,
            vectors=closer.vectors,
            query_vectors=closer.queries(self.repository.questions),
            model=closer.model,
        )

    @cached_property
    def evidence(self) -> tuple[Stage[Rankings], ...]:
        """What may tell by its scores that nothing answers: the last ranking, each channel's."""
        opinions = (opinion.ranking for opinion in self.opinions)
        return (self.ranking, *(one for one in opinions if one != self.ranking))

    @cached_property
    def judgements(self) -> ResolveTargets:
        """What is right, in the source tree."""
        asked = tuple(_asked(query) for query in self.repository.queries)
        most = self.repository.most_matches
        return ResolveTargets(self.repository.documents, self.symbols, asked, most)

    @cached_property
    def judged(self) -> Judged:
        """The stages that score the ranking and keep what it showed."""
        documents, limit = self.repository.documents, self.settings.limit
        scores = Evaluate(
            ranking=self.ranking,
            chunks=self.chunks,
            documents=documents,
            tokens=self.tokens,
            judgements=self.judgements,
            limit=limit,
            measures=self.repository.measures,
        )
        hits = ListHits(self.ranking, self.chunks, documents, limit)
        described = DescribeChunks(self.chunks, documents, self.tokens, self.symbols)
        return Judged(self.repository, scores, hits, described, self.answers)

    def replies(self, threshold: Stage[Threshold] | None) -> AnswerQueries | None:
        """Return the stage that answers from the ranking, if one is asked for."""
        if self.settings.answerer is None:
            return None
        return AnswerQueries(
            ranking=self.ranking,
            questions=self.repository.questions,
            documents=self.repository.documents,
            chunks=self.chunks,
            symbols=self.symbols,
            answerer=self.settings.answerer,
            limit=self.settings.limit,
            threshold=threshold,
            evidence=self.evidence if threshold else (),
        )

    @property
    def served(self) -> Served:
        """The configuration as it would be served."""
        forms = (opinion.live for opinion in self.opinions)
        channels: tuple[ChannelForm, ...] = tuple(form for form in forms if form is not None)
        return Served(channels, tuple(self._live_steps()))

    def _live_steps(self) -> list[StepForm]:
        steps: list[StepForm] = []
        rules, reranker = self.settings.retrieval.rules, self.settings.reranker
        if rules is not None:
            steps.append(LiveRules(self.chunks, self.paths, self.symbols, rules))
        documents = self.repository.documents
        if isinstance(reranker, CrossEncoder | RerankServer):
            steps.append(LivePairs(documents, self.chunks, reranker))
        elif isinstance(reranker, LateInteraction):
            closer = embedded_windows(documents, reranker.embedder)
            steps.append(LiveTokens(documents, self.chunks, closer, reranker))
        return steps


def _asked(query: Query) -> Query:
    """Return what decides where the targets are: neither the wording nor any label."""
    return Query(query.id, "", query.targets, query.negative)
