"""Latency of one query from end to end, alone on the machine and without caches."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.errors import EngineError
from bench.stages.busy import Sample, load_of, runnable_per_core
from bench.stages.serving import Served, ServedPipeline
from bench.stages.sources import Questions

NEAREST = 10
"""Number of nearest chunks in the recall of an approximate engine."""
FEWEST_QUERIES, MOST_QUERIES, MOST_SECONDS, WARM_UP = 20, 50, 20.0, 3
"""Every trial gets the first 20 queries, however slow it is. More follow within 20 seconds."""


@dataclass(frozen=True)
class Latency:
    """Milliseconds of each query, and the method of the measurement."""

    milliseconds: np.ndarray[Any, np.dtype[np.float64]]
    how: dict[str, object]


@dataclass(frozen=True)
class MeasureLatency(Stage[Latency]):
    """Time a pipeline on 20 distinct queries, and on up to 50 within 20 seconds, one by one."""

    kind: ClassVar[str] = "measure-latency"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Latency]] = Record(Latency)
    exclusive: ClassVar[bool] = True

    questions: tuple[Stage[Questions], ...]
    served: tuple[Served, ...]
    """A pipeline for each repository."""
    engine: str
    """Kind of the vector engine, for reports."""
    machine: str
    limit: int
    is_own: bool = True
    """True if this process computes every answer itself, without waiting for a server."""
    fresh: str = ""
    """Unique name of the study if stored samples must not be reused; otherwise empty."""

    @property
    def subject(self) -> str:
        """Empty, because the stage covers all repositories."""
        return ""

    def is_final(self, result: Latency, /) -> bool:
        """Return False if the machine was busy, so that the next study measures again."""
        return not result.how.get("busy")

    def run(self, read: Read, /) -> Latency:
        """Return a sample per query."""
        pipelines: list[ServedPipeline] = []
        try:
            pipelines.extend(served.open(read) for served in self.served)
            asked = in_turn([read(questions).texts for questions in self.questions])
            for place, text in asked[:WARM_UP]:
                with suppress(EngineError):  # counted as failed in the measurement
                    pipelines[place].answer(text, self.limit)
            samples, failed = _timed(pipelines, asked, self.limit)
            asked = asked[: len(samples)]
            found = [share for n, text in asked for share in pipelines[n].recall(text, NEAREST)]
        finally:
            for pipeline in pipelines:
                pipeline.close()
        how = self._how(len(samples)) | _recall(found) | _load(samples, is_own=self.is_own)
        times = np.array([one.seconds * 1000 for one in samples])
        return Latency(times, {**how, "failed_queries": failed} if failed else how)

    def _how(self, samples: int) -> dict[str, object]:
        return {
            "samples": samples,
            "threads": 1,
            "engine": self.engine,
            "machine": self.machine,
            "caches": "none",
        }


def _recall(found: Sequence[float]) -> dict[str, object]:
    """Return the recall of an approximate vector engine, or nothing for exact searches."""
    return {f"engine_recall_at_{NEAREST}": float(np.mean(found))} if found else {}


def _load(samples: Sequence[Sample], *, is_own: bool) -> dict[str, object]:
    """Return the known figures of the machine's load."""
    load = asdict(load_of(samples, is_own=is_own))
    return {name: value for name, value in load.items() if value is not None}


def in_turn(texts: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Return distinct queries in a seeded order that alternates between repositories.

    The order depends only on the queries, so that every trial of a study gets the same ones.
    """
    orders = [sorted(own, key=_seeded) for own in texts]
    longest = max(len(own) for own in orders)
    turns = [
        (place, own[n]) for n in range(longest) for place, own in enumerate(orders) if n < len(own)
    ]
    return list(dict.fromkeys(turns))[:MOST_QUERIES]


def _seeded(text: str) -> str:
    return sha256(b"0\0" + text.encode("utf-8", "surrogatepass")).hexdigest()


def _timed(
    pipelines: Sequence[ServedPipeline], asked: Sequence[tuple[int, str]], limit: int
) -> tuple[list[Sample], int]:
    """Return the samples, and the number of failed queries, which have no sample."""
    samples: list[Sample] = []
    failed = 0
    end = time.perf_counter() + MOST_SECONDS
    for count, (place, text) in enumerate(asked, 1):
        start, cpu = time.perf_counter(), time.process_time()
        try:
            pipelines[place].answer(text, limit)
        except EngineError:
            failed += 1
        else:
            took, computed = time.perf_counter() - start, time.process_time() - cpu
            waited = pipelines[place].waited(text)
            samples.append(Sample(took + waited, computed, runnable_per_core()))
        if count >= FEWEST_QUERIES and time.perf_counter() > end:
            break
    return samples, failed
