"""Signatures and documentation as plain text; names and visibility by rules."""

import pytest

from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols, languages
from retrievers.source.rules import NameRules, VisibilityRules
from retrievers.source.texts import doc, signature


def symbols_of(name: str, text: str) -> Symbols:
    return find_symbols(Documents.of([(name, text)]))


DOCS = {
    "a line": ("// One.", "One."),
    "lines": ("/// One\n/// two.", "One\ntwo."),
    "inner lines": ("//! One", "One"),
    "a block": ("/* One. */", "One."),
    "a block with stars": (
        "/**\n * One\n *   two.\n *\n * @param x\n */",
        "One\n  two.\n\n@param x",
    ),
    "a block without stars": ("/*\n   One\n   two.\n*/", "One\ntwo."),
    "hashes": ("# One\n#\n# two", "One\n\ntwo"),
    "a fence": ("=begin\nOne.\n=end", "One."),
    "rulers": ("// -------\n// One.\n// =======", "One."),
    "lines of Windows": ("// One\r\n// two", "One\ntwo"),
    "a docstring": ('"""One.\n\n    Two.\n    """', "One.\n\nTwo."),
    "a raw docstring": (r"r'''One \d.'''", r"One \d."),
    "a bullet": ("// - One", "- One"),
    "marks within a line": ("/* See http://x\n   or a // b # c */", "See http://x\nor a // b # c"),
    "an empty block": ("/**/", ""),
    "stars only": ("/********/", ""),
}


@pytest.mark.parametrize(("written", "said"), DOCS.values(), ids=DOCS.keys())
def test_a_doc_is_what_a_comment_says_without_its_marks(written: str, said: str) -> None:
    source = written.encode()

    assert doc(source, [(0, len(source))]) == said


def test_a_doc_and_a_signature_have_a_longest_length() -> None:
    source = b"// " + b"word " * 100_000

    assert len(doc(source, [(0, len(source))])) <= 2_000
    assert len(signature(source, 0, len(source))) <= 300


def test_a_signature_stands_on_one_line_and_leaves_the_body_out() -> None:
    symbols = symbols_of("a.c", "static int\nadd(int a,\n    int b)  // sums\n{ return a + b; }\n")

    assert symbols.signatures == ("static int add(int a, int b)",)


def test_attributes_are_in_the_span_but_not_in_the_signature() -> None:
    symbols = symbols_of("a.rs", "use x;\n\n/// One.\n#[inline]\n// Two.\n#[cold]\nfn f() {}\n")

    assert symbols.start_line.tolist() == [3]
    assert symbols.signatures == ("fn f()",)
    assert symbols.docs == ("One.\nTwo.",)


NOT_DOCS = {
    "behind code": "int a; // One.\nvoid f() {}\n",
    "above a blank line": "// One.\n\nvoid f() {}\n",
    "behind a brace": "struct s { // One.\n  int x;\n};\n",
}


@pytest.mark.parametrize("text", NOT_DOCS.values(), ids=NOT_DOCS.keys())
def test_a_comment_that_speaks_of_something_else_is_no_doc(text: str) -> None:
    symbols = symbols_of("a.c", text)

    assert set(symbols.docs) == {""}


NAMES = {
    "a::B::c": ["a", "B", "c"],
    "Box<a::T, U<V>>::get": ["Box", "get"],
    "Box<T>::operator<<": ["Box", "operator<<"],
    "operator bool() const": ["operator bool"],
    "Box::operator()": ["Box", "operator()"],
    "operator new[]": ["operator new[]"],
    'operator""_km': ['operator""_km'],
    "my_operator": ["my_operator"],
    "~Box": ["~Box"],
    "a :: b": ["a", "b"],
}


@pytest.mark.parametrize(("written", "parts"), NAMES.items(), ids=NAMES.keys())
def test_a_name_falls_into_its_parts(written: str, parts: list[str]) -> None:
    cpp = {one.name: one for one in languages()}["cpp"]

    assert cpp.names.parts(written) == parts


def test_parts_that_say_nothing_are_dropped_unless_there_is_nothing_else() -> None:
    rules = NameRules(separators=(".",), drop=("exports", "prototype"), strip="'")

    assert rules.parts("A.prototype.'go'") == ["A", "go"]
    assert rules.parts("exports") == ["exports"]
    assert rules.parts("") == []


def test_the_first_rule_for_a_modifier_or_name_counts() -> None:
    rules = VisibilityRules(
        words=(("pub", "public"), ("pub(*", "internal")),
        names=(("__*__", "public"), ("_*", "private")),
        default=(("class", "private"), ("file", "internal")),
    )

    assert rules.of_words(["pub"]) == "public"
    assert rules.of_words(["static", "pub(in  crate)"]) == "internal"
    assert rules.of_words(["static"]) == ""
    assert [rules.of_name(name) for name in ("__a__", "_a", "a")] == ["public", "private", ""]
    assert [rules.of_place(kind) for kind in ("class", "", "struct")] == [
        "private",
        "internal",
        "public",
    ]


def test_a_capital_letter_counts_in_any_alphabet() -> None:
    rules = VisibilityRules(capital="public", default=(("*", "private"),))

    assert [rules.of_name(name) for name in ("Größe", "Äußern", "äußern", "_A")] == [
        "public",
        "public",
        "",
        "",
    ]
