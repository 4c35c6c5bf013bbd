"""What find_symbols says about small, hand-counted, broken and hostile sources."""

import ast
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrievers.interface import Documents
from retrievers.source import ParsingLimits, Symbols, find_symbols, module_name

SHOP = Path(__file__).parents[3] / "fixtures" / "samples" / "shop"
GOOD = ("z_good.py", b"def fine():\n    pass\n")


def shop() -> Documents:
    files = [path for path in SHOP.rglob("*") if path.suffix in (".py", ".md")]
    texts = [(path.relative_to(SHOP).as_posix(), path.read_text("utf-8")) for path in files]
    return Documents.of(texts)


def raw(files: Sequence[tuple[str, bytes]]) -> Documents:
    return Documents(
        paths=tuple(path for path, _ in files),
        content=np.frombuffer(b"".join(content for _, content in files), np.uint8),
        ends=np.cumsum([len(content) for _, content in files], dtype=np.int64),
    )


def rows(symbols: Symbols, prefix: str) -> list[tuple[str, str, int, int]]:
    spans = zip(symbols.start_line.tolist(), symbols.end_line.tolist(), strict=True)
    named = zip(symbols.names, symbols.kinds, spans, strict=True)
    return [(name, kind, *span) for name, kind, span in named if name.startswith(prefix)]


def test_the_symbols_of_a_module_are_those_counted_by_hand() -> None:
    symbols = find_symbols(shop())

    found = rows(symbols, "src.shop.cart.")
    assert found == [
        ("src.shop.cart.LIMIT", "variable", 5, 5),
        ("src.shop.cart.STEP", "variable", 5, 5),
        ("src.shop.cart.discount", "variable", 6, 6),
        ("src.shop.cart.Cart", "class", 9, 25),
        ("src.shop.cart.Cart.__init__", "constructor", 12, 13),
        ("src.shop.cart.Cart.total", "method", 15, 17),
        ("src.shop.cart.Cart.total", "method", 19, 21),
        ("src.shop.cart.Cart.Line", "class", 23, 25),
        ("src.shop.cart.Cart.Line.price", "method", 24, 25),
        ("src.shop.cart.add", "overload", 28, 29),
        ("src.shop.cart.add", "overload", 32, 33),
        ("src.shop.cart.add", "function", 36, 40),
        ("src.shop.cart.add.check", "function", 37, 38),
        ("src.shop.cart.checkout", "function", 43, 44),
    ]


def test_functions_and_classes_agree_with_the_standard_parser() -> None:
    documents = shop()

    symbols = find_symbols(documents)

    found = {
        (documents.paths[document], name.rpartition(".")[2], start, end)
        for document, (name, kind, start, end) in zip(
            symbols.document.tolist(), rows(symbols, ""), strict=True
        )
        if kind != "variable" and "broken" not in name
    }
    assert found == {
        (path, *definition)
        for number, path in enumerate(documents.paths)
        if path.endswith(".py") and "broken" not in path
        for definition in defined(documents.text(number))
    }


def defined(text: str) -> set[tuple[str, int, int]]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {
        (
            node.name,
            min([node.lineno, *(one.lineno for one in node.decorator_list)]),
            node.end_lineno or 0,
        )
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kinds)
    }


def test_a_packages_init_part_is_dropped_from_names() -> None:
    assert module_name("src/shop/__init__.py") == "src.shop"
    assert module_name("src/shop/cart.py") == "src.shop.cart"
    assert module_name("__init__.py") == ""
    assert "src.shop.open_shop" in find_symbols(shop()).names


def test_the_parent_is_the_definition_around_it() -> None:
    symbols = find_symbols(shop())

    around = {
        name: symbols.names[parent] if parent >= 0 else ""
        for name, parent in zip(symbols.names, symbols.parent.tolist(), strict=True)
    }
    assert around["src.shop.cart.Cart.Line.price"] == "src.shop.cart.Cart.Line"
    assert around["src.shop.cart.add.check"] == "src.shop.cart.add"
    assert around["src.shop.cart.Cart"] == ""
    assert around["src.shop.cart.LIMIT"] == ""


def test_byte_offsets_hold_the_definition_with_its_decorators() -> None:
    documents = Documents.of([("a.py", "# é\n@mark\ndef f():\n    return 'ü'\n")])

    symbols = find_symbols(documents)

    start, end = int(symbols.start_byte[0]), int(symbols.end_byte[0])
    assert documents.slice(0, start, end) == "@mark\ndef f():\n    return 'ü'"


def test_a_file_that_does_not_parse_gives_what_can_be_had() -> None:
    found = [name for name, *_ in rows(find_symbols(shop()), "src.shop.broken.")]

    assert "src.shop.broken.before" in found


