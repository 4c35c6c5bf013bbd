"""Definitions in languages without a grammar: small files checked by hand, and hostile ones."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from retrievers.interface import Documents
from retrievers.source import (
    CODE_KINDS,
    LANGUAGES,
    NAMING_KINDS,
    Symbols,
    find_edges,
    find_symbols,
    language_of,
    languages,
)
from retrievers.source.registry import pattern_languages

SAMPLES = Path(__file__).parents[3] / "fixtures" / "samples" / "patterns"
EXPECTED: dict[str, list[str]] = yaml.safe_load((SAMPLES / "definitions.yaml").read_text("utf-8"))
MEGABYTE = 1_000_000


def found_in(name: str, text: str) -> Symbols:
    return find_symbols(Documents.of([(name, text)]))


def shown(symbols: Symbols) -> list[str]:
    lines = zip(symbols.start_line.tolist(), symbols.end_line.tolist(), strict=True)
    rows = zip(symbols.names, symbols.kinds, lines, strict=True)
    return [f"{name} {kind} {first}-{last}" for name, kind, (first, last) in rows]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_defines_what_was_checked_by_hand(name: str) -> None:
    symbols = found_in(name, (SAMPLES / name).read_text("utf-8"))

    module = name.rpartition(".")[0]
    assert [one.removeprefix(f"{module}.") for one in shown(symbols)] == EXPECTED[name]


def test_every_language_that_is_read_by_patterns_has_a_sample() -> None:
    names = {one.name for one in pattern_languages()}

    shown_by_samples = {found.name for name in EXPECTED if (found := language_of(name))}

    assert shown_by_samples == names


def test_no_extension_belongs_to_patterns_and_to_a_grammar() -> None:
    by_patterns = [extension for one in pattern_languages() for extension in one.extensions]
    by_grammar = {extension for one in languages() for extension in one.extensions}

    assert len(by_patterns) == len(set(by_patterns))
    assert by_grammar.isdisjoint(by_patterns)


def test_words_mean_known_kinds_and_blocks_are_known() -> None:
    for language in pattern_languages():
        rules: Any = language.patterns
        assert {kind for _, kind in rules.keywords} <= {*CODE_KINDS, *NAMING_KINDS}
        assert rules.blocks in ("braces", "indentation", "name", "next", "parens")


def test_comments_above_and_modifiers_say_more_of_a_definition() -> None:
    symbols = found_in("a.pl", "# Adds one.\n# To it.\nsub add { 1 }\n\n# Far.\n\nsub far { 1 }\n")

    assert symbols.docs == ("Adds one.\nTo it.", "")
    assert symbols.signatures == ("sub add", "sub far")
    assert found_in("a.vala", "private class A {\n}\n").visibility == ("private",)


def test_words_that_modify_may_be_names() -> None:
    text = "class A {\n  int open(int x) {\n  }\n  open() {\n  }\n  void value() {\n  }\n}\n"

    assert found_in("a.vala", text).names == ("a.A", "a.A.open", "a.A.open", "a.A.value")


def test_what_stands_in_comments_and_strings_defines_nothing() -> None:
    text = (
        "# sub a { }\nmy $x = 'sub b { ';\nprint \"\nsub c { }\n\";\n\n=pod\n\nsub d { }\n\n=cut\n"
    )

    symbols = found_in("a.pl", text)

    assert symbols.names == ("a.c",)  # a string of several lines is not seen as one


def test_files_of_these_languages_have_edges_of_membership() -> None:
    documents = Documents.of([("cart.dart", (SAMPLES / "cart.dart").read_text("utf-8"))])
    symbols = find_symbols(documents)

    edges = find_edges(documents, symbols)

    assert len(edges) == 2 * len(symbols)


HOSTILE = {
    "quotes": "\"'`" * (MEGABYTE // 3),
    "escapes": '"' + '\\"' * (MEGABYTE // 2),
    "open comments": "/*" * (MEGABYTE // 2),
    "closed comments": "/**/" * (MEGABYTE // 4),
    "open brackets": "({[" * (MEGABYTE // 3),
    "closed brackets": ")}]" * (MEGABYTE // 3),
    "one line of keywords": "class function def sub " * (MEGABYTE // 23),
    "one name": "def " + "a" * MEGABYTE,
    "dots": "def a" + "." * MEGABYTE,
    "spaces": "def " + " " * MEGABYTE + "a",
    "lines of spaces": ("\n" + " " * 99) * (MEGABYTE // 100),
    "typed": ("int " * 99 + "f(") * (MEGABYTE // 400),
    "arrows": "a = (" * (MEGABYTE // 5),
    "deeper and deeper": "".join("\t" * depth + "def a\n" for depth in range(1_400)),
    "deeper braces": "class a {\n" * (MEGABYTE // 99),
    "comments above": "# x\n" * (MEGABYTE // 4) + "def a\n",
    "names in brackets": "def <" * (MEGABYTE // 5),
    "ends": "sub a\nend\n" * (MEGABYTE // 99),
    "never ended": "sub a\n" * (MEGABYTE // 60),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("name", ["a.dart", "a.jl", "a.vb"])
def test_a_megabyte_of_hostile_text_ends(name: str, text: str) -> None:
    symbols = find_symbols(Documents.of([(name, text), ("z.py", "def fine(): pass\n")]))

    assert symbols.names[-1] == "z.fine"
    assert len(symbols.unparsed) == 0


def test_no_pattern_repeats_a_repetition() -> None:
    files = (LANGUAGES.parent / "patterns").glob("*.py")
    source = "".join(file.read_text("utf-8") for file in files)

    # Of an alternation of single letters only, and possessively: nothing is tried again.
    assert source.count(")*") == source.count(r"|\\.)*+{sign}?") == 1
    assert source.count(")+") == 0
