"""Answers from the first hits, and the score threshold below which an answer is refused."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.measures import best_threshold, refusal_gain
from bench.stages.chat import replies_to
from bench.stages.sources import Questions
from retrievers.answerers import (
    ChatServer,
    Extractive,
    Passage,
    Reply,
    extract,
    prompt_for,
)
from retrievers.interface import Chunks, Documents, Rankings
from retrievers.source import Symbols

Answerer = Extractive | ChatServer


@dataclass(frozen=True)
class Threshold:
    """Refusal threshold. With the value None, only queries without hits are refused."""

    value: float | None
    source: int = 0
    """Ranking whose scores are compared: 0 for the shown one, otherwise the channel from 1."""


@dataclass(frozen=True)
class CalibrateRefusal(Stage[Threshold]):
    """Choose the score that separates negative queries from the others, on some queries.

    Normalized scores of a fused ranking are only comparable within a query. They do not show how
    good a hit is in absolute terms, so the stage also tries the scores of each channel.
    """

    kind: ClassVar[str] = "calibrate-refusal"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Threshold]] = Record(Threshold)

    rankings: tuple[Stage[Rankings], ...]
    """The same number of rankings for each repository; the shown one is first."""
    tuned: tuple[tuple[bool, ...], ...]
    """Queries to calibrate on, for each repository."""
    negative: tuple[tuple[bool, ...], ...]
    most_false_refusals: float

    @property
    def subject(self) -> str:
        """Empty, because the stage covers all repositories."""
        return ""

    def run(self, read: Read, /) -> Threshold:
        """Return the threshold with the largest gain; on a tie, the shown ranking wins."""
        tuned = np.concatenate([np.array(one, np.bool_) for one in self.tuned])
        negative = np.concatenate([np.array(one, np.bool_) for one in self.negative])[tuned]
        sources = len(self.rankings) // len(self.tuned)
        chosen, most = (0.0, Threshold(None)), self.most_false_refusals
        for source in range(sources):
            # Rankings are ordered by repository, each with the same number of sources.
            rankings = self.rankings[source::sources]
            best = np.concatenate([best_scores(read(one)) for one in rankings])[tuned]
            value = best_threshold(best, negative, most_false_refusals=most)
            gain = 0.0 if value is None else refusal_gain(best, negative, value)
            if gain > chosen[0]:
                chosen = gain, Threshold(value, source)
        return chosen[1]


@dataclass(frozen=True)
class Replies:
    """Answers to a repository's queries, in their order."""

    text: tuple[str, ...]
    cause: tuple[str, ...]
    """Reason for a missing answer, empty if there is one."""
    refused: np.ndarray[Any, np.dtype[np.bool_]]
    shown: np.ndarray[Any, np.dtype[np.int32]]
    """Number of hits that an answer could cite."""
    prompt_tokens: np.ndarray[Any, np.dtype[np.float64]]
    completion_tokens: np.ndarray[Any, np.dtype[np.float64]]
    milliseconds: np.ndarray[Any, np.dtype[np.float64]]

    @classmethod
    def of(cls, replies: Sequence[Reply], shown: Sequence[int]) -> "Replies":
        """Return replies with the numbers of hits that they could cite."""
        return cls(
            text=tuple(one.text for one in replies),
            cause=tuple(one.cause for one in replies),
            refused=np.array([one.refused for one in replies], np.bool_),
            shown=np.array(shown, np.int32),
            prompt_tokens=_numbers([one.prompt_tokens for one in replies]),
            completion_tokens=_numbers([one.completion_tokens for one in replies]),
            milliseconds=_numbers([one.milliseconds for one in replies]),
        )


