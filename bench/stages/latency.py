"""How long one query takes, end to end, alone on the machine and without caches."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.errors import EngineError
from bench.stages.serving import Served, ServedPipeline
from bench.stages.sources import Questions

NEAREST = 10
"""How many of the nearest an approximate engine should find."""
MOST_QUERIES, MOST_SECONDS, WARM_UP = 50, 20.0, 3


@dataclass(frozen=True)
class Latency:
    """Milliseconds of each query asked, and how they were taken."""

    milliseconds: np.ndarray[Any, np.dtype[np.float64]]
    how: dict[str, object]


@dataclass(frozen=True)
class MeasureLatency(Stage[Latency]):
    """Ask a pipeline at most 50 distinct queries for at most 20 seconds, one after another."""

    kind: ClassVar[str] = "measure-latency"
    codec: ClassVar[Record[Latency]] = Record(Latency)
    exclusive: ClassVar[bool] = True

    questions: tuple[Stage[Questions], ...]
    served: tuple[Served, ...]
    """A pipeline for each repository."""
    engine: str
    """The kind of the vector engine, for people who read the numbers."""
    machine: str
    limit: int
    fresh: str = ""
    """A name that no earlier study used, when its samples must not be reused."""

    @property
    def subject(self) -> str:
        """All repositories."""
        return ""

    def run(self, read: Read, /) -> Latency:
        """Return a sample per query."""
        pipelines: list[ServedPipeline] = []
        try:
            pipelines.extend(served.open(read) for served in self.served)
            asked = _in_turn([read(questions).texts for questions in self.questions])
            for place, text in asked[:WARM_UP]:
                with suppress(EngineError):  # counted when it is asked again
                    pipelines[place].answer(text, self.limit)
            samples, failed = _timed(pipelines, asked, self.limit)
            asked = asked[: len(samples)]
            found = [share for n, text in asked for share in pipelines[n].recall(text, NEAREST)]
        finally:
            for pipeline in pipelines:
                pipeline.close()
        how = self._how(len(samples)) | _recall(found)
        return Latency(np.array(samples), {**how, "failed_queries": failed} if failed else how)

    def _how(self, samples: int) -> dict[str, object]:
        return {
            "samples": samples,
            "threads": 1,
            "engine": self.engine,
            "machine": self.machine,
            "caches": "none",
        }


def _recall(found: Sequence[float]) -> dict[str, object]:
    """Return how much of an exact search the vector engine finds, if it could miss any."""
    return {f"engine_recall_at_{NEAREST}": float(np.mean(found))} if found else {}


def _in_turn(texts: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Return distinct queries, a repository's after another's, so that all are asked early."""
    longest = max(len(own) for own in texts)
    turns = [
        (place, own[n]) for n in range(longest) for place, own in enumerate(texts) if n < len(own)
    ]
    return list(dict.fromkeys(turns))[:MOST_QUERIES]


def _timed(
    pipelines: Sequence[ServedPipeline], asked: Sequence[tuple[int, str]], limit: int
) -> tuple[list[float], int]:
    """Return milliseconds, and how many queries failed and are no sample of anything."""
    samples: list[float] = []
    failed = 0
    end = time.perf_counter() + MOST_SECONDS
    for place, text in asked:
        start = time.perf_counter()
        try:
            pipelines[place].answer(text, limit)
        except EngineError:
            failed += 1
        else:
            samples.append((time.perf_counter() - start) * 1000)
        if time.perf_counter() > end:
            break
    return samples, failed
