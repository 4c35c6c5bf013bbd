"""What read_queries makes of each format, and what it says of files that are wrong."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.errors import FixtureError
from bench.queries.formats.queries import read_query_set, write_queries
from bench.queries.query import Query, Target
from bench.queries.readers import read_queries
from bench.queries.yaml_text import load_yaml

QUERIES = Path(__file__).parents[3] / "fixtures" / "samples" / "queries"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FixtureError) as caught:
        read_queries(path)
    message = caught.value.message
    assert "\n" not in message
    return message


def test_a_query_set_becomes_queries_with_targets() -> None:
    total, saving, refunds = read_queries(QUERIES / "shop.yaml")

    assert total == Query(
        id="total",
        text="how is the sum of a cart computed",
        targets=(Target("file", path="src/shop/cart.py"), Target("symbol", symbol="Cart.total")),
        category="function_search",
        difficulty="easy",
        tags=("property", "yes"),
        notes="the getter, not the setter",
    )
    assert saving.targets == (
        Target("file", path="src/shop/storage/store.py", grade=2),
        Target("symbol", symbol="storage.SqlStore.save", grade=3),
        Target("span", path="src/shop/storage/store.py", start=19, end=20),
    )
    assert refunds.negative
    assert refunds.targets == ()


def test_a_folder_of_tasks_becomes_a_query_each_named_after_its_file() -> None:
    (query,) = read_queries(QUERIES / "tasks")

    assert query == Query(
        id="01-check-goods",
        text="Check goods before they are added",
        targets=tuple(
            Target("symbol", symbol=name) for name in ("cart.add", "storage.find", "sql.connect")
        ),
        difficulty="medium",
        tags=("cross-package",),
    )


def test_description_and_tier_mean_task_and_difficulty(tmp_path: Path) -> None:
    path = written(tmp_path, "a.yaml", "description: d\ntier: exact\nground_truth: [a.B]\n")

    (query,) = read_queries(path)

    assert (query.id, query.text, query.difficulty) == ("a", "d", "exact")


def test_a_golden_set_gives_spans_files_and_negatives() -> None:
    version, what, sync = read_queries(QUERIES / "golden.jsonl")

    assert version.id == "1"
    assert version.targets == (Target("span", path="src/shop/__init__.py", start=3, end=3),)
    assert what.targets == (Target("file", path="README.md"),)
    assert sync.negative


def test_a_golden_query_that_expects_no_documents_is_negative(tmp_path: Path) -> None:
    text = '{"id": 1, "question": "q", "expected_doc_ids": []}\n'

    (query,) = read_queries(written(tmp_path, "golden.jsonl", text))

    assert query.negative
    assert query.targets == ()


def test_span_lines_take_query_or_question() -> None:
    checkout, wrapper = read_queries(QUERIES / "spans.jsonl")

    assert checkout.text == "finish buying"
    assert checkout.targets == (
        Target("span", path="src/shop/cart.py", start=44, end=44, grade=2),
    )
    assert wrapper.text == "log calls"


def test_the_format_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    lines = (QUERIES / "golden.jsonl").read_text("utf-8")
    path = written(tmp_path, "golden.txt", lines)

    assert read_queries(path) == read_queries(QUERIES / "golden.jsonl")


def test_a_query_set_written_as_json_is_a_query_set(tmp_path: Path) -> None:
    text = json.dumps({"queries": [{"id": "a", "query": "q", "expected_files": ["b.py"]}]})

    (query,) = read_queries(written(tmp_path, "a.json", text))

    assert query.targets == (Target("file", path="b.py"),)


def test_queries_of_other_repositories_are_left_out(tmp_path: Path) -> None:
    text = """queries:
- {id: a, query: q, expected_files: [a.py], repo: flask}
- {id: b, query: q, expected_files: [a.py], repo: jinja}
- {id: c, query: q, expected_files: [a.py]}
"""
    path = written(tmp_path, "a.yaml", text)

    assert [query.id for query in read_queries(path, repository="flask")] == ["a", "c"]
    assert [query.id for query in read_queries(path)] == ["a", "b", "c"]


def test_a_query_may_have_targets_in_several_repositories(tmp_path: Path) -> None:
    text = """queries:
