"""Which languages there are, and that each folder holds all that a language needs."""

import importlib
from pathlib import Path

import pytest
import tree_sitter

import retrievers.source
from retrievers.errors import ParserError
from retrievers.interface import Documents
from retrievers.source import (
    CODE_KINDS,
    MINOR_KINDS,
    NAMING_KINDS,
    Language,
    find_symbols,
    language_of,
    languages,
    module_name,
)

KINDS = {*CODE_KINDS, *NAMING_KINDS}


@pytest.mark.parametrize("language", languages(), ids=lambda one: one.name)
def test_every_query_compiles_and_captures_known_kinds(language: Language) -> None:
    grammar = getattr(importlib.import_module(language.grammar), language.entry)()

    query = tree_sitter.Query(tree_sitter.Language(grammar), language.definitions)

    captured = {query.capture_name(number) for number in range(query.capture_count)}
    kinds = {
        name.removeprefix("definition.") for name in captured if name.startswith("definition.")
    }
    assert kinds
    assert kinds <= KINDS


def test_a_files_language_is_told_by_its_extension() -> None:
    python = language_of("src/a.py")

    assert python is not None
    assert python.name == "python"
    assert language_of("src/a.txt") is None
    assert language_of(".py") is None


def test_no_extension_belongs_to_two_languages() -> None:
    every = [extension for one in languages() for extension in one.extensions]

    assert len(every) == len(set(every))


TOY_RULES = """
extensions = [".toy"]
grammar = "tree_sitter_python"
entry = "language"
folder_files = ["main"]
[names]
strip = "_"
[visibility.names]
"_*" = "private"
[visibility.default]
class = "internal"
"""
TOY_QUERY = """
(function_definition name: (_) @name body: (_) @body) @definition.function
(class_definition name: (_) @name body: (_) @body) @definition.trait
(comment) @comment
"""


def toy(folder: Path, *, rules: str = TOY_RULES, query: str = TOY_QUERY) -> Path:
    """Write a folder of languages that holds one."""
    (folder / "toy").mkdir()
    (folder / "toy" / "language.toml").write_text(rules, "utf-8")
    (folder / "toy" / "definitions.scm").write_text(query, "utf-8")
    return folder


def test_a_folder_is_all_that_a_language_takes(tmp_path: Path) -> None:
    folder = toy(tmp_path)
    text = "# Does it.\ndef run(): pass\nclass Box:\n  def open(self): pass\n"

    symbols = find_symbols(Documents.of([("a/main.toy", text), ("b.py", text)]), folder=folder)

    assert symbols.names == ("a.run", "a.Box", "a.Box.open")
    assert symbols.kinds == ("function", "trait", "method")
    assert symbols.docs == ("Does it.", "", "")
    assert symbols.visibility == ("public", "public", "public")
    assert symbols.signatures[0] == "def run():"
    assert module_name("a/main.toy", folder) == "a"
    assert language_of("a.py", folder) is None


def test_code_that_all_languages_share_names_none_of_them() -> None:
    shared = Path(retrievers.source.__file__).parent.glob("*.py")
    words = {f'"{one.name}"' for one in languages()} | {one.grammar for one in languages()}

    named = [(path.name, word) for path in shared for word in words if word in path.read_text()]

    assert named == []


def test_a_language_may_build_on_another_ones_query() -> None:
    queries = {one.name: one.definitions for one in languages()}

    assert queries["tsx"] == queries["typescript"]
    assert queries["cpp"].startswith(queries["c"])


def test_a_query_that_the_grammar_does_not_know_is_an_error_that_names_the_language(
    tmp_path: Path,
) -> None:
    folder = toy(tmp_path, query="(no_such_node) @definition.class")

    with pytest.raises(ParserError, match="language toy cannot be parsed"):
        find_symbols(Documents.of([("a.toy", "x\n")]), folder=folder)


def test_a_kind_has_a_body_or_only_names_something() -> None:
    assert set(CODE_KINDS).isdisjoint(NAMING_KINDS)
    assert set(MINOR_KINDS) <= {*CODE_KINDS, *NAMING_KINDS}
