"""Stages of a trial on one repository, from the documents to the last ranking."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bench.engine import Stage
from bench.errors import UsageError
from bench.queries import Level, Query
from bench.settings import TrialSettings
from bench.stages import (
    AnswerQueries,
    ApplyRules,
    AskEngine,
    ChooseWeights,
    Cuttable,
    DescribeChunks,
    EmbeddedWindows,
    Evaluate,
    ExpandQueries,
    FindDefinitions,
    Fuse,
    FuseByKind,
    JudgedChunks,
    Listed,
    ListEntries,
    ListHits,
    MeasureEngineRecall,
    Model,
    Parse,
    Questions,
    ReadPaths,
    RepositoryStages,
    RerankByPairs,
    RerankByTokens,
    ResolveTargets,
    ScoreWeights,
    Served,
    ServedEntries,
    ServedExpansion,
    ServedPairs,
    ServedRules,
    ServedStep,
    ServedTokens,
    StoreTokens,
    TakePlaces,
    TakeRun,
    TakeWording,
    Threshold,
    Tokenize,
    TokenizeByModel,
    Weighing,
    stored_tokens,
)
from bench.study.channels import Channel, channel_of
from bench.study.corpus import PreparedRepository
from retrievers.answerers import RANK_CONSTANT
from retrievers.interface import Chunks, Floor, Rankings, TokenEnds
from retrievers.rerankers import CrossEncoder, LateInteraction, RerankServer


@dataclass(frozen=True)
class Judged:
    """The final stages of a trial on one repository."""

    repository: PreparedRepository
    scores: Evaluate
    hits: ListHits
    chunks: DescribeChunks
    answers: tuple[AskEngine | TakeRun | ExpandQueries, ...] = ()
    """Answers of external engines and chat servers, where single queries may fail."""
    replies: AnswerQueries | None = None
    engine_recalls: tuple[MeasureEngineRecall, ...] = ()
    """Comparisons of vector engines with an exact search, for engines that rank."""

    @property
    def sources(self) -> tuple[Stage[Any], ...]:
        """Other stages whose results are reported: targets, paths, copies, errors and scores."""
        scored = self.replies.evidence if self.replies else ()
        copies = [self.repository.copies] if self.repository.copies else []
        tree = (self.scores.judgements, self.scores.documents)
        return (*tree, *copies, *self.answers, *scored, *self.engine_recalls)


@dataclass(frozen=True)
class RepositoryTrial:
    """A configuration on one repository, as stages."""

    settings: TrialSettings
    repository: PreparedRepository
    chosen: ChooseWeights | None = None
    """Stage that chooses the weights, or None if they are given."""
    level: Level = "span"
    """The level of the study's judgements."""

    @cached_property
    def tokens(self) -> Tokenize:
        """Token ends that measure the shown text."""
        return Tokenize(self.repository.documents)

    @property
    def _size_tokens(self) -> Stage[TokenEnds]:
        """Token ends that measure the size of chunks."""
        sizes, documents = self.settings.sizes, self.repository.documents
        if sizes.model is not None:
            return TokenizeByModel(documents, Model.of(sizes.model))
        return Tokenize(documents, sizes.encoding)

    @cached_property
    def symbols(self) -> Parse:
        """Symbols that the documents define."""
        return Parse(self.repository.documents)

    @cached_property
    def answers(self) -> tuple[AskEngine | TakeRun | ExpandQueries, ...]:
        """Stages whose queries may fail: external engines, and the server that expands
        questions."""
        channels = (one for wording in self._searched for one in wording)
        engines = tuple(one.answers for one in channels if one.answers is not None)
        return (*engines, self.expanded) if self.expanded else engines

    @cached_property
    def expanded(self) -> ExpandQueries | None:
        """Texts that replace or extend each question, or None without expansion."""
        expansion = self.settings.expansion
        return ExpandQueries(self.repository.questions, expansion) if expansion else None

    @cached_property
    def wordings(self) -> tuple[Stage[Questions], ...]:
        """Search texts: the first text of every question, then the second of every question, and
        so on."""
        questions, expansion = self.repository.questions, self.settings.expansion
        if self.expanded is None or expansion is None:
            return (questions,)
        made = tuple(TakeWording(self.expanded, number) for number in range(expansion.count))
        return (*made, questions) if expansion.original else made

    @cached_property
    def chunks(self) -> Stage[Chunks]:
        """Ranked chunks: pieces of documents, or the places of an external engine's answers."""
        chunker, documents = self.settings.chunker, self.repository.documents
        engine = self.settings.retrieval.own_chunks
        if engine is not None:
            return TakePlaces(self._stages.replies(engine), documents, self.tokens)
        if chunker is None:
            raise UsageError("chunker: none was given, and no engine that brings its own chunks")
        cuttable = Cuttable(
            documents,
            self.tokens,
            self.symbols,
            self._size_tokens,
            self.settings.sentence_model,
        )
        return cuttable.headed(chunker, self.settings.headers)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Channels for the first search text of every question."""
        return self._searched[0]

    @cached_property
    def _searched(self) -> tuple[tuple[Channel, ...], ...]:
        """Channels for each search text."""
        return tuple(map(self._channels, self.wordings))

    def _channels(self, wording: Stage[Questions]) -> tuple[Channel, ...]:
        """Return the channels for one search text of every question."""
        retrieval = self.settings.retrieval
        stages = replace(self._stages, chunks=self.chunks, questions=wording)
        judged = JudgedChunks(
            questions=self.repository.questions,
            chunks=self.chunks,
            documents=self.repository.documents,
            judgements=self.judgements,
            level=self.level,
            symbol_credit=self.settings.symbol_credit,
        )
        own_chunks = retrieval.own_chunks is not None
        return tuple(
            channel_of(each, stages, judged, own_chunks=own_chunks) for each in retrieval.channels
        )

    @cached_property
    def _stages(self) -> RepositoryStages:
        """Stages that indexes are made from. `chunks` is added later, because it may need an
        engine."""
        return RepositoryStages(
            documents=self.repository.documents,
            tokens=self.tokens,
            symbols=self.symbols,
            questions=self.repository.questions,
            repository=self.repository.name,
            queries=tuple((query.id, query.text) for query in self.repository.queries),
        )

    @cached_property
    def first_ranking(self) -> Stage[Rankings]:
        """Ranking before rules: of the only search text, or fused over all search texts."""
        rankings = tuple(map(self._ranking_by, self.wordings, self._searched))
        if len(rankings) == 1:
            return rankings[0]
        return Fuse(rankings, (1.0,) * len(rankings), "rrf", RANK_CONSTANT)

    def _ranking_by(
        self, wording: Stage[Questions], channels: tuple[Channel, ...]
    ) -> Stage[Rankings]:
        """Return the ranking of the only channel, or the fusion of all channels."""
        fusion = self.settings.retrieval.fusion
        if fusion is None:
            return channels[0].ranking
        rankings = tuple(channel.ranking for channel in channels)
        how = (fusion.normalisation, fusion.rank_constant)
        weights = self.chosen or fusion.weights
        if not fusion.of_kind:
            return Fuse(rankings, weights, *how)
        return FuseByKind(rankings, wording, weights, fusion.of_kind, *how)

    def scored_weights(self, weighing: Weighing) -> ScoreWeights:
        """Return the stage that scores every weighting on the queries of the tune half."""
        rankings = tuple(channel.ranking for channel in self.channels)
        queries = self.repository.choosing
        return ScoreWeights(
            rankings,
            self.chunks,
            self.repository.documents,
            self.judgements,
            queries,
            weighing,
        )

    @cached_property
    def paths(self) -> ReadPaths:
        """Words of every path."""
        return ReadPaths(self.repository.documents)

    @cached_property
    def ruled_ranking(self) -> Stage[Rankings]:
        """First ranking after the rules."""
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
            floor=self._floor,
        )

    @property
    def _floor(self) -> Floor:
        """Zero point of the first ranking's scores for rules and listing."""
        is_fused = self.settings.retrieval.fusion is not None or len(self.wordings) > 1
        return "zero" if is_fused else "mean"

    @cached_property
    def definitions(self) -> FindDefinitions:
        """Definition that each chunk shows."""
        return FindDefinitions(self.chunks, self.symbols)

    @cached_property
    def listed(self) -> Listed | None:
        """Unit of rankings, or None for chunks, which every ranking lists only once."""
        listing = self.settings.retrieval.listing
        if listing.unit == "chunk":
            return None
        return Listed.of(listing, self.chunks, self.symbols, self._floor)

    @cached_property
    def listed_ranking(self) -> Stage[Rankings]:
        """Ranking after the rules, with one entry per unit.

        A reranker reorders this list. Its depth counts units, and its result still lists each unit
        once.
        """
        if self.listed is None:
            return self.ruled_ranking
        return ListEntries(self.ruled_ranking, self.listed)

    @cached_property
    def ranking(self) -> Stage[Rankings]:
        """Ranking that is judged."""
        reranker = self.settings.reranker
        if reranker is None:
            return self.listed_ranking
        shared: dict[str, Any] = {
            "ranking": self.listed_ranking,
            "questions": self.repository.questions,
            "documents": self.repository.documents,
            "chunks": self.chunks,
            "settings": reranker,
        }
        if isinstance(reranker, CrossEncoder | RerankServer):
            return RerankByPairs(**shared, identity=reranker.identity)
        embedded, tokens = self._token_windows(reranker)
        return RerankByTokens(
            **shared,
            windows=embedded.windows,
            vectors=embedded.vectors,
            query_vectors=embedded.queries(self.repository.questions),
            model=embedded.model,
            tokens=tokens,
        )

    def _token_windows(
        self, reranker: LateInteraction
    ) -> tuple[EmbeddedWindows, tuple[StoreTokens, ...]]:
        """Return the windows for late interaction, and the stages that store their token
        vectors."""
        documents, is_stored = self.repository.documents, reranker.vectors == "stored"
        embedded = EmbeddedWindows.of(
            documents, self.chunks, reranker.embedder, keeps_tokens=is_stored
        )
        return embedded, stored_tokens(documents, embedded) if is_stored else ()

    @cached_property
    def evidence(self) -> tuple[Stage[Rankings], ...]:
        """Rankings whose scores can justify a refusal: the final one and those of the channels."""
        rankings = (channel.ranking for channel in self.channels)
        return (self.ranking, *(one for one in rankings if one != self.ranking))

    @cached_property
    def judgements(self) -> ResolveTargets:
        """Targets of the queries, resolved in the source tree."""
        repository = self.repository
        asked = tuple(_asked(query) for query in repository.queries)
        earlier = None
        if repository.earlier is not None:
            earlier = tuple(repository.earlier.get(query.id, ()) for query in asked)
        return ResolveTargets(
            repository.documents,
            self.symbols,
            asked,
            repository.most_matches,
            earlier,
            repository.missing,
        )

    @cached_property
    def judged(self) -> Judged:
        """Stages that score the ranking and store its hits."""
        documents, limit = self.repository.documents, self.settings.limit
        scores = Evaluate(
            ranking=self.ranking,
            chunks=self.chunks,
            documents=documents,
            tokens=self.tokens,
            judgements=self.judgements,
            limit=limit,
            symbol_credit=self.settings.symbol_credit,
            measures=self.repository.measures,
        )
        hits = ListHits(self.ranking, self.chunks, documents, self.definitions, limit)
        described = DescribeChunks(self.chunks, documents, self.tokens, self.symbols)
        channels = (one for wording in self._searched for one in wording)
        recalls = tuple(one.recall for one in channels if one.recall is not None)
        return Judged(
            self.repository, scores, hits, described, self.answers, engine_recalls=recalls
        )

    def replies(self, threshold: Stage[Threshold] | None) -> AnswerQueries | None:
        """Return the stage that answers from the ranking, or None without an answerer."""
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
        """The configuration as it is served."""
        retrievers = (channel.served for channel in self.channels)
        served = tuple(retriever for retriever in retrievers if retriever is not None)
        expansion = None
        if self.expanded is not None:
            questions = self.repository.questions
            expansion = ServedExpansion(questions, self.expanded, self.wordings)
        return Served(served, tuple(self._served_steps()), expansion)

    def _served_steps(self) -> list[ServedStep]:
        steps: list[ServedStep] = []
        rules, reranker = self.settings.retrieval.rules, self.settings.reranker
        if rules is not None:
            served = ServedRules(self.chunks, self.paths, self.symbols, rules, self._floor)
            steps.append(served)
        if self.listed is not None:
            steps.append(ServedEntries(self.listed))
        documents = self.repository.documents
        if isinstance(reranker, CrossEncoder | RerankServer):
            steps.append(ServedPairs(documents, self.chunks, reranker))
        elif isinstance(reranker, LateInteraction):
            embedded, tokens = self._token_windows(reranker)
            steps.append(ServedTokens(documents, self.chunks, embedded, reranker, tokens))
        return steps


def _asked(query: Query) -> Query:
    """Return the query without wording and labels, which do not change the location of targets."""
    return Query(query.id, "", query.targets, query.negative)