def test_files_of_no_known_language_define_nothing() -> None:
    symbols = find_symbols(Documents.of([("a.txt", "def f(): pass\n"), ("b", "class A: pass\n")]))

    assert len(symbols) == 0
    assert len(symbols.unparsed) == 0


def test_no_documents_have_no_symbols() -> None:
    symbols = find_symbols(Documents.of([]))

    assert len(symbols) == 0
    assert symbols.start_line.dtype == np.int32


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"x = 1\0\ndef f():\n    pass\n\0", id="NUL"),
        pytest.param(b"\xff\xfe\ndef f():\n    pass\n" + b"\xff" * 1000, id="not UTF-8"),
        pytest.param(b"# \xed\xa0\x80\ndef f():\n    pass\n", id="half a surrogate pair"),
    ],
)
def test_bytes_that_are_no_text_do_not_hide_definitions(content: bytes) -> None:
    symbols = find_symbols(raw([("a.py", content), GOOD]))

    assert symbols.names == ("a.f", "z_good.fine")
    assert len(symbols.unparsed) == 0


def test_bytes_that_are_no_text_do_not_hide_definitions_whose_names_are_compared() -> None:
    source = (
        b"exports.\x80a = 1;\nclass A { \xff\xfe() {} constructor() {} }\nfunction b\xf6() {}\n"
    )

    symbols = find_symbols(raw([("a.js", source)]))

    assert symbols.names == ("a.A", "a.A.__", "a.A.constructor", "a.b_")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"(" * 5_000_000, id="5 MB of open brackets"),
        pytest.param(b"\0(\xff[{'\"\n\t :def" * 60_000, id="recovery without end"),
    ],
)
def test_a_file_that_the_parser_cannot_finish_is_given_up_alone(content: bytes) -> None:
    limits = ParsingLimits(seconds=1)

    symbols = find_symbols(raw([("a.py", content), GOOD]), limits=limits)

    assert symbols.names == ("z_good.fine",)
    assert symbols.unparsed.tolist() == [0]


def test_what_was_found_before_a_file_is_given_up_is_kept() -> None:
    hostile = b"\0(\xff[{'\"\n\t :def" * 60_000
    limits = ParsingLimits(seconds=1)

    symbols = find_symbols(raw([GOOD, ("z_last.py", hostile)]), limits=limits)

    assert symbols.names == ("z_good.fine",)
    assert symbols.unparsed.tolist() == [1]


def test_a_file_above_the_limit_is_given_up_unread() -> None:
    limits = ParsingLimits(document_bytes=20)

    symbols = find_symbols(raw([("a.py", b"def f(): return 12345\n"), GOOD]), limits=limits)

    assert symbols.unparsed.tolist() == [0, 1]


def test_a_file_that_needs_too_much_memory_is_given_up_alone() -> None:
    limits = ParsingLimits(peak_bytes=200_000_000)

    symbols = find_symbols(raw([("a.py", b"(" * 3_000_000), GOOD]), limits=limits)

    assert symbols.names == ("z_good.fine",)
    assert symbols.unparsed.tolist() == [0]


def test_nesting_without_end_does_not_fill_the_memory_with_names() -> None:
    nested = b"".join(b" " * depth + b"class A" + b"a" * 400 + b":\n" for depth in range(900))

    symbols = find_symbols(raw([("a.py", nested)]))

    assert 0 < len(symbols) <= 101


def test_a_corpus_of_hostile_files_may_waste_only_so_much() -> None:
    hostile = b"\0(\xff[{'\"\n\t :def" * 60_000
    files = [(f"a{number}.py", hostile) for number in range(4)]

    symbols = find_symbols(raw([*files, GOOD]), limits=ParsingLimits(seconds=1, wasted_seconds=1))

    assert symbols.unparsed.tolist() == [0, 1, 2, 3, 4]
    assert len(symbols) == 0


def test_a_document_may_hold_only_so_many_definitions() -> None:
    source = b"".join(b"def f%d(): pass\n" % number for number in range(50))

    symbols = find_symbols(raw([("a.py", source), GOOD]), limits=ParsingLimits(definitions=20))

    assert 15 <= len(symbols) - 1 <= 20
    assert symbols.names[-1] == "z_good.fine"


def test_one_comment_above_many_names_does_not_fill_the_memory() -> None:
    names = ", ".join(f"name{number}" for number in range(20_000))
    source = f"/* {'word ' * 390}*/\nint {names};\n".encode()

    symbols = find_symbols(raw([("a.c", source)]))

    assert len(symbols) == 20_000
    assert len(symbols.docs[0]) > 1_900
    assert sum(len(text) for text in symbols.docs) < 25 * len(source)
