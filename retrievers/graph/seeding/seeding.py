"""The search for the seeds of a walk, given a task."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph, Seeds
from retrievers.graph.seeding.bm25 import BM25Channel, BM25Seeds
from retrievers.graph.seeding.channel import CHANNELS, Asked, Channel, ChannelName, Finds
from retrievers.graph.seeding.classes import EquivalenceClass
from retrievers.graph.seeding.equivalence import EquivalenceChannel, EquivalenceSeeds
from retrievers.graph.seeding.fusing import fuse_ranks
from retrievers.graph.seeding.keywords import Extraction, extract_keywords
from retrievers.graph.seeding.learned import LearnedChannel, LearnedSeeds, Vocabulary, telling
from retrievers.graph.seeding.noise import Noise, NoiseFilter
from retrievers.graph.seeding.paths import PathChannel, PathSeeds
from retrievers.graph.seeding.reasons import SeedReasons
from retrievers.graph.seeding.selection import Selection, Selector
from retrievers.graph.seeding.text import TextChannel, TextSeeds
from retrievers.graph.seeding.texts import SeedTexts
from retrievers.graph.seeding.tiered import TieredChannel, TieredSeeds
from retrievers.rules.words import speaks_of_tests

IMPLEMENTORS = "implementors"
"""The channel name for scores that an implementation receives from its interface."""

Given = Mapping[str, Mapping[int, float]]
"""The score of each node in each channel."""


@dataclass(frozen=True)
class ChannelWeights:
    """The weight of each channel in the fusion. A channel with weight 0 does not run."""

    tiered: float = 1.0
    bm25: float = 2.0
    text: float = 2.0
    equivalence: float = 2.0
    path: float = 1.5
    """Used only with `path.fused`, or if no other channel finds a symbol."""
    learned: float = 1.0

    def __post_init__(self) -> None:
        """Raise an error for weights that are negative, infinite or NaN."""
        for one in fields(self):
            weight = getattr(self, one.name)
            if not 0 <= weight < float("inf"):
                raise SeedError(f"{one.name}={weight} is not a weight; use 0 or more")


@dataclass(frozen=True)
class Seeding:
    """All settings of the search for seeds."""

    channels: tuple[ChannelName, ...] = CHANNELS
    weights: ChannelWeights = field(default_factory=ChannelWeights)
    rank_constant: float = 10.0
    """A rank scores weight / (rank_constant + rank + 1). Low values favour the first ranks."""
    candidates: int = 80
    """Maximum number of symbols after the fusion."""
    implementor_share: float = 0.5
    """The score of an implementation, as a share of the score of its interface."""
    extraction: Extraction = field(default_factory=Extraction)
    tiered: TieredSeeds = field(default_factory=TieredSeeds)
    bm25: BM25Seeds = field(default_factory=BM25Seeds)
    text: TextSeeds = field(default_factory=TextSeeds)
    equivalence: EquivalenceSeeds = field(default_factory=EquivalenceSeeds)
    path: PathSeeds = field(default_factory=PathSeeds)
    learned: LearnedSeeds = field(default_factory=LearnedSeeds)
    noise: Noise = field(default_factory=Noise)
    selection: Selection = field(default_factory=Selection)

    def __post_init__(self) -> None:
        """Raise an error for unknown channels and values out of range."""
        unknown = [name for name in self.channels if name not in CHANNELS]
        if unknown or not self.channels:
            asked = ",".join(self.channels) or "nothing"
            message = f"channels={asked} is not known; choose some of {', '.join(CHANNELS)}"
            raise SeedError(message)
        if self.candidates < 1:
            raise SeedError(f"candidates={self.candidates} is out of range; choose 1 or more")
        if not 0 <= self.rank_constant < float("inf"):
            message = f"rank_constant={self.rank_constant} is out of range; choose 0 or more"
            raise SeedError(message)
        if not 0 <= self.implementor_share <= 1:
            message = f"implementor_share={self.implementor_share} is out of range"
            raise SeedError(f"{message}; choose 0 to 1")


def telling_words(task: str, settings: Seeding) -> tuple[str, ...]:
    """Return the words of a task that a vocabulary stores."""
    return telling(extract_keywords(task, settings.extraction), settings.learned.letters)


class Seeder:
    """A graph with its channels, ready for tasks. It keeps no state between tasks."""

    def __init__(
        self,
        graph: CodeGraph,
        texts: SeedTexts,
        settings: Seeding | None = None,
        *,
        classes: Iterable[EquivalenceClass] = (),
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self._graph = graph
        self._settings = settings = settings or Seeding()
        self._equivalence = EquivalenceChannel(graph, settings.equivalence, classes)
        self._channels = _channels(
            graph, texts, settings, equivalence=self._equivalence, vocabulary=vocabulary
        )
        self._noise = NoiseFilter(graph, settings.noise)
        self._selector = Selector(graph, settings.selection)

    def seed(self, task: str) -> Seeds:
        """Return the symbols that a walk for the task starts from, best first."""
        asked = self._asked(task)
        eligible, found = asked.eligible, self._found(asked)
        given = self._with_implementors(self._candidates(found))
        candidates = [node for node in _best_first(given) if eligible[node]]
        return _seeds(
            self._selector.ordered(candidates),
            given,
            supplement=list(found.get("path", ())),
            forced=self._equivalence.forced(task, eligible),
        )

    def reasons(self, task: str, node: int) -> SeedReasons:
        """Return the reasons why a symbol is a seed for the task."""
        asked = self._asked(task)
        found = self._found(asked)
        tiers = {
            name: channel.tiers(asked)
            for name, channel in self._channels.items()
            if isinstance(channel, TieredChannel)
        }
        concepts = self._equivalence.concepts(replace(asked, earlier=found), node)
        return SeedReasons(
            keywords=asked.keywords,
            ranks={name: list(own).index(node) + 1 for name, own in found.items() if node in own},
            tiers={name: own[node] for name, own in tiers.items() if node in own},
            concepts=tuple(concepts) if node in found.get("equivalence", ()) else (),
        )

    def _asked(self, task: str) -> Asked:
        keywords = extract_keywords(task, self._settings.extraction)
        noisy = self._noise.noisy(keywords, spare_tests=speaks_of_tests(task))
        return Asked(task, keywords, ~noisy)

    def _found(self, asked: Asked) -> dict[str, Finds]:
        """Return the results of all channels. Each channel receives the earlier results."""
        found: dict[str, Finds] = {}
        for name, channel in self._channels.items():
            found[name] = channel.find(replace(asked, earlier=dict(found)))
        return found

    def _candidates(self, found: Mapping[str, Finds]) -> Given:
        """Return the best nodes of the fusion, with their scores per channel."""
        settings = self._settings
        others = {name: finds for name, finds in found.items() if name != "path"}
        # Symbols of packages are used alone if there is nothing else.
        fusable = found if settings.path.fused or not any(others.values()) else others
        weights = {name: getattr(settings.weights, name) for name in fusable}
        nodes, given = fuse_ranks(fusable, weights, settings.rank_constant)
        best = nodes[: settings.candidates].tolist()
        return {name: dict(zip(best, part.tolist(), strict=False)) for name, part in given.items()}

    def _with_implementors(self, given: Given) -> Given:
        """Return the candidates and their implementations, with a share of their scores."""
        scores = _scores(given)
        behind = self._selector.implementors(_best_first(given))
        share = self._settings.implementor_share
        return {**given, IMPLEMENTORS: {node: share * scores[of] for node, of in behind.items()}}


def _scores(given: Given) -> dict[int, float]:
    scores: dict[int, float] = {}
    for part in given.values():
        for node, value in part.items():
            scores[node] = scores.get(node, 0.0) + value
    return scores


def _best_first(given: Given) -> list[int]:
    scores = _scores(given)
    return sorted(scores, key=lambda node: (-scores[node], node))


def _seeds(nodes: list[int], given: Given, *, supplement: list[int], forced: list[int]) -> Seeds:
    scores = _scores(given)
    channels = {
        name: np.array([part.get(node, 0.0) for node in nodes], np.float32)
        for name, part in given.items()
        if any(part.get(node) for node in nodes)
    }
    return Seeds(
        node=np.array(nodes, np.int32),
        score=np.array([scores[node] for node in nodes], np.float32),
        channels=channels,
        supplement=np.array([node for node in supplement if node not in nodes], np.int32),
        forced=np.array(forced, np.int32),
    )


def _channels(
    graph: CodeGraph,
    texts: SeedTexts,
    settings: Seeding,
    *,
    equivalence: Channel,
    vocabulary: Vocabulary | None,
) -> dict[ChannelName, Channel]:
    """Return the active channels in the order of `CHANNELS`, since some read earlier results."""
    known: dict[ChannelName, Callable[[], Channel]] = {
        "tiered": lambda: TieredChannel(graph, settings.tiered),
        "bm25": lambda: BM25Channel(texts, settings.bm25),
        "text": lambda: TextChannel(graph, texts, settings.text),
        "equivalence": lambda: equivalence,
        "path": lambda: PathChannel(graph, settings.path),
        "learned": lambda: LearnedChannel(graph, settings.learned, vocabulary or Vocabulary()),
    }
    asked = (name for name in settings.channels if getattr(settings.weights, name) > 0)
    return {name: known[name]() for name in sorted(asked, key=CHANNELS.index)}
