"""The memory of a stage is what it took itself, whatever its worker held or did before."""

import gc
import json
import weakref
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from bench.engine import ArtifactStore, Cost, Read, Record, Stage, Task, perform
from bench.engine.artifact_file import address, digest_of_file
from bench.results.costs import _most_memory

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Size:
    """How much was allocated."""

    megabytes: int


@dataclass(frozen=True)
class Allocate(Stage[Size]):
    """Takes memory for a moment."""

    kind: ClassVar[str] = "test-allocate"
    codec: ClassVar[Record[Size]] = Record(Size)

    megabytes: int
    number: int = 0

    def run(self, read: Read, /) -> Size:
        """Fill the memory and let it go."""
        return Size(int(np.ones(self.megabytes * MEGABYTE, np.uint8).sum()) // MEGABYTE)


def taken(stage: Allocate, store: Path) -> float:
    """Return the megabytes that a stage took."""
    cost = perform(Task(stage, str(store))).cost
    assert cost.taken_bytes is not None
    return cost.taken_bytes / MEGABYTE


def test_a_large_stage_does_not_count_for_the_small_ones_of_its_worker(tmp_path: Path) -> None:
    before = taken(Allocate(1), tmp_path)
    large = taken(Allocate(200), tmp_path)
    after = taken(Allocate(1, number=1), tmp_path)
    again = taken(Allocate(200, number=1), tmp_path)

    assert 195 < large < 260
    assert 195 < again < 260
    assert before < 40
    assert after < 40


def test_what_the_worker_holds_is_not_taken_by_a_stage(tmp_path: Path) -> None:
    held = np.ones(200 * MEGABYTE, np.uint8)

    small = taken(Allocate(1), tmp_path)

    assert small < 40
    assert held[0] == 1


class Circle:
    """Data that only the garbage collector frees."""

    made: ClassVar[list["weakref.ref[Circle]"]] = []

    def __init__(self, size: int) -> None:
        self.own, self.data = self, np.ones(size, np.uint8)
        self.made.append(weakref.ref(self))


@dataclass(frozen=True)
class Leave(Stage[Size]):
    """Leaves memory to the garbage collector."""

    kind: ClassVar[str] = "test-leave"
    codec: ClassVar[Record[Size]] = Record(Size)

    megabytes: int

    def run(self, read: Read, /) -> Size:
        """Fill the memory and forget it."""
        Circle(self.megabytes * MEGABYTE)
        return Size(self.megabytes)


@pytest.mark.parametrize(("megabytes", "is_freed"), [(250, True), (1, False)])
def test_the_garbage_of_large_stages_is_collected(
    tmp_path: Path, megabytes: int, is_freed: bool
) -> None:
    """After each stage, a collection would take longer than most stages."""
    gc.disable()
    try:
        perform(Task(Leave(megabytes), str(tmp_path)))
    finally:
        gc.enable()

    assert (Circle.made[-1]() is None) == is_freed


def test_memory_that_earlier_versions_stored_is_not_known(tmp_path: Path) -> None:
    """It was that of a worker. The result itself is kept."""
    store, stage = ArtifactStore(str(tmp_path)), Allocate(1)
    old = {"seconds": 1.5, "cpu_seconds": 1.0, "peak_bytes": 10**9, "counts": {}}
    perform(Task(stage, str(tmp_path)))
    name = address(stage.kind, stage.fingerprint)
    content = store.read_checked(name)
    assert content
    _, rest = content.split(b"\n", 1)
    text = json.dumps(old).encode()
    store.write_checked(name, digest_of_file(name, text) + b" " + text + b"\n" + rest)

    assert store.cost(stage) == Cost(seconds=1.5, cpu_seconds=1.0)
    assert "peak_bytes" not in asdict(Cost())


@pytest.mark.parametrize(
    ("stages", "most"), [([1, 3, 2], 3), ([1, None, 2], None), ([], 0), ([None], None)]
)
def test_the_memory_of_a_trial_is_absent_where_that_of_a_stage_is(
    stages: list[int | None], most: int | None
) -> None:
    assert _most_memory(stages) == most
