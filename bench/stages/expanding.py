"""Query expansion as stages: texts that a chat server makes from questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.errors import EngineError
from bench.stages.chat import replies_to
from bench.stages.sources import Questions
from retrievers.answerers import Expansion, Reply

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Expanded:
    """Texts of expanded questions, with their cost."""

    count: int
    texts: tuple[str, ...]
    """`count` texts for each question, in order."""
    errors: tuple[str, ...]
    """Error of each question, or "". A failed question is searched as it is."""
    prompt_tokens: Numbers
    completion_tokens: Numbers
    milliseconds: Numbers
    """Time of the server when the reply was made."""


@dataclass(frozen=True)
class ExpandQueries(Stage[Expanded]):
    """Expand every question with a chat server."""

    kind: ClassVar[str] = "expand-queries"
    codec: ClassVar[Record[Expanded]] = Record(Expanded)

    questions: Stage[Questions]
    expansion: Expansion

    def run(self, read: Read, /) -> Expanded:
        """Return the texts; it is an error if all questions failed."""
        questions, expansion = read(self.questions).texts, self.expansion
        prompts = {number: expansion.prompt(text) for number, text in enumerate(questions)}
        found = replies_to(expansion.server, prompts, read)
        replies = [found[number] for number in prompts]
        failed = [reply.cause for reply in replies if reply.cause]
        read.count(failed_queries=len(failed))
        if failed and len(failed) == len(replies):
            message = f"none of {len(replies)} questions was expanded; the first: {failed[0]}"
            raise EngineError(f"query={expansion.method}: {message}")
        return Expanded(
            count=expansion.count,
            texts=tuple(
                text
                for question, reply in zip(questions, replies, strict=True)
                for text in expansion.texts(reply.text, question)
            ),
            errors=tuple(reply.cause for reply in replies),
            prompt_tokens=_known([reply.prompt_tokens for reply in replies]),
            completion_tokens=_known([reply.completion_tokens for reply in replies]),
            milliseconds=_milliseconds(replies),
        )


@dataclass(frozen=True)
class TakeWording(Stage[Questions]):
    """One of the texts of every question, for a search."""

    kind: ClassVar[str] = "take-wording"
    codec: ClassVar[Record[Questions]] = Record(Questions)

    expanded: Stage[Expanded]
    number: int

    def run(self, read: Read, /) -> Questions:
        """Return the text with this number for every question."""
        found = read(self.expanded)
        return Questions(found.texts[self.number :: found.count])


@dataclass(frozen=True)
class ServedExpansion:
    """Expanded questions for latency measurements, without new requests to the server."""

    questions: Stage[Questions]
    expanded: Stage[Expanded]
    wordings: tuple[Stage[Questions], ...]

    def open(self, read: Read, /) -> "Wordings":
        """Return the texts of each question."""
        questions, milliseconds = read(self.questions).texts, read(self.expanded).milliseconds
        texts = zip(*(read(one).texts for one in self.wordings), strict=True)
        seconds = (milliseconds / 1000).tolist()
        return Wordings(
            dict(zip(questions, texts, strict=True)),
            dict(zip(questions, seconds, strict=True)),
        )


@dataclass(frozen=True)
class Wordings:
    """Search texts of each question, and the seconds that the server took."""

    texts: Mapping[str, tuple[str, ...]]
    seconds: Mapping[str, float]

    def of(self, question: str) -> tuple[str, ...]:
        """Return the search texts of a question, which default to the question itself."""
        return self.texts.get(question, (question,))


def _milliseconds(replies: list[Reply]) -> Numbers:
    return np.array([reply.milliseconds for reply in replies], np.float64)


def _known(counts: list[int | None]) -> Numbers:
    return np.array([np.nan if count is None else count for count in counts], np.float64)
