"""Candidates are found whatever has happened to the store."""

from pathlib import Path

import pytest

from bench.authoring.mining import is_test
from bench.authoring.pooling import Pool
from bench.cli.fixtures.new import retrievers_named
from bench.corpora import LocalSource, content_digest, read_source
from bench.engine import ArtifactStore, Task, perform
from bench.queries.resolution import Tree
from bench.settings import RepositorySettings
from bench.stages import CheckOutFolder
from retrievers.source import find_symbols


def test_damaged_documents_are_read_again(tmp_path: Path) -> None:
    """The folder still has them."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text("total = 1\n", encoding="utf-8")
    source = LocalSource(str(tmp_path / "code"))
    stage = CheckOutFolder(content_digest(read_source(source).documents), source=source)
    store = ArtifactStore(str(tmp_path / "store"))
    perform(Task(stage, store.url))
    (file,) = (path for path in (tmp_path / "store" / "artifacts").rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-1])

    documents = Pool("shop", stage, {}, store).documents()

    assert documents.paths == ("cart.py",)


CODE = "def total():\n    return 'the sum of a cart'\n"


def found(folder: Path, *, each: int, tests: bool) -> set[str]:
    """Return the files of the candidates for a question that every file answers in words."""
    for number in range(3):
        path = folder / "code" / "tests" / f"test_cart_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CODE + f"assert total() == {number}  # sum of a cart\n", "utf-8")
    (folder / "code" / "cart.py").write_text(CODE + "# of goods\n" * 20, encoding="utf-8")
    source = LocalSource(str(folder / "code"))
    documents = read_source(source).documents
    stage = CheckOutFolder(content_digest(documents), source=source)
    repository = RepositorySettings("shop", source, Path())
    store = ArtifactStore(str(folder / "store"))
    pool = Pool("shop", stage, retrievers_named("bm25", repository), store)
    tree = Tree.of(pool.documents(), find_symbols(documents))
    question = "sum of a cart"
    candidates = pool.candidates(question, tree, each=each, seed=0, tests=tests)
    return {one.path for one in candidates}


def test_tests_are_no_candidates_and_take_no_turn(tmp_path: Path) -> None:
    assert found(tmp_path, each=1, tests=False) == {"cart.py"}


def test_tests_are_candidates_if_asked_for(tmp_path: Path) -> None:
    (path,) = found(tmp_path, each=1, tests=True)

    assert path.startswith("tests/")


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("src/test/java/Cart.java", True),
        ("src/CartTest.kt", True),
        ("CartSpec.scala", True),
        ("cart_test.go", True),
        ("src/testing.py", False),
        ("src/Contest.java", False),
        ("src/latest/cart.py", False),
    ],
)
def test_a_test_is_known_by_its_path(path: str, is_one: bool) -> None:
    assert is_test(path) == is_one
