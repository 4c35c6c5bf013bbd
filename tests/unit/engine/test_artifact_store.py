"""The store gives back what was put in, or nothing; never a wrong number."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.engine import (
    ArtifactStore,
    ContentCache,
    Cost,
    Read,
    Record,
    Stage,
    Task,
    digest_of,
    perform,
)
from bench.engine.task import SMALL_BYTES
from bench.errors import ArtifactError


@dataclass(frozen=True)
class Row:
    """A record with every sort of field."""

    numbers: np.ndarray[Any, Any]
    words: tuple[str, ...] = ()
    about: dict[str, object] = field(default_factory=dict)
    nothing: None = None


@dataclass(frozen=True)
class Double(Stage[Row]):
    """Doubles a number, or fails."""

    kind: ClassVar[str] = "test-double"
    codec: ClassVar[Record[Row]] = Record(Row)

    number: int
    of: Stage[Row] | None = None

    def run(self, read: Read, /) -> Row:
        """Return twice the number, or twice the input."""
        if self.number < 0:
            message = "negative"
            raise ValueError(message)
        read.count(doubled=1)
        before = read(self.of).numbers if self.of else np.array([self.number])
        return Row(before * 2, words=("a", "é", ""))


@dataclass(frozen=True)
class Many(Stage[Row]):
    """Makes a result that is too large to travel with a task."""

    kind: ClassVar[str] = "test-many"
    codec: ClassVar[Record[Row]] = Record(Row)

    def run(self, read: Read, /) -> Row:
        """Return many numbers."""
        return Row(np.zeros(SMALL_BYTES // 8))


words = st.lists(st.text(), max_size=5).map(tuple)


@given(words=words)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_a_record_survives_the_way_through_bytes(words: tuple[str, ...]) -> None:
    """Arrays, texts and JSON come back equal, arrays read-only."""
    codec = Record(Row)

    found = codec.decode(codec.encode(Row(np.arange(3.0), words, {"n": None, "t": (1, "x")})))

    assert found.words == words
    assert found.about == {"n": None, "t": (1, "x")}
    np.testing.assert_array_equal(found.numbers, np.arange(3.0))
    with pytest.raises(ValueError, match="read-only"):
        found.numbers[0] = 1


def test_a_value_without_exact_json_is_not_stored() -> None:
    """NaN in a record's plain fields is an error, not a null."""
    with pytest.raises(ArtifactError, match="Row cannot be stored"):
        Record(Row).encode(Row(np.zeros(1), about={"n": float("nan")}))


def test_a_stored_result_is_found_again_with_its_cost(tmp_path: Path) -> None:
    """Cost and counters travel with the artifact."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)

    outcome = perform(Task(stage, store.url))

    artifact = store.load(stage)
    assert artifact is not None
    assert stage.codec.decode(artifact.payload).numbers.tolist() == [8]
    assert store.cost(stage) == artifact.cost == outcome.cost
    assert outcome.cost.counts == {"doubled": 1}


@pytest.mark.parametrize("place", [0, 70, 200, -1])
def test_a_flipped_byte_is_a_miss(tmp_path: Path, place: int) -> None:
    """Wherever it is flipped: in the digest, the cost, the recipe or the payload."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    perform(Task(stage, store.url))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(bytes(content))

    found = store.load(stage)

    assert found is None


def files_in(folder: Path) -> list[Path]:
    """Return all files in a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_sound_artifact_at_another_address_is_a_miss(tmp_path: Path) -> None:
    """Two exchanged files would otherwise exchange the scores of two trials."""
    store, stages = ArtifactStore(str(tmp_path)), (Double(4), Double(5))
    for stage in stages:
        perform(Task(stage, store.url))
    one, other = files_in(tmp_path)
    one_content, other_content = one.read_bytes(), other.read_bytes()
    one.write_bytes(other_content)
    other.write_bytes(one_content)

    assert [store.load(stage) for stage in stages] == [None, None]
    assert [store.cost(stage) for stage in stages] == [None, None]


@pytest.mark.parametrize("change", [{"version": 2}, {"stage": "other"}, {"parameters": {}}])
def test_an_artifact_of_another_recipe_is_a_miss(tmp_path: Path, change: dict[str, Any]) -> None:
    """Its content and its digest fit its name, and yet another stage made it."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    perform(Task(stage, store.url))
    (file,) = files_in(tmp_path)
    name = file.relative_to(tmp_path).as_posix()
    cost, recipe, payload = (store.read_checked(name) or b"").split(b"\n", 2)
    assert store.load_at(stage.kind, stage.fingerprint) is not None
    changed = json.dumps(json.loads(recipe) | change).encode()

    store.write_checked(name, b"\n".join([cost, changed, payload]))

    assert store.load_at(stage.kind, stage.fingerprint) is None


