"""Everything that decides what a graph answers; each number can be swept."""

from dataclasses import dataclass, field

from retrievers.graph.hits import Hits
from retrievers.graph.observations import Observation
from retrievers.graph.ranking import RankingSettings, Reordering
from retrievers.graph.scoring import Scoring
from retrievers.graph.seeding import EquivalenceClass, Seeding
from retrievers.graph.walk import Walk


@dataclass(frozen=True)
class Graph:
    """Where a walk begins, how it goes, and what its nodes are worth."""

    seeding: Seeding = field(default_factory=Seeding)
    walk: Walk = field(default_factory=Walk)
    hits: Hits = field(default_factory=Hits)
    scoring: Scoring = field(default_factory=Scoring)
    reordering: Reordering = field(default_factory=Reordering)
    classes: tuple[EquivalenceClass, ...] = ()
    """What a project calls its ideas, beside what comes with us."""
    observations: tuple[Observation, ...] = ()
    """What was seen running; without any, all code counts as alike recent."""

    @property
    def ranking(self) -> RankingSettings:
        """What holds once the seeds are known."""
        return RankingSettings(self.walk, self.hits, self.scoring, self.reordering)
