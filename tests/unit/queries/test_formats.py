"""A format of queries is a module and a row: reading and both commands then take it."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from bench.cli.fixtures.exchange import add_export, add_import
from bench.errors import FixtureError, UsageError
from bench.parsing import Parser
from bench.queries import (
    FORMATS,
    Entry,
    Formats,
    Query,
    Target,
    corpus_format,
    read_corpus,
    read_entries,
    read_queries,
    written_format,
    written_formats,
)
from bench.queries import formats as package
from bench.queries.building import entry
from bench.queries.fields import Fields
from bench.queries.formats.format import DocumentFormat, PathFormat, RecordFormat
from bench.queries.located import Located
from bench.queries.targets import file_target, targets_of
from retrievers.interface import Documents
from tests.unit.queries.cards import CARDS

WITH_CARDS: Formats = (*FORMATS, CARDS)
FILE = "#cards\ncart: how are prices added up = src/cart.py\nfly: does it fly = \n"
QUERIES = (
    Query("cart", "how are prices added up", (Target("file", path="src/cart.py"),)),
    Query("fly", "does it fly", negative=True),
)


def run(*arguments: object, formats: Formats = WITH_CARDS) -> int:
    """Run `import` or `export` with a table of formats."""
    parser: argparse.ArgumentParser = Parser()
    actions = parser.add_subparsers()
    add_import(actions, formats=lambda: formats)
    add_export(actions, formats=lambda: formats)
    found = parser.parse_args([str(one) for one in arguments])
    code: int = found.command(found)
    return code


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / "shop.cards").write_text(FILE, encoding="utf-8")
    return tmp_path / "asked" / "shop.cards"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "src").mkdir(parents=True)
    (tmp_path / "tree" / "src" / "cart.py").write_text("total = 1\n", encoding="utf-8")
    return tmp_path / "tree"


def test_a_new_format_is_recognised_by_its_content_and_read(cards: Path, tmp_path: Path) -> None:
    (tmp_path / "renamed.txt").write_text(FILE, encoding="utf-8")

    assert read_queries(cards, formats=WITH_CARDS) == QUERIES
    assert read_queries(tmp_path / "renamed.txt", formats=WITH_CARDS) == QUERIES
    assert {one.form for one in read_entries(cards, formats=WITH_CARDS)} == {"cards"}
    with pytest.raises(FixtureError):
        read_queries(cards)


def test_its_files_are_found_in_a_folder_beside_others(cards: Path) -> None:
    text = "queries:\n- {id: own, query: q, expected_files: [a.py]}\n"
    (cards.parent / "z.yaml").write_text(text, encoding="utf-8")

    found = read_entries(cards.parent, formats=WITH_CARDS)

    forms = [(one.query.id, one.form) for one in found]
    assert forms == [("cart", "cards"), ("fly", "cards"), ("own", "queries")]
    assert [one.query.id for one in read_entries(cards.parent)] == ["own"]


def test_it_is_imported(cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("import", cards, "--output", tmp_path / "own.yaml") == 0

    assert read_queries(tmp_path / "own.yaml") == QUERIES
    assert "(2 queries, 1 negative, 0 drafts)" in capsys.readouterr().out


def test_it_is_exported_to_and_what_it_loses_is_told(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.yaml").write_text(
        "queries:\n"
        "- {id: cart, query: how are prices added up, category: usage,"
        " expected_files: [src/cart.py]}\n"
        "- {id: fly, query: does it fly, negative: true}\n",
        encoding="utf-8",
    )
    where = ("--repository", tree, "--format", "cards", "--output", tmp_path / "shop.cards")

    assert run("export", tmp_path / "own.yaml", *where) == 0

    assert (tmp_path / "shop.cards").read_text("utf-8") == FILE
    assert "cards does not keep 'category' as it was: 1 query\n" in capsys.readouterr().out


def test_it_is_exported_from(cards: Path, tree: Path, tmp_path: Path) -> None:
    where = ("--repository", tree, "--format", "golden", "--output", tmp_path / "shop.jsonl")

    assert run("export", cards, *where) == 0

    assert read_queries(tmp_path / "shop.jsonl") == QUERIES


def test_what_is_wrong_in_it_is_one_line_with_the_place(cards: Path, tmp_path: Path) -> None:
    cards.write_text("#cards\ncart: a question without answers\n", encoding="utf-8")

    with pytest.raises(FixtureError, match=r"shop\.cards:2: is not a card; write") as refused:
        run("import", cards, "--output", tmp_path / "own.yaml")

    assert "\n" not in refused.value.message
    assert not (tmp_path / "own.yaml").exists()


def test_the_help_and_the_choices_are_those_of_the_table(
    cards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        run("export", "--help")
    shown = " ".join(capsys.readouterr().out.split())
    with pytest.raises(UsageError, match="--format cards: not one of its values"):
        run("export", cards, "--format", "cards", "--output", "x", formats=FORMATS)

    own = "queries, tasks, parquet, golden, spans, beir, trec, characters, topics, qrels"
    assert f"--format FORMAT the format to write: {own}, cards" in shown


def _answered(fields: Fields, form: str) -> Entry:
    return entry(
        fields,
        form,
        identifier=fields.identifier("faq"),
        text=fields.text("ask"),
        targets=targets_of((fields.items("see"), file_target)),
    )


def _has_faq(found: Located) -> bool:
    return isinstance(found.value, dict) and "faq" in found.value


FAQ_RECORD = RecordFormat(
    "faq",
    sniff=_has_faq,
    read=lambda record, _chunks: _answered(Fields.of(record, "a question", None), "faq"),
)
FAQ_PAGE = DocumentFormat(
    "faq",
    sniff=_has_faq,
    read=lambda page, _faults: (_answered(Fields.of(page, "a page", None), "faq"),),
)


def test_a_format_of_records_is_read_from_lines_and_among_others(tmp_path: Path) -> None:
    (tmp_path / "mixed.jsonl").write_text(
        '{"faq": 1, "ask": "q", "see": ["a.py"]}\n'
        '{"id": 2, "question": "r", "expected_doc_ids": ["b.py"]}\n',
        encoding="utf-8",
    )

    found = read_entries(tmp_path / "mixed.jsonl", formats=(FAQ_RECORD, *FORMATS))

    assert [(one.query.id, one.form) for one in found] == [("1", "faq"), ("2", "golden")]


def test_a_format_of_documents_is_read_from_yaml(tmp_path: Path) -> None:
    (tmp_path / "page.yaml").write_text("faq: one\nask: q\nsee: [a.py]\n", encoding="utf-8")

    (found,) = read_entries(tmp_path / "page.yaml", formats=(*FORMATS, FAQ_PAGE))

    assert (found.query.id, found.form) == ("one", "faq")


def test_a_format_of_folders_may_bring_its_own_documents(tmp_path: Path) -> None:
    (tmp_path / "deck").mkdir()
    (tmp_path / "deck" / "shop.cards").write_text("#cards\na: q = a.txt\n", encoding="utf-8")
    (tmp_path / "deck" / "a.txt").write_text("one line\n", encoding="utf-8")
    deck = PathFormat(
        "deck",
        sniff=lambda path: (path / "shop.cards").is_file(),
        read=lambda path, faults: CARDS.read(path / "shop.cards", faults),
        documents=lambda path: Documents.of([("a.txt", (path / "a.txt").read_text("utf-8"))]),
    )
    where = ("export", tmp_path / "deck", "--output", tmp_path / "out", "--format", "trec")

    assert run(*where, formats=(*FORMATS, deck)) == 0

    assert read_corpus(tmp_path / "out").text(0) == "one line\n"
    assert corpus_format(tmp_path / "deck", (*FORMATS, deck)) == "deck"
    assert corpus_format(tmp_path / "deck") is None


def test_every_format_has_a_row_and_every_module_is_in_the_table() -> None:
    kinds = (PathFormat, DocumentFormat, RecordFormat)
    used = {one.read.__module__ for one in FORMATS if isinstance(one, kinds)}
    files = Path(package.__path__[0]).glob("*.py")
    modules = {path.stem for path in files} - {"__init__", "format", "registry"}

    assert {f"{package.__name__}.{name}" for name in modules} == used
    assert len({one.name for one in FORMATS}) == len(FORMATS)
    assert all(_says_what_it_is(name) for name in used)


def _says_what_it_is(module: str) -> bool:
    return bool(import_module(module).__doc__)


def test_a_format_that_is_only_read_cannot_be_written() -> None:
    names: Sequence[str] = written_formats(FORMATS)

    assert "issues" not in names
    with pytest.raises(UsageError, match=r"--format issues: no such format; .*queries"):
        written_format("issues", FORMATS)
