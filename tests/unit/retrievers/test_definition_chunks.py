"""Chunks that know what a file defines; hand arithmetic where every byte is a token."""

from pathlib import Path

import numpy as np
import pytest

from retrievers.chunkers import Symbol, Syntax, token_ends
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import find_symbols

SAMPLES = Path(__file__).parents[3] / "fixtures" / "samples" / "languages"
SHOP = '''\
"""A shop."""

import os


class Cart:
    """What is bought."""

    limit = 3

    def add(self, good):
        self.goods.append(good)

    # Prices are in cents.
    @property
    def total(self):
        return sum(self.goods)


def main():
    def shown():
        return 1

    return shown()
'''


def cut(chunker: Syntax | Symbol, path: str, text: str) -> list[str]:
    """Return the chunks' texts of one file in which every byte is a token."""
    documents = Documents.of([(path, text)])
    size = documents.size(0)
    tokens = TokenEnds(np.arange(1, size + 1, dtype=np.int32), np.array([size]))
    chunks: Chunks = chunker.cut(documents, tokens, find_symbols(documents))
    return list(chunks.texts(documents))


def between(first: str, last: str = "") -> str:
    """Return the shop from one text up to another."""
    stop = SHOP.index(last) if last else len(SHOP)
    return SHOP[SHOP.index(first) : stop]


def test_whole_definitions_are_packed() -> None:
    """All up to `main` has 234 letters, and fits exactly."""
    found = cut(Syntax(234), "shop.py", SHOP)

    assert found == [between('"""A', "def main"), between("def main")]


def test_a_class_that_does_not_fit_is_cut_between_its_methods() -> None:
    """A method goes with its decorator and the comment above it."""
    found = cut(Syntax(110), "shop.py", SHOP)

    assert found == [
        between('"""A', "class"),
        between("class", "    def add"),
        between("    def add", "    # Prices"),
        between("    # Prices", "def main"),
        between("def main"),
    ]


def test_a_function_is_not_cut_for_what_it_defines_inside() -> None:
    """The empty line in `main` is a weaker break than its beginning."""
    found = cut(Syntax(96), "shop.py", SHOP)

    assert found[-1] == between("def main")


def test_a_long_function_is_cut_at_its_empty_lines() -> None:
    """Before it is cut between any two lines."""
    text = "def f():\n" + "    a = 1\n" * 4 + "\n" + "    b = 1\n" * 4

    found = cut(Syntax(80), "f.py", text)

    assert found == ["def f():\n" + "    a = 1\n" * 4 + "\n", "    b = 1\n" * 4]


def test_text_at_the_margin_inside_a_definition_is_no_strong_break() -> None:
    """A layout alone would cut before `select`."""
    text = 'def f():\n    return """\n\nselect\n"""\n\n\ndef g():\n    return 1\n'

    found = cut(Syntax(40), "f.py", text)

    assert found == [text[: text.index("def g")], text[text.index("def g") :]]


def test_files_without_definitions_are_cut_like_prose() -> None:
    """Headings of Markdown part sections."""
    found = cut(Syntax(16), "a.md", "# One\naaaaaa\n# Two\nbbbb\n")

    assert found == ["# One\naaaaaa\n", "# Two\nbbbb\n"]


@pytest.mark.parametrize("size", [32, 64, 128])
def test_no_definition_of_real_code_that_fits_is_cut(size: int) -> None:
    """In eleven languages; a definition may begin behind another on its line."""
    files = [path for path in sorted(SAMPLES.rglob("*.*")) if path.suffix != ".yaml"]
    documents = Documents.of([(path.name, path.read_text(encoding="utf-8")) for path in files])
    tokens, symbols = token_ends(documents), find_symbols(documents)
    chunks = Syntax(size).cut(documents, tokens, symbols)

    cut_in_two = []
    for row in range(len(symbols)):
        document = int(symbols.document[row])
        place = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        own = chunks.document == document
        whole = np.any(own & (chunks.start_byte <= place[0]) & (chunks.end_byte >= place[1]))
        starts = documents.line_starts(document)
        lines = symbols.start_line[row] - 1, symbols.end_line[row]
        first, stop = np.searchsorted(tokens.of(document), [*starts, documents.size(document)])[
            list(lines)
        ]
        if not whole and stop - first < size:
            cut_in_two.append(symbols.names[row])

    assert cut_in_two == []


def test_each_function_and_method_is_a_chunk_and_the_rest_is_packed() -> None:
    """A function inside another belongs to it; the head of a class is rest."""
    found = cut(Symbol(128), "shop.py", SHOP)

    assert found == [
        between('"""A', "    def add"),
        between("    def add", "    # Prices"),
        between("    # Prices", "def main"),
        between("def main"),
    ]


def test_a_definition_is_whole_whatever_its_size() -> None:
    """Only the rest obeys the size."""
    text = "a = 1\n" * 4 + "\n\ndef f():\n" + "    call()\n" * 8

    found = cut(Symbol(16), "f.py", text)

    assert found == [
        *["a = 1\n" * 2] * 1,
        "a = 1\n" * 2 + "\n\n",
        "def f():\n" + "    call()\n" * 8,
    ]


def test_closing_lines_go_with_the_definition_above() -> None:
    """A bracket alone says nothing."""
    text = "class A {\n  int f() {\n    return 1;\n  }\n}\n\nclass B {\n}\n"

    found = cut(Symbol(512), "A.java", text)

    assert found == [
        "class A {\n",
        "  int f() {\n    return 1;\n  }\n}\n\n",
        "class B {\n}\n",
    ]


def test_an_interface_stays_whole() -> None:
    """Its methods are signatures."""
    text = "export interface Shop {\n  open(): void\n  close(): void\n}\n"

    assert cut(Symbol(16), "shop.ts", text) == [text]
