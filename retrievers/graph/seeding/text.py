"""The channel that finds symbols by all their words and by the words of their files."""

import math
from dataclasses import dataclass

import numpy as np

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph
from retrievers.graph.seeding.channel import Asked, Finds, best_scored
from retrievers.graph.seeding.texts import SeedTexts
from retrievers.interface import Floats
from retrievers.lexical import BM25, BM25Index
from retrievers.lexical.fields import Splitter
from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS
from retrievers.lexical.tokenizers import TokenizerName, tokenizer_named

_UNTELLING = STOP_WORDS | QUESTION_WORDS


@dataclass(frozen=True)
class TextSeeds:
    """Settings of BM25, and the maximum number of symbols."""

    limit: int = 60
    k1: float = 1.5
    b: float = 0.75
    file_share: float = 0.5
    """Weight of the file's score relative to the symbol's. Both are divided by their maximum."""

    def __post_init__(self) -> None:
        """Raise an error for limits below 1 and for weights out of range."""
        if self.limit < 1:
            raise SeedError(f"limit={self.limit} is out of range; choose 1 or more")
        if not 0 <= self.file_share < math.inf:
            raise SeedError(f"file_share={self.file_share} is not a weight; use 0 or more")
        BM25(k1=self.k1, b=self.b)


class TextChannel:
    """Finds symbols that share words with the task anywhere in their text."""

    def __init__(self, graph: CodeGraph, texts: SeedTexts, settings: TextSeeds) -> None:
        weighing = BM25("plain", settings.k1, settings.b)
        self._file = graph.document[: graph.symbol_count].astype(np.int64)
        self._symbols = BM25Index(texts.words.of_symbols, weighing)
        self._files = BM25Index(texts.words.of_files, weighing)
        self._words = _TellingWords(texts.tokenizer)
        self._settings = settings

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the highest scores."""
        words = self._words.of(asked.task)
        own, around = self._symbols.scores(words), self._files.scores(words)
        scores = _shares(own) + self._settings.file_share * _shares(around)[self._file]
        return best_scored(np.where(own > 0, scores, 0), asked, self._settings.limit)


class _TellingWords:
    """Splits tasks like the texts of the index, without stop words and question words."""

    def __init__(self, tokenizer: TokenizerName) -> None:
        self._find = tokenizer_named(tokenizer).find
        self._split = Splitter(tokenizer)

    def of(self, task: str) -> str:
        words = self._find(task)
        telling = [word for word in words if word.lower() not in _UNTELLING]
        return self._split.text(" ".join(telling or words))


def _shares(scores: Floats) -> Floats:
    return np.asarray(scores / max(float(scores.max(initial=0)), 1e-12), np.float32)
