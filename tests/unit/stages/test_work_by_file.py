"""What is made of a file is made once, whichever commit, folder or process it is met in."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.corpora import LocalSource, content_digest
from bench.engine import ArtifactStore, BlobCache, Task, perform
from bench.stages import CheckOutFolder, Tokenize
from bench.stages.by_file import file_digests, tables_by_file
from retrievers.chunkers import token_ends
from retrievers.interface import Documents
from retrievers.lexical import count_words
from retrievers.source import find_symbols

FILES = {
    "a.py": "class A:\n    def one(self):\n        return 1\n",
    "b.py": "def two():\n    return 2\n",
    "c.md": "# Three\n\nwords\n",
}


def documents_of(files: dict[str, str]) -> Documents:
    return Documents.of(list(files.items()))


class Desk:
    """As much of a running stage's world as caching by file needs."""

    def __init__(self, folder: Path) -> None:
        self.counts: dict[str, int] = {}
        self._folder = folder

    def blobs(self, name: str) -> BlobCache:
        """Return a cache in the folder."""
        return BlobCache(ArtifactStore(str(self._folder)), name)

    def count(self, **amounts: int) -> None:
        """Keep what was counted."""
        self.counts.update(amounts)


def made(desk: Desk, documents: Documents) -> tuple[list[str], list[Sequence[int]]]:
    """Return the paths of which a table was made, and all tables: the numbers of their bytes."""
    paths: list[str] = []

    def make(number: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        paths.append(documents.paths[number])
        return np.frombuffer(documents.source(number), np.uint8).astype(np.int32)

    tables = tables_by_file(desk, "bytes", file_digests(documents), make)  # type: ignore[arg-type]
    return paths, [table.tolist() for table in tables]


def test_only_what_changed_is_made_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    first, _ = made(desk, documents_of(FILES))
    moved = {"z.py": FILES["a.py"], "b.py": "def two(): ...\n", "c.md": FILES["c.md"]}

    again, tables = made(desk, documents_of(moved))

    assert first == ["a.py", "b.py", "c.md"]
    assert again == ["b.py"]
    assert desk.counts == {"files_known": 2}
    assert [bytes(table).decode() for table in tables] == [
        moved[name] for name in ("b.py", "c.md", "z.py")
    ]


def test_files_of_one_content_are_made_once(tmp_path: Path) -> None:
    paths, tables = made(Desk(tmp_path), documents_of({"a.py": "x\n", "b.py": "x\n", "c.py": ""}))

    assert paths == ["a.py", "c.py"]
    assert tables == [[120, 10], [120, 10], []]


def test_tokens_of_a_later_commit_are_those_of_its_own_text(tmp_path: Path) -> None:
    later = {**FILES, "b.py": "def two():\n    return 22222\n"}
    stages = []
    for name, files in (("first", FILES), ("later", later)):
        folder = tmp_path / name
        folder.mkdir()
        for path, text in files.items():
            (folder / path).write_text(text, encoding="utf-8")
        digest = content_digest(documents_of(files))
        stages.append(Tokenize(CheckOutFolder(digest, source=LocalSource(str(folder)))))

    outcomes = [perform(Task(stage, str(tmp_path / "store"))) for stage in stages]

    assert [one.cost.counts["files_known"] for one in outcomes] == [0, 2]
    assert outcomes[1].payload is not None
    found, expected = stages[1].codec.decode(outcomes[1].payload), token_ends(documents_of(later))
    assert np.array_equal(found.ends, expected.ends)
    assert np.array_equal(found.stops, expected.stops)


TEXTS = st.lists(st.text("ab_C ", max_size=12), max_size=5)


@given(texts=TEXTS, others=TEXTS)
def test_words_are_counted_alike_whatever_was_counted_before(
    texts: list[str], others: list[str]
) -> None:
    before = count_words(texts, "identifier")
    count_words(others, "identifier")

    after = count_words(texts, "identifier")

    assert after.vocabulary == before.vocabulary
    for name in ("stops", "chunk", "frequency", "lengths"):
        assert np.array_equal(getattr(after, name), getattr(before, name))


def test_terms_are_in_the_order_in_which_texts_first_have_them() -> None:
    count_words(["zeta alpha"], "plain")

    found = count_words(["beta alpha", "alpha zeta beta"], "plain")

    assert found.vocabulary == ("beta", "alpha", "zeta")
    assert found.stops.tolist() == [2, 4, 5]
    assert found.lengths.tolist() == [2, 3]


@pytest.mark.parametrize("path", ["a.py", "lib/a.py", "lib/__init__.py"])
def test_symbols_of_a_file_are_named_by_where_it_is_now(path: str) -> None:
    find_symbols(documents_of({"a.py": FILES["a.py"], "b.py": FILES["b.py"]}))

    found = find_symbols(documents_of({"0.py": FILES["b.py"], path: FILES["a.py"]}))

    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert found.names == ("0.two", f"{module}.A", f"{module}.A.one")
    assert found.parent.tolist() == [-1, -1, 1]
    assert found.document.tolist() == [0, 1, 1]
