"""Which languages there are, and that each folder holds all that a language needs."""

import importlib

import pytest
import tree_sitter

from retrievers.source import CODE_KINDS, NAMING_KINDS, Language, language_of, languages

KINDS = {*CODE_KINDS, *NAMING_KINDS}


@pytest.mark.parametrize("language", languages(), ids=lambda one: one.name)
def test_every_query_compiles_and_captures_known_kinds(language: Language) -> None:
    grammar = getattr(importlib.import_module(language.grammar), language.entry)()

    query = tree_sitter.Query(tree_sitter.Language(grammar), language.definitions)

    captured = {query.capture_name(number) for number in range(query.capture_count)}
    kinds = {name.removeprefix("definition.") for name in captured if name.startswith("definition.")}
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
