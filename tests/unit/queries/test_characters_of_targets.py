"""Targets as characters: read, kept and resolved exactly, whatever the encoding or line ends."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import FixtureError
from bench.queries import Query, Target, read_queries, resolve, write_golden, write_queries
from bench.queries.offsets import Offsets
from bench.queries.resolution import Problem, Spot, Tree, find_target
from retrievers.interface import Documents
from retrievers.source import find_symbols

TEXT = "\u00fc = 1\r\nna\u00efve = '\U0001f600'\r\n"
"""Two lines with CRLF, and letters of two and four bytes."""


def tree_of(text: str, path: str = "a.py") -> Tree:
    documents = Documents.of([(path, text)])
    return Tree.of(documents, find_symbols(documents))


def characters(start: int, end: int, path: str = "a.py") -> Target:
    return Target("span", path=path, start_character=start, end_character=end)


def test_characters_count_letters_and_both_signs_of_a_line_end() -> None:
    tree, begin = tree_of(TEXT), TEXT.index("na\u00efve")

    (spot,) = resolved(tree, characters(begin, begin + 5))

    assert begin == 7
    assert tree.text(spot) == "na\u00efve"
    assert (spot.start, spot.end) == (8, 14)
    assert tree.lines_of(spot) == (2, 2)


def resolved(tree: Tree, target: Target) -> list[Spot]:
    found = find_target(tree, Query("q", "?", (target,)), target)
    assert not isinstance(found, Problem), found
    return found


def test_lines_are_their_characters_to_the_end_of_the_last() -> None:
    tree = tree_of(TEXT)

    first, last, both = (
        resolved(tree, Target("span", path="a.py", start=start, end=end))[0]
        for start, end in ((1, 1), (2, 2), (1, 2))
    )

    assert [tree.text(spot) for spot in (first, last)] == TEXT.splitlines(keepends=True)
    assert tree.text(both) == TEXT


@pytest.mark.parametrize(("start", "end"), [(0, 21), (20, 21)])
def test_characters_after_the_last_are_a_problem(start: int, end: int) -> None:
    tree, target = tree_of(TEXT), characters(start, end)

    found = find_target(tree, Query("q", "?", (target,)), target)

    assert isinstance(found, Problem)
    assert f"characters {start} to {end} of 'a.py' do not exist: the file has 20" in str(found)


def test_the_whole_file_may_be_given_as_characters() -> None:
    tree = tree_of(TEXT)

    (spot,) = resolved(tree, characters(0, len(TEXT)))

    assert spot == tree.whole(0)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_offsets_are_those_of_the_text(text: str) -> None:
    offsets = Offsets(Documents.of([("a.txt", text)]), 0)

    for place in range(len(text) + 1):
        byte = len(text[:place].encode())
        assert offsets.byte_of(place) == byte
        assert offsets.character_of(byte) == place
    assert offsets.characters == len(text)


MINIFIED = "function one(){return 1}function two(){return 2}\n"


def test_a_span_on_a_long_line_is_the_function_that_it_is_in() -> None:
    """By lines, both functions would hold it."""
    documents = Documents.of([("a.js", MINIFIED)])
    begin = MINIFIED.index("return 2")
    query = Query("q", "?", (characters(begin, begin + 8, "a.js"),))

    found = resolve([query], documents, find_symbols(documents))

    pieces = [
        MINIFIED[start:end]
        for start, end in zip(found.start_byte[1:], found.end_byte[1:], strict=True)
    ]
    assert pieces == ["function two(){return 2}", "return 2"]


def test_a_span_over_two_functions_of_a_line_is_itself() -> None:
    documents = Documents.of([("a.js", MINIFIED)])
    query = Query("q", "?", (characters(10, 40, "a.js"),))

    found = resolve([query], documents, find_symbols(documents))

    assert list(zip(found.start_byte[1:].tolist(), found.end_byte[1:].tolist(), strict=True)) == [
        (10, 40),
        (10, 40),
    ]


GOLDEN = '{"id": "g", "question": "?", "expected_chunks": [{"path": "a.py", '


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ('"start_character": 0, "end_character": 9', characters(0, 9)),
        (
            '"start": 1, "end": 2, "start_character": 3, "end_character": 9',
            Target("span", path="a.py", start=1, end=2, start_character=3, end_character=9),
        ),
    ],
)
def test_golden_spans_may_be_characters(fields: str, target: Target, tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text(GOLDEN + fields + "}]}\n", encoding="utf-8")

    (query,) = read_queries(path)
    path.write_text(write_golden([query]), encoding="utf-8")

    assert query.targets == (target,)
    assert read_queries(path) == (query,)


def test_query_sets_keep_characters(tmp_path: Path) -> None:
    query = Query("q", "?", (characters(0, 9), Target("span", path="a.py", start=1, end=2)))
    path = tmp_path / "set.yaml"

    path.write_text(write_queries([query]), encoding="utf-8")

    assert read_queries(path) == (query,)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"start_character": 0, "end_character": 0', "from character 0 to 0 is empty or too far"),
        ('"start_character": 5, "end_character": 4', "from character 5 to 4 is empty"),
        ('"start_character": -1, "end_character": 4', "from character -1 to 4 is empty"),
        ('"start_character": 3', "lacks the field 'end_character'"),
        ('"end_character": 3', "lacks the field 'start_character'"),
        ('"start_character": 0, "end_character": 9, "start": 1', "lacks the field 'end'"),
        ('"start_character": 0.5, "end_character": 9', "must be a whole number"),
    ],
)
def test_wrong_characters_are_refused_in_one_line(
    fields: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text(GOLDEN + fields + "}]}\n", encoding="utf-8")

    with pytest.raises(FixtureError) as caught:
        read_queries(path)

    assert message in caught.value.message
    assert "\n" not in caught.value.message


# What strict credit asks for.

TYPES = {
    "a class under a decorator and a comment": (
        "a.py",
        "# class Cart is for goods\n@dataclass\nclass Cart(Base):\n    x: int = 1\n",
        "Cart",
        "class Cart(Base):",
    ),
    "a class whose bases take lines": (
        "a.py",
        "class Cart(\n    Base,\n):\n    x: int = 1\n",
        "Cart",
        "class Cart(",
    ),
    "a nested class": (
        "a.py",
        "class Cart:\n    class Line:\n        x: int = 1\n",
        "Cart.Line",
        "class Line:",
    ),
    "an exported interface": (
        "a.ts",
        "/** Goods. */\nexport interface Goods {\n  name: string;\n}\n",
        "Goods",
        "export interface Goods {",
    ),
    "a struct": (
        "a.rs",
        "#[derive(Debug)]\npub struct Goods {\n    name: String,\n}\n",
        "Goods",
        "pub struct Goods {",
    ),
    "a class on one line with others": (
        "a.js",
        "class One{run(){return 1}}class Two{run(){return 2}}\n",
        "Two",
        "class Two{run(){return 2}}",
    ),
}


@pytest.mark.parametrize(("path", "text", "name", "line"), TYPES.values(), ids=TYPES.keys())
def test_of_a_type_the_line_that_names_it_is_asked_for(
    path: str, text: str, name: str, line: str
) -> None:
    documents = Documents.of([(path, text)])

    found = resolve(
        [Query("q", "?", (Target("symbol", symbol=name),))], documents, find_symbols(documents)
    )

    asked = documents.slice(0, int(found.start_byte[1]), int(found.end_byte[1]))
    assert len(asked) > len(line) or asked == line
    if len(found.asked_start):
        asked = documents.slice(0, int(found.asked_start[1]), int(found.asked_end[1]))
    assert asked.strip() == line


def test_of_a_function_all_of_it_is_asked_for_even_if_others_are_in_it() -> None:
    documents = Documents.of([("a.py", "def f():\n    def g(): ...\n    return g\n")])

    found = resolve(
        [Query("q", "?", (Target("symbol", symbol="a.f"),))], documents, find_symbols(documents)
    )

    assert len(found.asked_start) == 0
    assert len(found.asked_end) == 0


def test_a_span_over_two_methods_asks_for_the_line_that_names_their_class() -> None:
    text = "class Cart:\n    def a(self): ...\n    def b(self): ...\n"
    documents = Documents.of([("a.py", text)])
    target = Target("span", path="a.py", start=2, end=3)

    found = resolve([Query("q", "?", (target,))], documents, find_symbols(documents))

    assert found.level.tolist() == [0, 1, 2]
    assert (found.asked_start[1], found.asked_end[1]) == (0, len("class Cart:"))
    assert found.asked_start[2] == found.start_byte[2]
