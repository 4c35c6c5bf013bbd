"""What the results file keeps so that another study can be compared with it."""

from pathlib import Path
from typing import Any

from bench.corpora import LocalSource
from bench.engine import ArtifactStore
from bench.results import RepositoryIdentity
from bench.results.identity import chunking_of, identity_of, versions_of
from bench.settings import RepositorySettings, SuiteSettings
from bench.stages import Ask, Cut, Cuttable, Tokenize
from bench.study import prepare
from retrievers.chunkers import Headers, Lines, Recursive, Symbol, Syntax, Tokens


def _ask(text: str) -> Ask:
    """Return any stage that stands for documents."""
    return Ask((text,))


QUERIES = """\
queries:
- {id: one, query: add up, category: sums, expected_files: [cart.py]}
- {id: two, query: fly away, negative: true}
"""


def identity(folder: Path, *, code: str = "x = 1\n", queries: str = QUERIES) -> RepositoryIdentity:
    """Return the identity of a folder of one file with these queries."""
    folder.mkdir()
    (folder / "code").mkdir()
    (folder / "code" / "cart.py").write_text(code, encoding="utf-8")
    (folder / "queries.yaml").write_text(queries, encoding="utf-8")
    settings = RepositorySettings(
        "shop", LocalSource(str(folder / "code")), folder / "queries.yaml"
    )
    store = ArtifactStore(str(folder / "store"))
    corpus = prepare(SuiteSettings("own", (settings,)), store, level=None)
    return identity_of(corpus.repositories[0])


def test_the_same_code_and_queries_are_the_same_wherever_they_lie(tmp_path: Path) -> None:
    first = identity(tmp_path / "a")

    assert first == identity(tmp_path / "b")
    assert (first.repository, first.count) == ("shop", 2)


def test_changed_code_changes_the_documents_only(tmp_path: Path) -> None:
    first = identity(tmp_path / "a")

    found = identity(tmp_path / "b", code="x = 2\n")

    assert found.documents != first.documents
    assert found.pin != first.pin
    assert str(tmp_path) not in found.pin
    assert found.queries == first.queries


def test_a_changed_target_or_text_changes_the_queries(tmp_path: Path) -> None:
    first = identity(tmp_path / "a")
    graded = QUERIES.replace("[cart.py]", "[{path: cart.py, grade: 2}]")

    found = [
        identity(tmp_path / "b", queries=QUERIES.replace("add up", "sum up")),
        identity(tmp_path / "c", queries=graded),
    ]

    assert all(one.documents == first.documents for one in found)
    assert len({first.queries, *(one.queries for one in found)}) == 3


def test_the_order_and_category_of_queries_change_nothing(tmp_path: Path) -> None:
    head, one, two = QUERIES.splitlines(keepends=True)
    moved = head + two + one.replace("sums", "totals")

    assert identity(tmp_path / "a") == identity(tmp_path / "b", queries=moved)


def test_chunkings_are_alike_whatever_is_cut() -> None:
    cuts = [
        Cut(documents := Tokenize(stage), documents, Lines(size=size))  # type: ignore[arg-type]
        for stage, size in ((_ask("a"), 32), (_ask("b"), 32), (_ask("a"), 64))
    ]

    small, elsewhere, large = map(chunking_of, cuts)

    assert small == elsewhere
    assert small != large


def test_chunkers_of_one_size_are_told_apart() -> None:
    files: Any = _ask("a")
    chunkers = (Lines(64), Tokens(64), Recursive(64), Syntax(64), Symbol(64))

    found = {
        chunking_of(Cuttable(files, files, files, files).cut(chunker)) for chunker in chunkers
    }

    assert len(found) == len(chunkers)


def test_what_breaks_and_tokens_are_is_part_of_how_documents_are_cut() -> None:
    files: Any = _ask("a")
    ways = [Tokenize(files), Tokenize(files, "cl100k_base")]

    found = {chunking_of(Cuttable(files, files, files, way).cut(Recursive(64))) for way in ways}

    assert len(found) == len(ways)


def test_headers_are_told_apart_and_so_is_what_is_below_them() -> None:
    files: Any = _ask("a")
    cuttable = Cuttable(files, files, files, files)
    ways = [(Lines(64), None), (Lines(64), Headers("path")), (Lines(32), Headers("path"))]

    found = {chunking_of(cuttable.headed(chunker, headers)) for chunker, headers in ways}

    assert len(found) == len(ways)


def test_versions_are_listed_by_kind() -> None:
    assert versions_of([_ask("a"), _ask("b"), Tokenize(_ask("a"))]) == {"ask": 1, "tokenize": 1}  # type: ignore[arg-type]
