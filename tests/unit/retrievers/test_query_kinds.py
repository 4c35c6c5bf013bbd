"""Which queries are the name of a symbol and nothing else."""

import pytest

from retrievers.fusion import is_bare_symbol, kind_of_query


@pytest.mark.parametrize(
    "query",
    [
        "parse",
        "HTTPServer",
        "_private",
        " read_settings ",
        "`parse()`",
        "Parser.feed",
        "std::vector",
        "Parser#feed()",
        "ptr->next",
        "größe",
    ],
)
def test_a_name_is_one(query: str) -> None:
    assert is_bare_symbol(query)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "where is parse",
        "parse a file",
        "a/b.py",
        "404",
        "x + y",
        "Parser.",
        "parse(text)",
        "a, b",
    ],
)
def test_anything_else_is_none(query: str) -> None:
    assert not is_bare_symbol(query)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("Parser.feed()", "symbol"),
        ("where is the parser fed?", "sentence"),
        ("one line\n", "sentence"),
        ("", "sentence"),
        ("word " * 60, "sentence"),
        ("word " * 61, "issue"),
        ("Parser fails on an empty file\n\nSteps:\n1. feed it nothing", "issue"),
    ],
)
def test_a_text_of_several_lines_or_many_words_is_an_issue(query: str, kind: str) -> None:
    """Which has weights of its own."""
    assert kind_of_query(query) == kind
