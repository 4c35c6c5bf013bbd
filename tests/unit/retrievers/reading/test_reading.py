"""What a query is made of, and what it names."""

import pytest

from retrievers.reading import Frame, read_query

ISSUE = """Feeding an empty file fails <!-- filled in by the form -->

`Parser.feed` raises with `strict`, see https://example.org/parser/issues/12 for src/lexer.py.
<!-- Do not remove
this comment -->
```python
reader.feed(open("empty"))
```

Traceback (most recent call last):
  File "app/main.py", line 3, in <module>
    run_all()
  File "app/parser.py", line 40, in feed
    raise ParseError(text)
"""


def _parts(query: str) -> dict[str, str]:
    return {part.name: part.text for part in read_query(query).parts}


def test_an_issue_has_a_title_prose_code_and_frames() -> None:
    parts = _parts(ISSUE)

    assert list(parts) == ["title", "prose", "code", "frames"]
    assert parts["title"] == "Feeding an empty file fails"
    assert parts["code"] == 'reader.feed(open("empty"))'
    assert parts["frames"].count("\n") == 4
    assert parts["prose"].startswith("`Parser.feed` raises")


def test_the_parts_have_weights() -> None:
    weights = {part.name: part.weight for part in read_query(ISSUE).parts}

    assert weights == {"title": 2.0, "prose": 1.0, "code": 1.0, "frames": 0.5}


@pytest.mark.parametrize("hidden", ["example.org", "Do not remove", "comment", "filled in"])
def test_addresses_and_comments_are_left_out(hidden: str) -> None:
    assert all(hidden not in text for text in _parts(ISSUE).values())


def test_a_question_is_prose() -> None:
    assert _parts("where is the file fed?") == {"prose": "where is the file fed?"}


def test_a_long_first_line_is_no_title() -> None:
    assert list(_parts("word " * 30 + "\n\nmore")) == ["prose"]


def test_lines_that_are_indented_after_a_blank_one_are_code() -> None:
    parts = _parts("Title\n\nThis fails:\n\n    feed(1)\n    feed(2)\n\nalways.")

    assert parts["code"] == "feed(1)\n    feed(2)"
    assert "always." in parts["prose"]


def test_a_fence_ends_with_its_own_mark() -> None:
    parts = _parts("Title\n\n~~~\n```\nx = 1\n~~~\nprose")

    assert parts["code"] == "```\nx = 1"
    assert parts["prose"] == "prose"


def test_frames_come_from_the_innermost_on() -> None:
    frames = read_query(ISSUE).frames

    assert frames == (Frame("app/parser.py", "feed"), Frame("app/main.py", "<module>"))


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ("    at feed (/app/src/parser.js:10:5)", Frame("/app/src/parser.js", "feed")),
        ("    at /app/src/parser.js:10:5", Frame("/app/src/parser.js", "")),
        ("    at async Parser.feed (src/a.ts:1:2)", Frame("src/a.ts", "Parser.feed")),
        ("\tat org.shop.Cart.total(Cart.java:12)", Frame("Cart.java", "org.shop.Cart.total")),
        (
            r"   at Shop.Cart.Total() in C:\s\Cart.cs:line 5",
            Frame("C:/s/Cart.cs", "Shop.Cart.Total"),
        ),
        ("lib/cart.rb:12:in `total'", Frame("lib/cart.rb", "total")),
        ("#1  0x00007f in cart_total (c=0x0) at src/cart.c:12", Frame("src/cart.c", "cart_total")),
        ("\t/go/src/shop/cart.go:12 +0x1d", Frame("/go/src/shop/cart.go", "")),
        (
            "#0 /var/www/Cart.php(12): Shop\\Cart->total()",
            Frame("/var/www/Cart.php", "Shop\\Cart->total"),
        ),
    ],
)
def test_frames_of_many_runtimes_are_known(line: str, frame: Frame) -> None:
    assert read_query(f"It fails\n\n{line}").frames == (frame,)


def test_identifiers_have_weights_by_where_they_are() -> None:
    query = "readAll fails\n\nWith `strict` my_file breaks.\n\n```\nload(x_y)\n```"

    assert read_query(query).identifiers == {
        "readAll": 1.0,
        "strict": 0.9,
        "my_file": 0.8,
        "load": 0.4,
        "x_y": 0.4,
    }


def test_an_identifier_counts_where_it_is_surest() -> None:
    assert read_query("feed_all fails\n\n```\nfeed_all\n```").identifiers == {"feed_all": 1.0}


def test_paths_are_those_outside_of_frames_and_addresses() -> None:
    query = "It fails\n\nin src/shop/cart.py and ./lib/a.c, see https://x.org/b.html"
    frame = 'File "app/main.py", line 3, in go'

    assert read_query(f"{query}\n\n{frame}").paths == ("src/shop/cart.py", "lib/a.c")


def test_error_types_are_named() -> None:
    assert read_query(ISSUE).error_types == ("ParseError",)


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("how are tests collected", True),
        ("TestRunner", True),
        ("add a mock", True),
        ("how are files collected", False),
        ("Cart fails\n\nI wrote a test for it.", False),
        ("Test runner fails\n\nAlways.", True),
        ("Cart fails\n\nin tests/cart.py", True),
        ("latest contest fails", False),
    ],
)
def test_one_word_of_a_long_text_does_not_ask_for_tests(query: str, *, asks: bool) -> None:
    assert read_query(query).asks_for_tests is asks
