"""Execution of one stage, the same in every pool.

A worker reads an input from its memory, from the task, or from the store. If none of these has it
(another machine's disk, a damaged file), the worker computes it again.
"""

import ctypes
import gc
import os
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from bench.engine.artifact_file import Cost
from bench.engine.caches import BlobCache, ContentCache, Memory
from bench.engine.earlier import Earlier
from bench.engine.parts import PartCache
from bench.engine.stage import Fingerprint, Stage
from bench.engine.store import ArtifactStore, Base
from bench.engine.texts import TextCache
from bench.errors import ArtifactError, RankgridError

T = TypeVar("T")
SMALL_BYTES = 1_000_000
"""Largest result, in bytes, that is sent with tasks; larger ones are read from the store.

A result that other processes cannot read there (`memory://`, say) is always sent.
"""
SMALL_BYTES_HERE = 30_000
"""The same limit on a shared disk: reading a file is cheaper than sending two messages."""
ONE_THREAD: Mapping[str, str] = MappingProxyType(
    {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
)
"""Environment of a worker. Libraries that are loaded under it compute on one thread."""
_C_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None
_MACHINE_BYTES = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
_MEMORY_BYTES = min(192_000_000, _MACHINE_BYTES // (4 * (os.cpu_count() or 1)))
"""Limit of a worker's inputs in bytes: the documents, tokens and lines of a large repository.

One worker per CPU fills at most 1/4 of the memory.
"""
_MUCH_BYTES = 200_000_000
"""Memory of a stage, in bytes, after which the garbage collector runs."""


@dataclass(frozen=True)
class Task:
    """A stage to run, with the inputs that are small enough to be sent with it."""

    stage: Stage[Any]
    store_url: str
    given: Mapping[Fingerprint, bytes] = field(default_factory=dict)
    is_here: bool = False
    """Whether the task runs on the machine of the driver."""


@dataclass(frozen=True)
class Failure:
    """Reason why a stage has no result."""

    cause: str
    details: str = ""
    skipped: bool = False
    """Whether the stage was not run because a stage that it needs failed."""


@dataclass(frozen=True)
class Outcome:
    """Result of running a stage (with its bytes if it is small), or the failure."""

    fingerprint: Fingerprint
    cost: Cost = field(default_factory=Cost)
    payload: bytes | None = None
    failure: Failure | None = None
    worker: str = ""
    started: float = 0.0


def perform(task: Task) -> Outcome:
    """Run a task and store its result; every error is returned as a failure."""
    stage, started = task.stage, time.time()
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        store = _store(task.store_url)
        made = _Workspace(store, task.given).make(stage)
    except RankgridError as error:
        failure = Failure(error.message, traceback.format_exc())
    except (Exception, SystemExit) as error:  # a library that exits must not take the worker along
        failure = Failure(f"{type(error).__name__}: {error}", traceback.format_exc())
    else:
        is_readable = made.is_stored and not store.is_private
        most = SMALL_BYTES_HERE if task.is_here and store.root else SMALL_BYTES
        travels = len(made.payload) <= most or not is_readable
        payload = made.payload if travels else None
        return Outcome(stage.fingerprint, made.cost, payload, worker=worker, started=started)
    spent = Cost(seconds=time.time() - started)
    return Outcome(stage.fingerprint, spent, failure=failure, worker=worker, started=started)


def perform_group(tasks: Sequence[Task]) -> Iterator[Outcome]:
    """Run tasks in order and yield their outcomes, without tasks that need a failed one."""
    made: dict[Fingerprint, bytes] = {}
    while tasks:
        outcome = perform(replace(tasks[0], given={**tasks[0].given, **made}))
        yield outcome
        tasks = left_after(outcome, tasks)
        if outcome.payload is not None:
            made[outcome.fingerprint] = outcome.payload


def left_after(outcome: Outcome, group: Sequence[Task]) -> tuple[Task, ...]:
    """Return the remaining tasks of a group once its first task has an outcome."""
    first, *rest = group
    if outcome.failure is None:
        return tuple(rest)
    lost = {first.stage.fingerprint}
    left: list[Task] = []
    for task in rest:
        if any(needed.fingerprint in lost for needed in task.stage.inputs):
            lost.add(task.stage.fingerprint)
        else:
            left.append(task)
    return tuple(left)


_MEMORY = Memory(_MEMORY_BYTES)


@dataclass(frozen=True)
class _Made:
    """Result of a stage as bytes, its cost, and whether it is in the store."""

    payload: bytes
    cost: Cost
    is_stored: bool


class _Workspace:
    """Inputs, caches and counters of a running stage."""

    def __init__(self, store: ArtifactStore, given: Mapping[Fingerprint, bytes]) -> None:
        self._store = store
        self._given = given
        self._inputs: dict[Fingerprint, Any] = {}
        self._counts: dict[str, int] = {}
        self._bases: dict[Fingerprint, Base] = {}

    def __call__(self, stage: Stage[Any], /) -> Any:
        if stage.fingerprint in self._inputs:
            return self._inputs[stage.fingerprint]
        value = _MEMORY.get(stage.fingerprint)
        if value is None:
            value, size = self._had(stage) or self._made_again(stage)
            _MEMORY.keep(stage.fingerprint, value, size)
        return value

    def earlier(self, stage: Stage[T], /, *inputs: Stage[Any]) -> Earlier[T] | None:
        base = self._store.earlier(stage)
        found = self._store.whole_at(stage.kind, base) if base else None
        if found is None or len(found.inputs) != len(stage.inputs):
            return None
        if found.version != stage.version:  # the lineage of a source does not include its version
            return None
        self._bases[stage.fingerprint] = Base(base, found.rest)
        result = _remembered(stage, base, lambda: found.rest)
        wanted = {needed.fingerprint for needed in inputs or stage.inputs}
        pairs = zip(stage.inputs, found.inputs, strict=True)
        then = [(now, earlier) for now, earlier in pairs if now.fingerprint in wanted]
        values = {now.fingerprint: self._then(now, earlier) for now, earlier in then}
        if result is None or any(value is None for value in values.values()):
            return None
        return Earlier(result, values)

    def cache(self, name: str) -> ContentCache:
        return _content_cache(self._store.url, name)

    def texts(self, name: str) -> TextCache:
        return TextCache(self._store, name)

    def blobs(self, name: str) -> BlobCache:
        return _blob_cache(self._store.url, name)

    def parts(self, name: str) -> PartCache:
        return _part_cache(self._store.url, name)

    def count(self, **amounts: int) -> None:
        for name, amount in amounts.items():
            self._counts[name] = self._counts.get(name, 0) + amount

    def make(self, stage: Stage[Any]) -> _Made:
        """Run `stage` on one thread, store its result if it is final and return it."""
        began = time.process_time()
        self._inputs = {needed.fingerprint: self(needed) for needed in stage.inputs}
        _one_thread()
        limited = _loaded_libraries()
        stage.prepare()
        before = _reset_peak()
        wall, cpu = time.perf_counter(), time.process_time()
        with limited.limit(limits=1):
            result = stage.run(self)
            payload: bytes = stage.codec.encode(result)
        cost = Cost(time.perf_counter() - wall, time.process_time() - cpu, _taken(before))
        cost = replace(cost, counts=dict(self._counts), setup_cpu_seconds=cpu - began)
        is_large = (cost.taken_bytes or 0) > _MUCH_BYTES
        if is_large:
            # This also frees the small objects that Python keeps for reuse. A few of them anywhere
            # in the memory of the stage would keep the allocator from returning it.
            gc.collect()
        is_final = stage.is_final(result)
        if is_final:
            self._store.save(stage, payload, cost, base=self._bases.get(stage.fingerprint))
            # The next stage is likely to read it. Smaller results are cheap to read again.
            if len(payload) > SMALL_BYTES:
                # The texts of a result that was large to make would keep the memory of its stage.
                codec = stage.codec
                kept = codec.decode(payload) if is_large else codec.kept(result, payload)
                _MEMORY.keep(stage.fingerprint, kept, len(payload))
        return _Made(payload, cost, is_final)

    def _then(self, stage: Stage[T], fingerprint: str) -> T | None:
        """Return the earlier result of an input, or None if it cannot be read."""

        def payload() -> bytes | None:
            artifact = self._store.load_at(stage.kind, fingerprint)
            return artifact.payload if artifact else None

        return _remembered(stage, fingerprint, payload)

    def _had(self, stage: Stage[Any]) -> tuple[Any, int] | None:
        """Return the result that was sent or stored, with its size; None if absent or damaged."""
        for payload in self._payloads(stage):
            try:
                return stage.codec.decode(payload), len(payload)
            except (ArtifactError, ValueError, TypeError, KeyError):
                continue
        return None

    def _payloads(self, stage: Stage[Any]) -> Iterator[bytes]:
        if stage.fingerprint in self._given:
            yield self._given[stage.fingerprint]
        artifact = self._store.load(stage)
        if artifact is not None:
            yield artifact.payload

    def _made_again(self, stage: Stage[Any]) -> tuple[Any, int]:
        payload = _Workspace(self._store, {}).make(stage).payload
        return stage.codec.decode(payload), len(payload)


def _remembered(
    stage: Stage[T], fingerprint: str, payload: Callable[[], bytes | None]
) -> T | None:
    """Return a result from memory, or decoded as one of `stage`; None if absent or damaged."""
    known: T | None = _MEMORY.get(Fingerprint(fingerprint))
    content = payload() if known is None else None
    if content is None:
        return known
    try:
        value: T = stage.codec.decode(content)
    except (ArtifactError, ValueError, TypeError, KeyError):
        return None
    _MEMORY.keep(Fingerprint(fingerprint), value, len(content))
    return value


@lru_cache(maxsize=4)
def _store(url: str) -> ArtifactStore:
    return ArtifactStore(url)


@lru_cache(maxsize=16)
def _content_cache(url: str, name: str) -> ContentCache:
    return ContentCache(_store(url), name)


@lru_cache(maxsize=16)
def _blob_cache(url: str, name: str) -> BlobCache:
    return BlobCache(_store(url), name)


@lru_cache(maxsize=16)
def _part_cache(url: str, name: str) -> PartCache:
    return PartCache(_store(url), name)


@lru_cache(maxsize=1)
def _loaded_libraries() -> ThreadpoolController:
    """Return the controller of the threads of this process's libraries.

    Finding the libraries takes as long as a short stage. Later ones read the environment.
    """
    return ThreadpoolController()


def _one_thread() -> None:
    """Limit torch to one thread; other libraries are limited while a stage runs.

    The environment is not restored: a later stage may load another library that reads it.
    """
    os.environ.update(ONE_THREAD)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _reset_peak() -> int | None:
    """Reset the peak memory of this process and return it in bytes; None if it cannot be reset.

    Without the reset, the peak could be that of an earlier stage.
    """
    if _C_LIBRARY is not None and hasattr(_C_LIBRARY, "malloc_trim"):
        _C_LIBRARY.malloc_trim(0)  # reuse of memory that the allocator keeps would not be counted
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return None
    return _peak_bytes()


def _peak_bytes() -> int | None:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    lines = (line for line in status.splitlines() if line.startswith("VmHWM"))
    line = next(lines, None)
    return int(line.split()[1]) * 1024 if line else None


def _taken(before: int | None) -> int | None:
    """Return the growth of the peak memory since `before`, in bytes; None if unknown."""
    now = _peak_bytes()
    return None if before is None or now is None else max(0, now - before)
