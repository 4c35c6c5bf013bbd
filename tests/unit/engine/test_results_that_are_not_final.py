"""A result that is not final is seen and not kept; texts that were paid for are."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.engine import ArtifactStore, Read, Record, Stage, Task, TextCache, perform


@dataclass(frozen=True)
class Said:
    """A text."""

    text: str


@dataclass(frozen=True)
class Say(Stage[Said]):
    """Says something, which is final if it is not a question."""

    kind: ClassVar[str] = "say-for-a-test"
    codec: ClassVar[Record[Said]] = Record(Said)

    text: str

    def run(self, read: Read, /) -> Said:
        """Return the text."""
        return Said(self.text)

    def is_final(self, result: Said, /) -> bool:
        """Whether it is not a question."""
        return not result.text.endswith("?")


def test_a_result_that_is_not_final_reaches_the_driver_and_not_the_store(tmp_path: Path) -> None:
    """Also if it is too large to travel otherwise: nobody could read it from the store."""
    store = ArtifactStore(str(tmp_path))
    stage = Say("x" * 2_000_000 + "?")

    outcome = perform(Task(stage, store.url))

    assert outcome.failure is None
    assert outcome.payload is not None
    assert stage.codec.decode(outcome.payload).text == stage.text
    assert not store.has(stage)


def test_a_final_result_is_kept(tmp_path: Path) -> None:
    """As ever."""
    store = ArtifactStore(str(tmp_path))

    perform(Task(Say("so"), store.url))

    assert store.has(Say("so"))


def test_a_text_is_found_by_all_of_its_content(tmp_path: Path) -> None:
    """By another cache of the same name, whole; a damaged one counts as absent."""
    store = ArtifactStore(str(tmp_path))
    TextCache(store, "answers").add("grün\n", "a", "b")

    again = TextCache(ArtifactStore(str(tmp_path)), "answers")

    assert again.find("a", "b") == "grün\n"
    assert again.find("ab", "") is None
    assert TextCache(store, "others").find("a", "b") is None
    (place,) = (tmp_path / "contents" / "answers").iterdir()
    place.write_bytes(place.read_bytes()[:-1])
    assert again.find("a", "b") is None


def test_a_text_under_the_name_of_another_is_a_miss(tmp_path: Path) -> None:
    """Two exchanged answers would otherwise answer each other's question."""
    cache = TextCache(ArtifactStore(str(tmp_path)), "answers")
    cache.add("yes", "is it sold out")
    cache.add("no", "is it in stock")
    one, other = (tmp_path / "contents" / "answers").iterdir()
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)

    assert cache.find("is it sold out") is None
    assert cache.find("is it in stock") is None
