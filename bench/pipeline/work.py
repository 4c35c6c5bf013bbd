"""How one stage is carried out, whatever carries it out: a process, a pool or a cluster.

A worker reads an input from its own memory, from what came with the task, or from the store;
where none has it (another machine's disk, a damaged file) it computes it again.
"""

import os
import resource
import socket
import time
import traceback
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from bench.errors import RankgridError
from bench.pipeline.caches import ContentCache
from bench.pipeline.stage import Fingerprint, Stage
from bench.pipeline.store import ArtifactStore, Cost

SMALL_BYTES = 1_000_000
"""A result up to this size travels with the tasks that need it; a larger one by the store."""
_MEMORY_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Task:
    """A stage to carry out, with those inputs that are small enough to travel along."""

    stage: Stage[Any]
    store_url: str
    given: Mapping[Fingerprint, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """Why a stage has no result."""

    cause: str
    details: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a stage: a result (its bytes if small) or a failure."""

    fingerprint: Fingerprint
    cost: Cost = field(default_factory=Cost)
    payload: bytes | None = None
    failure: Failure | None = None
    worker: str = ""
    started: float = 0.0


def perform(task: Task) -> Outcome:
    """Carry out a task and store its result; an error becomes a failure, never a result."""
    stage, started = task.stage, time.time()
    worker = f"{socket.gethostname()}:{os.getpid()}"
    desk = _Desk(_store(task.store_url), task.given)
    try:
        payload, cost = desk.make(stage)
    except RankgridError as error:
        failure = Failure(error.message, traceback.format_exc())
    except Exception as error:
        failure = Failure(f"{type(error).__name__}: {error}", traceback.format_exc())
    else:
        small = payload if len(payload) <= SMALL_BYTES else None
        return Outcome(stage.fingerprint, cost=cost, payload=small, worker=worker, started=started)
    spent = Cost(seconds=time.time() - started)
    return Outcome(stage.fingerprint, spent, failure=failure, worker=worker, started=started)


class _Memory:
    """The decoded results that this process used last, bounded by their size."""

    def __init__(self) -> None:
        self._values: OrderedDict[Fingerprint, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def get(self, fingerprint: Fingerprint) -> Any:
        """Return a kept value, or None."""
        if fingerprint not in self._values:
            return None
        self._values.move_to_end(fingerprint)
        return self._values[fingerprint][0]

    def keep(self, fingerprint: Fingerprint, value: Any, size: int) -> None:
        """Keep `value`, dropping what was used longest ago."""
        if fingerprint in self._values:
            return
        self._values[fingerprint] = (value, size)
        self._bytes += size
        while self._bytes > _MEMORY_BYTES and len(self._values) > 1:
            _, (_, dropped) = self._values.popitem(last=False)
            self._bytes -= dropped


_MEMORY = _Memory()


class _Desk:
    """Gives a stage its inputs and remembers what it counted."""

    def __init__(self, store: ArtifactStore, given: Mapping[Fingerprint, bytes]) -> None:
        self._store = store
        self._given = given
        self._counts: dict[str, int] = {}

    def __call__(self, stage: Stage[Any], /) -> Any:
        value = _MEMORY.get(stage.fingerprint)
        if value is not None:
            return value
        payload = self._given.get(stage.fingerprint)
        if payload is None:
            artifact = self._store.load(stage)
            payload = artifact.payload if artifact else _Desk(self._store, {}).make(stage)[0]
        value = stage.codec.decode(payload)
        _MEMORY.keep(stage.fingerprint, value, len(payload))
        return value

    def cache(self, name: str) -> ContentCache:
        return _content_cache(self._store.url, name)

    def count(self, **amounts: int) -> None:
        for name, amount in amounts.items():
            self._counts[name] = self._counts.get(name, 0) + amount

    def make(self, stage: Stage[Any]) -> tuple[bytes, Cost]:
        """Run `stage` on one thread, store its result and return it with its cost."""
        for needed in stage.inputs:
            self(needed)
        _reset_peak()
        wall, cpu = time.perf_counter(), time.process_time()
        with threadpool_limits(1):
            payload: bytes = stage.codec.encode(stage.run(self))
        cost = Cost(time.perf_counter() - wall, time.process_time() - cpu, _peak_bytes())
        cost = replace(cost, counts=dict(self._counts))
        self._store.save(stage, payload, cost)
        return payload, cost


@lru_cache(maxsize=4)
def _store(url: str) -> ArtifactStore:
    return ArtifactStore(url)


@lru_cache(maxsize=16)
def _content_cache(url: str, name: str) -> ContentCache:
    return ContentCache(_store(url), name)


def _reset_peak() -> None:
    """Let the kernel's high-water mark of this process start again, where it can."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def _peak_bytes() -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