@pytest.mark.parametrize("recipe", [b"", b"[]", b"{}", b"no JSON"])
def test_an_artifact_without_a_recipe_is_a_miss(tmp_path: Path, recipe: bytes) -> None:
    """Whoever wrote it, and with a digest that fits."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    perform(Task(stage, store.url))
    (file,) = files_in(tmp_path)
    name = file.relative_to(tmp_path).as_posix()
    cost, _, payload = (store.read_checked(name) or b"").split(b"\n", 2)

    store.write_checked(name, b"\n".join([cost, recipe, payload]))

    assert store.load(stage) is None


def test_a_damaged_cost_is_a_miss_although_the_result_is_not_read(tmp_path: Path) -> None:
    """Each byte of the cost counts: a flipped digit would still be a number."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    perform(Task(stage, store.url))
    (file,) = files_in(tmp_path)
    sound = file.read_bytes()
    _, cost, _ = sound.split(b"\n", 2)

    for place in range(65, 66 + len(cost)):
        damaged = bytearray(sound)
        damaged[place] ^= 1
        file.write_bytes(bytes(damaged))

        assert store.cost(stage) is None, place


def test_a_cost_with_many_counts_is_found(tmp_path: Path) -> None:
    """A cost that is longer than the head of the file is read with the result."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    cost = Cost(counts={f"left out by rule {number}": number for number in range(999)})

    store.save(stage, b"a result", cost)

    assert store.cost(stage) == cost


def test_the_cost_is_read_without_the_result(tmp_path: Path) -> None:
    """A damaged result that nobody needs costs nothing: its file may be large."""
    store, stage = ArtifactStore(str(tmp_path)), Double(4)
    outcome = perform(Task(stage, store.url))
    (file,) = files_in(tmp_path)
    file.write_bytes(file.read_bytes()[:-1])

    assert store.load(stage) is None
    assert store.cost(stage) == outcome.cost


def test_a_result_travels_from_a_store_that_only_its_own_process_can_read(tmp_path: Path) -> None:
    """However large it is: the driver has no other way to it."""
    stage = Many()

    outcome = perform(Task(stage, f"memory:/{tmp_path}"))
    elsewhere = perform(Task(stage, str(tmp_path)))

    assert outcome.payload is not None
    assert len(outcome.payload) > SMALL_BYTES
    assert elsewhere.payload is None


def test_a_segment_under_the_name_of_another_is_passed_over(tmp_path: Path) -> None:
    """Two models have seen the same text: their segments have one name in two folders."""
    store = ArtifactStore(str(tmp_path))
    for name, number in (("one-model", 1.0), ("other-model", 2.0)):
        ContentCache(store, name).add([digest_of("a")], np.array([[number]]))
    one, other = files_in(tmp_path)
    assert one.name == other.name
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)

    assert ContentCache(store, "one-model").find([digest_of("a")]) == {}
    assert ContentCache(store, "other-model").find([digest_of("a")]) == {}


def test_a_damaged_input_is_computed_again(tmp_path: Path) -> None:
    """The result is what it would have been."""
    store, first = ArtifactStore(str(tmp_path)), Double(3)
    second = Double(0, of=first)
    store.save(first, b"garbage that is not a record", Cost())
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-3])

    outcome = perform(Task(second, store.url))

    assert outcome.payload is not None
    assert second.codec.decode(outcome.payload).numbers.tolist() == [12]


def test_a_torn_file_is_a_miss(tmp_path: Path) -> None:
    """Half a file is not a file."""
    store, stage = ArtifactStore(str(tmp_path)), Double(5)
    perform(Task(stage, store.url))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    assert store.load(stage) is None


def test_an_error_is_an_outcome_and_stores_nothing(tmp_path: Path) -> None:
    """A failure names its cause; nothing is half-written."""
    store = ArtifactStore(str(tmp_path))

    outcome = perform(Task(Double(-1), store.url))

    assert outcome.failure is not None
    assert outcome.failure.cause == "ValueError: negative"
    assert not store.has(Double(-1))


def test_a_cache_gives_back_rows_also_to_another_process(tmp_path: Path) -> None:
    """A second cache on the same store sees what the first one added."""
    store = ArtifactStore(str(tmp_path))
    early = ContentCache(store, "m")
    assert early.find([digest_of("a")]) == {}
    ContentCache(store, "m").add([digest_of("a")], np.array([[1.0, 2.0]]))

    found = early.find([digest_of("a"), digest_of("b")])

    assert [row.tolist() for row in found.values()] == [[1.0, 2.0]]


def test_digests_tell_apart_where_one_text_ends(tmp_path: Path) -> None:
    """("ab", "c") is not ("a", "bc")."""
    del tmp_path
    assert digest_of("ab", "c") != digest_of("a", "bc")


def test_a_segment_that_is_no_segment_is_passed_over(tmp_path: Path) -> None:
    """Whether torn, or whole but written by another version of the program."""
    store = ArtifactStore(str(tmp_path))
    ContentCache(store, "m").add([digest_of("a")], np.array([[1.0]]))
    store.write_checked("contents/m/older", b"whole, but in another form")
    (tmp_path / "contents" / "m" / "torn").write_bytes(b"half a digest")

    found = ContentCache(store, "m").find([digest_of("a"), digest_of("b")])

    assert [row.tolist() for row in found.values()] == [[1.0]]