@dataclass(frozen=True)
class AnswerQueries(Stage[Replies]):
    """Answer every query from its first hits."""

    kind: ClassVar[str] = "answer-queries"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Replies]] = Record(Replies)

    ranking: Stage[Rankings]
    questions: Stage[Questions]
    documents: Stage[Documents]
    chunks: Stage[Chunks]
    symbols: Stage[Symbols]
    answerer: Answerer
    limit: int
    threshold: Stage[Threshold] | None = None
    """Stage that calibrates the threshold, or None if it is a setting."""
    evidence: tuple[Stage[Rankings], ...] = ()
    """Rankings whose scores a calibrated threshold may refer to."""

    def run(self, read: Read, /) -> Replies:
        """Return a reply to every query; an error becomes the reply's cause."""
        shelf = _Shelf(read(self.documents), read(self.chunks), read(self.symbols))
        rankings, texts = read(self.ranking), read(self.questions).texts
        most = min(self.answerer.hits, self.limit)
        hits = [rankings.of_query(query)[0][:most].tolist() for query in range(len(texts))]
        if isinstance(self.answerer, ChatServer):
            hits = [shelf.within(own, self.answerer.context_tokens) for own in hits]
        passages = [shelf.passages(own) for own in hits]
        if isinstance(self.answerer, ChatServer):
            replies = _asked(self.answerer, texts, passages, read)
        else:
            settings, judged = self._calibrated(self.answerer, rankings, read)
            scored = zip(texts, passages, best_scores(judged).tolist(), strict=True)
            replies = [_timed(*one, settings) for one in scored]
        read.count(answers=len(replies), failed_answers=sum(bool(one.cause) for one in replies))
        return Replies.of(replies, [len(own) for own in hits])

    def _calibrated(
        self, settings: Extractive, shown: Rankings, read: Read
    ) -> tuple[Extractive, Rankings]:
        """Return the settings with a calibrated threshold, and the ranking that it refers to."""
        if self.threshold is None:
            return settings, shown
        found = read(self.threshold)
        judged = read(self.evidence[found.source]) if found.source else shown
        return replace(settings, threshold=found.value), judged

    def is_final(self, result: Replies, /) -> bool:
        """Return False if a query failed, so that it is asked again next time."""
        return not any(result.cause)


@dataclass(frozen=True)
class _Shelf:
    """Source of passages for hits."""

    documents: Documents
    chunks: Chunks
    symbols: Symbols

    def passages(self, hits: Sequence[int]) -> list[Passage]:
        """Return hits as passages for an answerer."""
        return [self._passage(hit) for hit in hits]

    def within(self, hits: Sequence[int], tokens: int) -> list[int]:
        """Return the first hits that fit into a token budget, at least one."""
        sizes = [int(self.chunks.end_token[hit] - self.chunks.start_token[hit]) for hit in hits]
        total = np.cumsum(sizes)
        return [hit for place, hit in enumerate(hits) if not place or total[place] <= tokens]

    def _passage(self, hit: int) -> Passage:
        span = self.chunks.span(hit, self.documents)
        text = self.chunks.text(hit, self.documents)
        return Passage(span.path, span.start, span.end, text, tuple(self._definitions(hit)))

    def _definitions(self, hit: int) -> list[tuple[str, str]]:
        """Return the definitions that overlap a hit."""
        symbols, chunks = self.symbols, self.chunks
        first, last = np.searchsorted(
            symbols.document, [chunks.document[hit], chunks.document[hit] + 1]
        )
        rows = np.arange(first, last)
        overlapping = rows[
            (symbols.start_byte[rows] < chunks.end_byte[hit])
            & (symbols.end_byte[rows] > chunks.start_byte[hit])
        ]
        return [(symbols.signatures[row], symbols.docs[row]) for row in overlapping.tolist()]


def _timed(question: str, passages: Sequence[Passage], best: float, settings: Extractive) -> Reply:
    started = time.perf_counter()
    reply = extract(question, passages, settings, best_score=best)
    return replace(reply, milliseconds=(time.perf_counter() - started) * 1000)


def _asked(
    server: ChatServer, texts: Sequence[str], passages: Sequence[Sequence[Passage]], read: Read
) -> list[Reply]:
    """Return the server's replies; queries without passages are refused without a request."""
    prompts = {
        number: prompt_for(server.prompt, text, own, refusal=server.refusal)
        for number, (text, own) in enumerate(zip(texts, passages, strict=True))
        if own
    }
    replies = replies_to(server, prompts, read)
    return [replies.get(number, Reply(refused=True)) for number in range(len(texts))]


def best_scores(rankings: Rankings) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the score of each query's first hit, NaN without hits."""
    tops = (rankings.of_query(query)[1] for query in range(len(rankings)))
    return np.array([scores[0] if len(scores) else np.nan for scores in tops], np.float64)


def _numbers(values: Sequence[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if value is None else value for value in values], np.float64)
