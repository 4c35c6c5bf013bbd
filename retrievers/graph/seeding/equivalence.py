"""The channel that finds symbols about a concept of the task that have other names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from retrievers.errors import SeedError
from retrievers.graph.model import CodeGraph, Flags
from retrievers.graph.seeding.aliases import Aliases
from retrievers.graph.seeding.channel import Asked, Finds
from retrievers.graph.seeding.classes import EquivalenceClass, Match, built_in_classes, matches
from retrievers.graph.seeding.reasons import NEIGHBOURS, MatchedConcept
from retrievers.lexical.names import NameTable
from retrievers.source import language_of

_GENERIC = frozenset(("get", "set", "do", "new", "run", "put", "post", "call", "add", "pop"))


@dataclass(frozen=True)
class EquivalenceSeeds:
    """The classes in use, and the limits that protect the results of other channels."""

    universal: bool = True
    language: bool = True
    project: bool = True
    aliases: bool = True
    aliases_of: int = 10
    """Number of the first symbols of the tiered channel whose aliases are compared to the task."""
    alias_weight: float = 0.7
    word_share: float = 0.5
    """The weight of a class named by a single word, relative to one named by a phrase."""
    alias_kind: str = "calls"
    per_target: int = 5
    """Maximum number of symbols with the name of a target."""
    target_letters: int = 4
    """Targets with fewer letters are too general and are ignored."""
    share_limit: float = 2.0
    """Maximum number of symbols, as a multiple of the symbols of the tiered and bm25 channels."""
    inject: bool = False
    """Whether classes of a project with high weights put their symbols on top of the ranking."""
    inject_weight: float = 0.9

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        for name in ("aliases_of", "per_target", "target_letters", "share_limit"):
            if getattr(self, name) < 0:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 or more")
        for name in ("alias_weight", "word_share", "inject_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 0 to 1")


class EquivalenceChannel:
    """Finds symbols by the equivalence classes of a task, and by the names of their neighbours."""

    def __init__(
        self,
        graph: CodeGraph,
        settings: EquivalenceSeeds,
        classes: Iterable[EquivalenceClass] = (),
    ) -> None:
        self._graph = graph
        self._settings = settings
        asked = (*classes, *built_in_classes())
        self._classes = tuple(one for one in asked if getattr(settings, one.origin))
        self._aliases = Aliases(graph, settings.alias_kind)

    @cached_property
    def _table(self) -> NameTable:
        # Computed on demand: most tasks match no class. Names lose their underscores, as do
        # targets.
        names = self._graph.names[: self._graph.symbol_count]
        return NameTable([name.replace("_", "") for name in names], ())

    def find(self, asked: Asked) -> Finds:
        """Return the symbols of the classes with the highest weights, within the limits."""
        found: dict[int, float] = {}
        for match in matches(asked.task, self._classes):
            share = match.of.weight
            share *= 1.0 if match.is_strong else self._settings.word_share
            for node in self._of_all([match], asked.eligible):
                found[node] = max(share, found.get(node, 0.0))
        for node in self._meant(asked):
            found[node] = max(self._settings.alias_weight, found.get(node, 0.0))
        best = sorted(found.items(), key=lambda one: -one[1])
        return dict(best[: self._limit(asked, len(best))])

    def concepts(self, asked: Asked, node: int) -> Iterator[MatchedConcept]:
        """Yield the classes that connect the task with a symbol."""
        for match in matches(asked.task, self._classes):
            for target in match.of.targets:
                if node in self._called(target, match.of):
                    own = match.of
                    yield MatchedConcept(
                        own.concept, match.phrases, target, own.origin, own.weight
                    )
        if node in self._meant(asked):
            name, weight = self._graph.names[node].rpartition(".")[2], self._settings.alias_weight
            said = self._aliases.said(asked.task, node)
            yield MatchedConcept(f"neighbours of {name}", said, name, NEIGHBOURS, weight)

    def forced(self, task: str, eligible: Flags) -> list[int]:
        """Return the symbols that classes of a project put on top of the ranking, best first."""
        settings = self._settings
        if not settings.inject:
            return []
        strong = (
            match
            for match in matches(task, self._classes)
            if match.of.origin == "project"
            and match.of.weight >= settings.inject_weight
            and match.is_strong
        )
        return list(dict.fromkeys(self._of_all(strong, eligible)))

    def _of_all(self, matched: Iterable[Match], eligible: Flags) -> Iterator[int]:
        """Yield the eligible symbols of these classes."""
        for match in matched:
            yield from (node for node in self._symbols(match) if eligible[node])

    def _limit(self, asked: Asked, found: int) -> int:
        """Return the maximum number of symbols: no limit if names and words find nothing."""
        others = sum(len(asked.earlier.get(name, ())) for name in ("tiered", "bm25"))
        return int(self._settings.share_limit * others) if others else found

    def _meant(self, asked: Asked) -> list[int]:
        named = asked.earlier.get("tiered", asked.earlier.get("bm25", {}))
        first = list(named)[: self._settings.aliases_of]
        return self._aliases.meant(asked.task, first) if self._settings.aliases else []

    def _symbols(self, match: Match) -> Iterator[int]:
        for target in match.of.targets:
            yield from self._called(target, match.of)

    def _called(self, target: str, one: EquivalenceClass) -> list[int]:
        name = target.replace("_", "").lower()
        if len(name) < self._settings.target_letters or name in _GENERIC:
            return []
        rows = [row for row in self._table.exact(name) if self._is_meant(row, one)]
        rows.sort(key=lambda row: bool(self._graph.is_test[row]))
        return rows[: self._settings.per_target]

    def _is_meant(self, row: int, one: EquivalenceClass) -> bool:
        if not one.languages:
            return True
        language = language_of(self._graph.path(row))
        return language is not None and language.name in one.languages
