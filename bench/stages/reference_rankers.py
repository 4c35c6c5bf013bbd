"""Floors and ceilings in place of retrievers: chance, popularity and the answers.

They have their own table `BOUNDS`. Two of them need the judgements, which no retriever may see.
None can be served or fused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from bench.engine import Read, Record, Stage
from bench.measures import Answers, Characters, Rule, SymbolCredit, oracle, popular
from bench.queries import Judgements, Level
from bench.stages.ranking import DEPTH
from bench.stages.sources import Questions
from retrievers.interface import Chunks, Documents, Floats, Rankings, ranked


@dataclass(frozen=True)
class JudgedChunks:
    """Inputs of a floor or ceiling: chunks, queries and judgements."""

    questions: Stage[Questions]
    chunks: Stage[Chunks]
    documents: Stage[Documents]
    judgements: Stage[Judgements]
    level: Level
    """Level of the study. A ceiling holds at one level only."""
    symbol_credit: SymbolCredit = "strict"


@dataclass(frozen=True)
class RankByChance(Stage[Rankings]):
    """Rank chunks in a random order, seeded by the query and a seed."""

    kind: ClassVar[str] = "rank-by-chance"
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    questions: Stage[Questions]
    chunks: Stage[Chunks]
    seed: int
    depth: int = DEPTH

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings."""
        count = len(read(self.chunks))
        rows = (chance(text, count, self.seed) for text in read(self.questions).texts)
        return ranked(rows, self.depth)


def chance(text: str, count: int, seed: int) -> Floats:
    """Return a random score for each chunk."""
    digest = sha256(f"{seed} {text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(list(digest)).random(count, np.float32)


@dataclass(frozen=True)
class RankByAnswers(Stage[Rankings]):
    """Rank by judgements, either of each query itself or of all other queries."""

    kind: ClassVar[str] = "rank-by-answers"
    version: ClassVar[int] = 3
    codec: ClassVar[Record[Rankings]] = Record(Rankings)

    judged: JudgedChunks
    whose: Literal["own", "others"]

    def run(self, read: Read, /) -> Rankings:
        """Return the rankings."""
        judged = self.judged
        chunks, count = read(judged.chunks), len(read(judged.questions).texts)
        rule = Rule(Characters(read(judged.documents)), symbol_credit=judged.symbol_credit)
        answers = Answers.of(chunks, read(judged.judgements), rule, level=judged.level)
        return oracle(answers, chunks, count) if self.whose == "own" else popular(answers, count)


@dataclass(frozen=True)
class Chance:
    """Chunks in random order, the lowest floor."""

    seed: int = 0

    def ranking(self, judged: JudgedChunks, /) -> Stage[Rankings]:
        """Return the stage that ranks."""
        return RankByChance(judged.questions, judged.chunks, self.seed)


@dataclass(frozen=True)
class Constant:
    """Chunks by the number of other queries that they answer, independent of the query's text."""

    def ranking(self, judged: JudgedChunks, /) -> Stage[Rankings]:
        """Return the stage that ranks."""
        return RankByAnswers(replace(judged, level="span"), "others")


@dataclass(frozen=True)
class Oracle:
    """The best ranking that the chunks allow at the study's level, made from the judgements."""

    def ranking(self, judged: JudgedChunks, /) -> Stage[Rankings]:
        """Return the stage that ranks."""
        return RankByAnswers(judged, "own")


Bound = Chance | Constant | Oracle
"""A floor or ceiling for comparison; its fields are its settings."""

BOUNDS: Mapping[str, type[Bound]] = MappingProxyType(
    {"random": Chance, "constant": Constant, "oracle": Oracle}
)
"""Floors and ceilings by their names in settings."""
