"""What symbols turned out to be about: words of tasks, and what was then used.

It is kept only by who asks for it, in a session, and a benchmark never does: a task must not be
answered by what an earlier one taught.
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
    """From how many uses on a word counts, and how much."""

    least_count: int = 2
    full_count: int = 10
    least_share: float = 0.3
    full_share: float = 0.8
    letters: int = 3
    """A word has at least so many."""

    def __post_init__(self) -> None:
        """Refuse counts out of order and shares that are none."""
        if not 1 <= self.least_count < self.full_count:
            message = f"full_count={self.full_count} is not above least_count={self.least_count}"
            raise SeedError(f"{message}; choose more")
        for name in ("least_share", "full_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 to 1")

    def share(self, count: int) -> float:
        """Return what so many uses count."""
        span = self.full_count - self.least_count
        reached = (min(count, self.full_count) - self.least_count) / span
        return self.least_share + (self.full_share - self.least_share) * reached


@dataclass(frozen=True)
class Vocabulary:
    """How often each symbol was used for tasks with each word."""

    counts: Counts = field(default_factory=dict)

    def learn(self, words: Iterable[str], used: Iterable[str]) -> "Vocabulary":
        """Return the vocabulary after symbols of these names were used for these words."""
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
        """Return the symbols, those used most often first."""
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
    """Return the words of a task that are worth remembering."""
    words = (word.lower() for word in (*keywords.exact, *keywords.components))
    worth = (word for word in words if len(word) >= letters and word not in STOPPED | FILLERS)
    return tuple(dict.fromkeys(worth))