- id: a
  query: q
  expected_files: [{path: a.py, repo: flask}, {path: b.py, repo: jinja, grade: 2}]
  expected_spans: [{path: c.py, start: 1, end: 2, repo: jinja}]
- {id: b, query: r, expected_symbols: [{symbol: B, repo: flask}]}
- {id: c, query: s, negative: true}
"""
    path = written(tmp_path, "a.yaml", text)

    flask, jinja = (read_queries(path, repository=name) for name in ("flask", "jinja"))

    assert [(one.id, len(one.targets)) for one in flask] == [("a", 1), ("b", 1), ("c", 0)]
    assert [(one.id, len(one.targets)) for one in jinja] == [("a", 2), ("c", 0)]
    assert jinja[0].targets[0] == Target("file", path="b.py", grade=2, repository="jinja")
    assert len(read_queries(path)[0].targets) == 3


def test_paths_are_read_with_forward_slashes_and_no_leading_dot(tmp_path: Path) -> None:
    text = 'queries:\n- {id: a, query: q, expected_files: ["./src\\\\b.py"]}\n'

    (query,) = read_queries(written(tmp_path, "a.yaml", text))

    assert query.targets == (Target("file", path="src/b.py"),)


def test_aliases_may_save_typing(tmp_path: Path) -> None:
    text = """queries:
