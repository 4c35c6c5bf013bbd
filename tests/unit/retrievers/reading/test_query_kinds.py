"""What kind of query a text is."""

import pytest

from retrievers.reading import is_bare_symbol, read_query


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
        ("Parser.feed()", "name"),
        ("where is the parser fed?", "question"),
        ("one line\n", "question"),
        ("", "question"),
        ("word " * 60, "question"),
        ("word " * 61, "issue"),
        ("Parser fails on an empty file\n\nSteps:\n1. feed it nothing", "issue"),
        ("add a retry to the parser", "task"),
        ("Rewrite feeding", "task"),
        ("ValueError: not enough values to unpack", "error"),
        ("java.lang.NullPointerException: null", "error"),
        ("error[E0382]: borrow of moved value", "error"),
        ("where is ValueError raised", "question"),
        ("Fix the parser.\n\nIt fails on an empty file.", "issue"),
    ],
)
def test_a_query_has_a_kind(query: str, kind: str) -> None:
    assert read_query(query).kind == kind
