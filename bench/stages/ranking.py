"""The end of every ranking: how deep it goes, and how several become one."""

from dataclasses import dataclass
from typing import ClassVar

from bench.pipeline import Read, Record, Stage
from bench.stages.weighing import ChosenWeights
from retrievers.fusion import Normalisation, fuse
from retrievers.interface import Rankings

DEPTH = 1000
"""How many chunks a ranking keeps: enough to fill 8,000 tokens with the smallest chunks."""


@dataclass(frozen=True)
class Fuse(Stage[Rankings]):
    """Put several opinions on one scale and add them up."""

    kind: ClassVar[str] = "fuse"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    rankings: tuple[Stage[Rankings], ...]
    weights: tuple[float, ...] | Stage[ChosenWeights]
    normalisation: Normalisation = "relu_z"
    rank_constant: int = 60
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the fused rankings."""
        weights = self.weights if isinstance(self.weights, tuple) else read(self.weights).weights
        return fuse(
            [read(ranking) for ranking in self.rankings],
            weights,
            normalisation=self.normalisation,
            rank_constant=self.rank_constant,
            depth=self.depth,
        )