- {id: a, query: q, expected_files: &files [a.py]}
- {id: b, query: q, expected_files: *files}
"""

    first, second = read_queries(written(tmp_path, "a.yaml", text))

    assert first.targets == second.targets


HEAD = "queries:\n- id: a\n  query: q\n"
WRONG_YAML = {
    "bad YAML": (HEAD + "  tags: [b\n", ":5:", "not valid YAML"),
    "a tab": (HEAD + "\ttags: []\n", ":4:", "not valid YAML"),
    "an unknown field": (HEAD + "  expected_file: [a.py]\n", ":4:", "'expected_files'"),
    "an unknown field above": ("querys: []\nqueries: []\n", ":1:", "'queries'"),
    "a wrong type": (HEAD + "  expected_files: a.py\n", ":4:", "must be a list, not 'a.py'"),
    "a wrong item": (HEAD + "  expected_files:\n  - 7\n", ":5:", "must be text, not 7"),
    "text that is a number": ("queries:\n- id: a\n  query: 7\n", ":3:", "put it in quotes"),
    "a flag that is text": (HEAD + "  negative: yes\n", ":4:", "must be true or false"),
    "no expectation": (HEAD, ":2:", "negative: true"),
    "an empty expectation": (HEAD + "  expected_files: []\n", ":2:", "negative: true"),
    "a negative with targets": (
        HEAD + "  negative: true\n  expected_files: [a.py]\n",
        ":2:",
        "negative but has targets",
    ),
    "a missing query": ("queries:\n- id: a\n", ":2:", "lacks the field 'query'"),
    "a blank query": ("queries:\n- id: a\n  query: ' '\n", ":3:", "is blank"),
    "a missing id": ("queries:\n- query: a\n", ":2:", "lacks the field 'id'"),
    "a path upwards": (HEAD + "  expected_files: [a/../b]\n", ":4:", "contains '..'"),
    "an absolute path": (HEAD + "  expected_files: [/a/b]\n", ":4:", "is absolute"),
    "a drive": (HEAD + "  expected_files: ['C:\\b']\n", ":4:", "is absolute"),
    "a backwards span": (
        HEAD + "  expected_spans:\n  - {path: a, start: 4, end: 3}\n",
        ":5:",
        "start is not above end",
    ),
    "line zero": (
        HEAD + "  expected_spans:\n  - {path: a, start: 0, end: 3}\n",
        ":5:",
        "lines count from 1",
    ),
    "a span with a wrong field": (
        HEAD + "  expected_spans:\n  - {path: a, start: 1, stop: 3}\n",
        ":5:",
        "unknown field 'stop'",
    ),
    "a grade of nothing": (
        HEAD + "  expected_files:\n  - {path: a, grade: 0}\n",
        ":5:",
        "grade 0",
    ),
    "a field twice": (HEAD + "  query: r\n", ":4:", "twice"),
    "an id twice": (
        "queries:\n- {id: a, query: q, negative: true}\n- {id: a, query: r, negative: true}\n",
        ":3:",
        "is taken by",
    ),
    "a list": ("- a\n", ":1:", "must hold 'queries' or a 'task'"),
    "something else": ("a: 1\n", ":1:", "neither 'queries' nor a 'task'"),
    "two documents": ("task: a\n---\ntask: b\n", ":2:", "not valid YAML"),
    "nothing at all": ("", ":1:", "is empty"),
    "a Python object": ("task: !!python/object/apply:os.getcwd []\n", ":1:", "must be text"),
    "a tag": ("task: !!binary aGk=\n", ":1:", "tag"),
    "a NUL": ("task: a\ntier: \0\n", ":2:", "does not allow"),
    "both names of a field": ("task: a\ndescription: b\nground_truth: [c]\n", ":2:", "keep one"),
    "no queries": ("queries: []\n", "", "holds no queries"),
    "deep nesting": ("task: " + "[" * 100_000, ":1:", "nests deeper"),
    "a loop": ("task: &a [*a]\n", ":1:", "nests deeper"),
    "a bomb": (
        "a0: &a0 [x, x]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
        + "task: *a11\n",
        ":1:",
        "holds more than",
    ),
}


@pytest.mark.parametrize(("text", "place", "words"), WRONG_YAML.values(), ids=WRONG_YAML.keys())
def test_wrong_yaml_is_one_line_with_place_and_remedy(
    tmp_path: Path, text: str, place: str, words: str
) -> None:
    path = written(tmp_path, "q.yaml", text)

    message = refusal(path)

    assert message.startswith(f"{path}{place}")
    assert words in message


GOLDEN = '{"id": 1, "question": "q", "expected_chunks": [%s]}\n'
WRONG_LINES = {
    "bad JSON": ('\n{"id": 1,}\n', ":2:", "not valid JSON"),
    "chunk numbers": (GOLDEN % "12, 13", ":1:", '{"path": …, "start": …, "end": …}'),
    "an unknown field": (
        '{"id": 1, "question": "q", "expected_chunk": []}\n',
        ":1:",
        "did you mean",
    ),
    "a float for a line": (
        GOLDEN % '{"path": "a", "start": 1.5, "end": 2}',
        ":1:",
        "whole number",
    ),
    "true for a line": (GOLDEN % '{"path": "a", "start": true, "end": 2}', ":1:", "whole number"),
    "a list for a record": ("[1]\n", ":1:", "must be a mapping"),
    "a field twice": ('{"id": 1, "id": 2}\n', ":1:", "twice"),
    "nothing expected": ('{"id": 1, "question": "q"}\n', ":1:", "has no targets"),
    "nothing, but not negative": (
        '{"id": 1, "question": "q", "expected_chunks": [], "negative": false}\n',
        ":1:",
        "negative: false",
    ),
    "an empty span list": ('{"id": 1, "query": "q", "expected_spans": []}\n', ":1:", "no targets"),
    "half a surrogate pair": (
        '{"id": 1, "query": "\\ud800", "expected_spans": []}\n',
        ":1:",
        "surrogate",
    ),
    "an id twice": (GOLDEN % "" + GOLDEN % "", ":2:", "is taken by"),
    "deep nesting": ("[" * 100_000 + "\n", ":1:", "not valid JSON"),
    "a number without end": ('{"id": ' + "9" * 10_000 + "}\n", ":1:", "not valid JSON"),
    "no lines": ("\n\n", "", "holds no queries"),
}


@pytest.mark.parametrize(("text", "place", "words"), WRONG_LINES.values(), ids=WRONG_LINES.keys())
def test_wrong_json_lines_are_one_line_with_place_and_remedy(
    tmp_path: Path, text: str, place: str, words: str
) -> None:
    path = written(tmp_path, "q.jsonl", text)

    message = refusal(path)

    assert message.startswith(f"{path}{place}")
    assert words in message


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.yaml")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)

    assert "not a regular file" in refusal(path)


def test_a_folder_without_queries_is_named(tmp_path: Path) -> None:
    assert "holds no files of queries" in refusal(tmp_path)


def test_a_file_that_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_bytes(b"queries:\n- id: \xe9\n")

    assert refusal(path).startswith(f"{path}:2: byte 0xe9 is not UTF-8")


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    with path.open("wb") as file:
        file.truncate(100_000_001)

    assert "larger than 100 MB" in refusal(path)


def test_yaml_that_would_take_minutes_is_refused_at_once(tmp_path: Path) -> None:
    question = "where is it " * 1_000
    records = (f"- {{id: q{n}, query: {question}, negative: true}}\n" for n in range(2_000))

    message = refusal(written(tmp_path, "q.yaml", "queries:\n" + "".join(records)))

    assert message.endswith(
        "is larger than 20 MB, which takes YAML minutes; split it, or write JSON Lines"
    )


def test_a_repository_that_no_query_names_is_an_error(tmp_path: Path) -> None:
    text = "queries:\n- {id: a, query: q, negative: true, repo: flask}\n"

    with pytest.raises(FixtureError, match="about repository 'jinja'"):
        read_queries(written(tmp_path, "a.yaml", text), repository="jinja")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
SHOWN = TEXT.filter(lambda text: bool(text.strip()))
NAME = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]{0,20}", fullmatch=True)
PATH = st.from_regex(r"[a-z0-9_]{1,8}(/[a-z0-9_]{1,8}){0,3}\.[a-z]{1,4}", fullmatch=True)
GRADE = st.integers(1, 100)
LINES = st.tuples(st.integers(1, 10_000), st.integers(0, 500))


@st.composite
def queries(draw: st.DrawFn, identifier: str) -> Query:
    files = draw(st.lists(st.builds(Target, st.just("file"), path=PATH, grade=GRADE), max_size=3))
    symbols = draw(
        st.lists(st.builds(Target, st.just("symbol"), symbol=NAME, grade=GRADE), max_size=3)
    )
    spans = [
        Target("span", path=draw(PATH), start=start, end=start + more, grade=draw(GRADE))
        for start, more in draw(st.lists(LINES, max_size=3))
    ]
    targets = (*files, *symbols, *spans)
    return Query(
        id=identifier,
        text=draw(SHOWN),
        targets=targets,
        negative=not targets,
        category=draw(st.just("") | TEXT),
        difficulty=draw(st.just("") | TEXT),
        tags=tuple(draw(st.lists(TEXT, max_size=3))),
        notes=draw(st.just("") | TEXT),
    )


@st.composite
def query_sets(draw: st.DrawFn) -> tuple[Query, ...]:
    identifiers = draw(st.lists(SHOWN, min_size=1, max_size=4, unique=True))
    return tuple(draw(queries(identifier)) for identifier in identifiers)


@given(query_sets())
@example((Query("a", "broken\x85in\u2028two\nor more", negative=True),))
def test_what_is_written_is_read_again(expected: tuple[Query, ...]) -> None:
    text = write_queries(expected)

    entries = read_query_set(load_yaml(text, "q.yaml"))

    assert tuple(entry.query for entry in entries) == expected


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    message = refused_as(text)

    assert message is None or (message.startswith("q.yaml:") and "\n" not in message)


def refused_as(text: str) -> str | None:
    try:
        load_yaml(text, "q.yaml")
    except FixtureError as error:
        return error.message
    return None
