"""The channel of learned words: symbols that were used for earlier tasks with the same words.

Only a session keeps a vocabulary, and only on request. A benchmark never does, since earlier
tasks must not influence the answers to later ones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph, Keywords
from retrievers.graph.seeding.channel import Asked, Finds
from retrievers.graph.seeding.words import FILLERS, STOPPED

Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class LearnedSeeds:
    """The weight of a word by its number of uses, from the least to the full count."""

    least_count: int = 2
    full_count: int = 10
    least_share: float = 0.3
    full_share: float = 0.8
    letters: int = 3
    """Minimum length of a word."""

    def __post_init__(self) -> None:
        """Raise an error for counts out of order and for shares out of range."""
        if not 1 <= self.least_count < self.full_count:
            message = f"full_count={self.full_count} is not above least_count={self.least_count}"
            raise SeedError(f"{message}; choose more")
        for name in ("least_share", "full_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 to 1")

    def share(self, count: int) -> float:
        """Return the weight for a number of uses, which must be at least `least_count`."""
        span = self.full_count - self.least_count
        reached = (min(count, self.full_count) - self.least_count) / span
        return self.least_share + (self.full_share - self.least_share) * reached


@dataclass(frozen=True)
class Vocabulary:
    """The number of uses of each symbol for tasks with each word."""

    counts: Counts = field(default_factory=dict)

    def learn(self, words: Iterable[str], used: Iterable[str]) -> "Vocabulary":
        """Return a new vocabulary with one more use of these symbols for these words."""
        names = sorted(set(used))
        counts = {word: dict(symbols) for word, symbols in self.counts.items()}
        for word in words:
            symbols = counts.setdefault(word, {})
            symbols.update({name: symbols.get(name, 0) + 1 for name in names})
        return Vocabulary(counts)


class LearnedChannel:
    """Finds symbols that were used before for tasks with the same words."""

    def __init__(self, graph: CodeGraph, settings: LearnedSeeds, vocabulary: Vocabulary) -> None:
        self._counts = vocabulary.counts
        self._settings = settings
        names = graph.names[: graph.symbol_count] if self._counts else ()
        self._nodes = {name: node for node, name in enumerate(names)}

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the most uses first. The best word of a symbol counts."""
        most: dict[int, int] = {}
        for word in telling(asked.keywords, self._settings.letters):
            for name, count in self._counts.get(word, {}).items():
                node = self._nodes.get(name)
                counts = count >= self._settings.least_count
                if node is not None and counts and asked.eligible[node]:
                    most[node] = max(count, most.get(node, 0))
        ordered = sorted(most.items(), key=lambda found: (-found[1], found[0]))
        return {node: self._settings.share(count) for node, count in ordered}


def telling(keywords: Keywords, letters: int) -> tuple[str, ...]:
    """Return the words of a task that a vocabulary stores."""
    words = (word.lower() for word in (*keywords.exact, *keywords.components))
    worth = (word for word in words if len(word) >= letters and word not in STOPPED | FILLERS)
    return tuple(dict.fromkeys(worth))
