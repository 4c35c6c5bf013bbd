"""What a commit has in common with the one before is stored once; what is damaged is a miss."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from bench.cli.folder_indexing import Stored
from bench.engine import ArtifactStore, Cost, Read, Record, Stage, Task, perform, trimmed
from bench.engine.leases import hold

SIZE = 200_000


@dataclass(frozen=True)
class Tree:
    """The content of a tree."""

    content: np.ndarray[tuple[int], np.dtype[np.uint8]]


@dataclass(frozen=True)
class Commit(Stage[Tree]):
    """A tree in which each commit changes one byte in a hundred thousand."""

    kind: ClassVar[str] = "commit-of-tests"
    codec: ClassVar[Record[Tree]] = Record(Tree)

    number: int
    repository: str = field(default="shop", compare=False)

    @property
    def subject(self) -> str:
        """The repository."""
        return self.repository

    def run(self, _read: Read, /) -> Tree:
        """Return the tree after all changes up to this commit."""
        content = np.random.default_rng(len(self.repository)).integers(0, 256, SIZE, np.uint8)
        for commit in range(1, self.number + 1):
            content = np.insert(content, commit * 997 % SIZE, commit)
        return Tree(content)


@dataclass(frozen=True)
class Reversed(Stage[Tree]):
    """What is made of a tree."""

    kind: ClassVar[str] = "reversed-of-tests"
    codec: ClassVar[Record[Tree]] = Record(Tree)

    of: Stage[Tree]
    shift: int

    def run(self, read: Read, /) -> Tree:
        """Return the content from its end, each byte raised."""
        return Tree(read(self.of).content[::-1] + np.uint8(self.shift))


def made(store: ArtifactStore, *stages: Stage[Tree]) -> None:
    for stage in stages:
        assert perform(Task(stage, store.url)).failure is None


def payload(store: ArtifactStore, stage: Stage[Tree]) -> bytes | None:
    artifact = ArtifactStore(store.url).load(stage)
    return artifact.payload if artifact else None


def expected(stage: Commit) -> bytes:
    return stage.codec.encode(stage.run(lambda _: None))  # type: ignore[arg-type]


def file_of(store: ArtifactStore, stage: Stage[Tree]) -> Path:
    place = store.file_at(stage.kind, stage.fingerprint)
    assert place is not None
    return Path(place)


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(str(tmp_path / "store"))


def test_a_further_commit_costs_what_it_changes(store: ArtifactStore) -> None:
    commits = [Commit(number) for number in range(4)]

    made(store, *commits)

    sizes = [file_of(store, one).stat().st_size for one in commits]
    assert sizes[0] > SIZE
    assert max(sizes[1:]) < SIZE / 100
    assert [payload(store, one) for one in commits] == [expected(one) for one in commits]


def test_a_store_in_memory_works_as_a_folder_does() -> None:
    store = ArtifactStore("memory://deltas")

    made(store, Commit(0), Commit(1))

    assert sum(size for _, _, size in store.contents()) < 1.1 * SIZE
    assert payload(store, Commit(1)) == expected(Commit(1))


def test_the_cost_is_read_without_the_payload(store: ArtifactStore) -> None:
    made(store, Commit(0), Commit(1))
    artifact = store.load(Commit(1))

    assert artifact is not None
    assert store.cost(Commit(1)) == artifact.cost


@pytest.mark.parametrize("damaged", [0, 1, 2])
@pytest.mark.parametrize("how", ["removed", "torn", "flipped", "exchanged"])
def test_damage_of_any_file_is_a_miss_and_is_made_good(
    store: ArtifactStore, damaged: int, how: str
) -> None:
    """The numbers are right, whichever file is damaged, and however."""
    commits = [Commit(number) for number in range(3)]
    made(store, *commits)
    file = file_of(store, commits[damaged])
    content = file.read_bytes()
    flipped = content[:-50] + bytes([content[-50] ^ 1]) + content[-49:]
    other = file_of(store, commits[(damaged + 1) % 3]).read_bytes()
    if how == "removed":
        file.unlink()
    else:
        file.write_bytes({"torn": content[:-9], "flipped": flipped, "exchanged": other}[how])

    before = [payload(store, one) for one in commits]
    wanted = [expected(one) for one in commits]
    for one in commits:  # in their order: what is made again may take another one along
        if payload(store, one) is None:
            made(store, one)

    assert before[damaged] is None
    assert all(found in (None, right) for found, right in zip(before, wanted, strict=True))
    assert [payload(store, one) for one in commits] == wanted


def test_a_plan_sees_that_what_a_delta_depends_on_was_removed(store: ArtifactStore) -> None:
    made(store, Commit(0), Commit(1))
    file_of(store, Commit(0)).unlink()

    assert store.cost(Commit(1)) is None
    assert store.load(Commit(1)) is None


def test_no_file_depends_on_itself(store: ArtifactStore) -> None:
    """The artifact that others are deltas from is stored whole when it is made once more."""
    made(store, Commit(0), Commit(1))
    file_of(store, Commit(0)).unlink()

    made(store, Commit(0), Commit(1), Commit(0))

    assert store.base(Commit(0)) == ""
    assert payload(store, Commit(0)) == expected(Commit(0))
    assert payload(store, Commit(1)) == expected(Commit(1))


def test_a_base_that_became_a_delta_is_none(store: ArtifactStore) -> None:
    """Two studies at once can store a base as a delta from a later one; no chain grows of it."""
    store.save(Commit(0), expected(Commit(0)), Cost())
    made(store, Commit(1))
    file_of(store, Commit(0)).unlink()
    other = random.Random(1).randbytes(SIZE)  # noqa: S311 - not a secret
    store.save(Commit(2), other, Cost())  # mostly new bytes: the next base

    store.save(Commit(0), other + b"!", Cost())

    assert store.base(Commit(0)) == Commit(2).fingerprint
    assert payload(store, Commit(1)) is None


def test_every_commit_of_a_long_history_depends_on_one_file(store: ArtifactStore) -> None:
    commits = [Commit(number) for number in range(70)]

    made(store, *commits)

    assert [payload(store, one) for one in commits] == [expected(one) for one in commits]
    assert sum(file_of(store, one).stat().st_size for one in commits) < 3 * SIZE
    assert {store.base(one) for one in commits[1:]} == {commits[0].fingerprint}


def test_other_repositories_and_other_parameters_are_not_looked_at(store: ArtifactStore) -> None:
    cart = Commit(7, repository="cart")
    made(store, Commit(0), cart, Reversed(Commit(0), 1), Reversed(cart, 2))

    made(store, Commit(1), Reversed(Commit(1), 1))

    assert store.base(Commit(1)) == Commit(0).fingerprint
    assert store.base(Reversed(Commit(1), 1)) == Reversed(Commit(0), 1).fingerprint
    assert store.base(cart) == ""


def test_what_a_delta_depends_on_is_used_when_it_is(store: ArtifactStore) -> None:
    """The store removes first what was used least recently; planning alone counts as use."""
    made(store, Commit(0), Commit(1))
    file = file_of(store, Commit(0))
    for use in (store.cost, store.load):
        os.utime(file, (1, file.stat().st_mtime))

        use(Commit(1))

        assert file.stat().st_atime > 1


def test_a_running_study_keeps_what_its_results_depend_on(store: ArtifactStore) -> None:
    made(store, Commit(0), Commit(1))
    for stage in (Commit(0), Commit(1)):
        os.utime(file_of(store, stage), (1, 1))
    assert store.root is not None
    with hold(store.root, "study"):
        store.cost(Commit(1))

        trimmed(store.root, most=1)

        assert payload(store, Commit(1)) == expected(Commit(1))


def test_a_base_that_is_stored_in_another_form_is_whole(store: ArtifactStore) -> None:
    """Another version wrote the base: its bytes change, and deltas from them are misses."""
    made(store, Commit(0), Commit(1))
    other = expected(Commit(0))[:-8] + bytes(8)

    store.save(Commit(0), other, Cost())

    assert payload(store, Commit(0)) == other
    assert payload(store, Commit(1)) is None


def test_a_sound_result_that_is_made_once_more_keeps_its_file(store: ArtifactStore) -> None:
    """Another study may have made it meanwhile, and later results depend on its bytes."""
    made(store, Commit(0), Commit(1), Commit(2))
    before = file_of(store, Commit(1)).stat()

    made(store, Commit(1))

    assert file_of(store, Commit(1)).stat().st_ino == before.st_ino


def test_several_writers_at_once_leave_only_right_results(store: ArtifactStore) -> None:
    """Two that make the same result at the same time may cost others theirs, never the bytes."""
    commits = [Commit(number) for number in range(12)]
    wanted = [expected(one) for one in commits]

    def save(place: int) -> None:
        ArtifactStore(store.url).save(commits[place], wanted[place], Cost())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, [*range(12), *reversed(range(12))]))

    found = [payload(store, one) for one in commits]
    assert all(one in (None, right) for one, right in zip(found, wanted, strict=True))
    made(store, *(one for one, kept in zip(commits, found, strict=True) if kept is None))
    assert [payload(store, one) for one in commits] == wanted


def test_a_sound_result_in_another_form_is_replaced(store: ArtifactStore) -> None:
    """Another version of a codec stores other bytes, which this one cannot read."""
    store.save(Commit(0), b"another form" * 20_000, Cost())

    found = Stored(store)(Commit(0))

    assert Commit.codec.encode(found) == expected(Commit(0))

    assert payload(store, Commit(0)) == expected(Commit(0))
