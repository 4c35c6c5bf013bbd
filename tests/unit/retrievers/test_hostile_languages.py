"""Files that are written to take forever, in languages whose queries are new."""

import pytest

from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols

NAMES = 25_000
GOOD = ("z_good.py", "def fine():\n    pass\n")


def found_beside_a_good_file(name: str, text: str) -> Symbols:
    symbols = find_symbols(Documents.of([(name, text), GOOD]))

    assert symbols.names[-1] == "z_good.fine"
    return symbols


def repeated(pattern: str, between: str) -> str:
    return between.join(pattern.format(n=number) for number in range(NAMES))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.kt", "class A { fun f() { " * 3_000),
        ("a.swift", "class A { func f() { " * 3_000),
        ("a.php", "<?php " + "class A { function f() { " * 3_000),
        ("a.scala", "object A { def f = { " * 3_000),
        ("a.ex", "defmodule A do\n" * 3_000),
        ("brackets.ex", "(" * 30_000),
        ("a.hs", "f x = " + "(" * 30_000),
        ("lets.hs", "f = let g = " * 3_000),
        ("a.lua", "function f() " * 3_000),
        ("tables.lua", "a = {" * 20_000),
        ("a.sh", "f() { " * 3_000),
        ("commands.sh", "$(" * 10_000),
        ("a.zig", "const A = struct { fn f() void { " * 3_000),
    ],
)
def test_deep_nesting_does_not_stop_other_files(name: str, text: str) -> None:
    symbols = found_beside_a_good_file(name, text)

    assert len(symbols) <= 102


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.kt", f"enum class E {{ {repeated('V{n}', ', ')} }}"),
        ("a.swift", f"enum E {{ case {repeated('v{n}', ', ')} }}"),
        ("vars.swift", "var " + repeated("v{n} = 1", ", ")),
        ("a.php", f"<?php class A {{ public {repeated('$v{n}', ', ')}; }}"),
        ("a.scala", f"class C({repeated('val v{n}: Int', ', ')})"),
        ("a.ex", f"defmodule A do\n defstruct [{repeated(':v{n}', ', ')}]\nend"),
        ("defs.ex", f"defmodule A do\n{repeated('def f{n}(x), do: x', '; ')}\nend"),
        ("a.hs", "data D = " + repeated("V{n}", " | ")),
        ("names.hs", repeated("v{n}", ", ") + " :: Int"),
        ("a.lua", "local " + repeated("v{n}", ", ")),
        ("table.lua", f"t = {{ {repeated('f{n} = function() end', ', ')} }}"),
        ("a.sh", "declare " + repeated("v{n}=1", " ")),
        ("a.zig", f"const E = error{{ {repeated('v{n}', ', ')} }};"),
    ],
)
def test_many_names_on_one_line_are_all_found(name: str, text: str) -> None:
    symbols = found_beside_a_good_file(name, text)

    assert len(symbols.unparsed) == 0
    assert len(symbols) - 1 in (NAMES, NAMES + 1)


def test_many_clauses_are_one_definition_to_the_end() -> None:
    text = repeated("f {n} = {n}", "\n")

    symbols = found_beside_a_good_file("a.hs", text)

    assert symbols.names[:-1] == ("a.f",)
    assert symbols.end_line[0] == NAMES


def test_other_definitions_end_a_run_of_clauses() -> None:
    text = "f 1 = 1\ng = 2\nf 2 = 2\n  where h 1 = 1\n        h 2 = 2\nf 3 = 3\n"

    symbols = find_symbols(Documents.of([("a.hs", text)]))

    lines = zip(symbols.start_line.tolist(), symbols.end_line.tolist(), strict=True)
    assert dict(
        zip(zip(symbols.names, symbols.occurrence.tolist(), strict=True), lines, strict=True)
    ) == {
        ("a.f", 0): (1, 1),
        ("a.g", 0): (2, 2),
        ("a.f", 1): (3, 6),
        ("a.f.h", 0): (4, 5),
    }
