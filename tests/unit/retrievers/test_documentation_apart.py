"""Comments with a blank line below document a definition if the language's tools say so."""

import pytest

from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols


def found(source: str, *, name: str = "m.js") -> Symbols:
    return find_symbols(Documents.of([(name, source)]))


@pytest.mark.parametrize(
    ("name", "comment", "definition"),
    [
        ("m.js", "/** Adds. */", "function f() {}"),
        ("m.ts", "/**\n * Adds.\n */", "export const f = () => 1;"),
        ("m.tsx", "/** Adds. */", "@sealed\nclass F {}"),
        ("M.java", "/** Adds. */", "@Override\nclass F {}"),
        ("M.cs", "/// <summary>Adds.</summary>", "class F {}"),
        ("m.rs", "/// Adds.", "#[inline]\nfn f() {}"),
        ("m.c", "/*! Adds. */", "int f(void) { return 1; }"),
        ("m.cpp", "//! Adds.", "int f() { return 1; }"),
        ("m.php", "/** Adds. */", "function f() {}"),
        ("m.kt", "/** Adds. */", "fun f() {}"),
        ("m.scala", "/** Adds. */", "def f() = 1"),
        ("m.swift", "/// Adds.", "func f() {}"),
        ("m.zig", "/// Adds.", "fn f() void {}"),
    ],
)
def test_a_documentation_comment_reaches_over_blank_lines(
    name: str, comment: str, definition: str
) -> None:
    """The span begins with it, and a plain comment stays apart."""
    first = {"m.php": "<?php\nuse X;", "m.rs": "use x;", "M.cs": "using X;"}.get(name, "// first")

    documented = found(f"{first}\n\n{comment}\n\n\n{definition}\n", name=name)
    remarked = found(f"{first}\n\n// Adds.\n\n{definition}\n", name=name)

    assert documented.docs == ("Adds.",)
    assert documented.start_line.tolist() == [first.count("\n") + 3]
    assert remarked.docs == ("",)


def test_several_lines_of_documentation_are_kept_together() -> None:
    assert found("use x;\n\n/// One\n/// two\n\nfn f() {}\n", name="m.rs").docs == ("One\ntwo",)


def test_in_elixir_an_attribute_documents_the_next_function() -> None:
    source = 'defmodule M do\n  @doc "Adds."\n\n  def f(x), do: x\nend\n'

    assert found(source, name="m.ex").docs == ("", "Adds.")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        pytest.param("m.js", "/** About the file. */\n\nfunction f() {}\n", id="head of a file"),
        pytest.param("m.js", "x();\n/** @typedef {X} Y */\n\nfunction f() {}\n", id="type"),
        pytest.param("m.c", "int x();\n/** @} */\n\nint f() { }\n", id="end of a group"),
        pytest.param("m.c", "int x();\n///< Of x.\n\nint f() { }\n", id="what is above"),
        pytest.param("m.rs", "use x;\n//! Of the module.\n\nfn f() {}\n", id="what is around"),
        pytest.param("m.js", "x();\n/***** Part *****/\n\nfunction f() {}\n", id="a heading"),
        pytest.param("m.go", "package m\n\n/** Adds. */\n\nfunc f() {}\n", id="Go"),
        pytest.param("m.rb", "x()\n# Adds.\n\ndef f; end\n", id="Ruby"),
    ],
)
def test_a_comment_about_something_else_stays_apart(name: str, source: str) -> None:
    assert found(source, name=name).docs[-1] == ""


def test_of_two_comments_only_the_nearest_may_be_apart() -> None:
    assert found("x();\n/** One. */\n\n/** Two. */\n\nfunction f() {}\n").docs == ("Two.",)
    assert found("x();\n/** One. */\n\n// two\nfunction f() {}\n").docs == ("two",)
