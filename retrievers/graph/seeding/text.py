"""Symbols by all their words, bodies included, as plain BM25 weighs them."""

from dataclasses import dataclass

from retrievers.graph.seeding.channel import Asked, Finds, SeedError, best_scored
from retrievers.lexical import BM25, BM25Index, count_words
from retrievers.lexical.fields import FieldTexts, Splitter


@dataclass(frozen=True)
class TextSeeds:
    """How words are weighed, and how many symbols are found."""

    limit: int = 30
    k1: float = 1.5
    b: float = 0.75

    def __post_init__(self) -> None:
        """Refuse limits below one and weights that are not allowed."""
        if self.limit < 1:
            raise SeedError(f"limit={self.limit} is out of range; choose 1 or more")
        BM25(k1=self.k1, b=self.b)


class TextChannel:
    """Finds symbols that share words with the task anywhere in their text."""

    def __init__(self, texts: FieldTexts, settings: TextSeeds) -> None:
        columns = (texts.qualified_name, texts.path, texts.body)
        # The words are split already; plain words of them are themselves.
        whole = (" ".join(parts) for parts in zip(*columns, strict=True))
        weighing = BM25("plain", settings.k1, settings.b)
        self._index = BM25Index(count_words(whole, "plain"), weighing)
        self._split = Splitter(texts.tokenizer)
        self._limit = settings.limit

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the highest scores."""
        scores = self._index.scores(self._split.text(asked.task))
        return best_scored(scores, asked, self._limit)
