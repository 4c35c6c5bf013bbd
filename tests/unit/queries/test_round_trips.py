"""What is written in a format is read again as it was, as far as the format can hold it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.errors import FixtureError
from bench.queries import (
    Query,
    RunRow,
    Target,
    read_corpus,
    read_queries,
    resolve,
    write_beir,
    write_characters,
    write_chunk_map,
    write_golden,
    write_qrels,
    write_queries,
    write_run,
    write_span_lines,
    write_task,
    write_trec,
)
from retrievers.interface import Chunks, Documents
from retrievers.source import find_symbols

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
SHOWN = TEXT.filter(lambda text: bool(text.strip()))
WORDS = st.from_regex(r"[a-zé]{1,6}( [a-z]{1,6}){0,3}", fullmatch=True)
IDENTIFIER = st.from_regex(r"[A-Za-z0-9:_-]{1,8}", fullmatch=True)
PATH = st.from_regex(r"[a-z0-9_]{1,8}(/[a-z0-9_]{1,8}){0,2}\.[a-z]{1,4}", fullmatch=True)
GRADE = st.integers(1, 100)
REPOSITORY = st.sampled_from(["", "flask"])
FILE = st.builds(Target, st.just("file"), path=PATH, grade=GRADE, repository=REPOSITORY)
SYMBOL = st.builds(Target, st.just("symbol"), symbol=PATH, grade=GRADE, repository=REPOSITORY)
LINES = st.tuples(st.integers(1, 999), st.integers(0, 99)).map(
    lambda drawn: {"start": drawn[0], "end": drawn[0] + drawn[1]}
)
CHARACTERS = st.tuples(st.integers(0, 999), st.integers(1, 99)).map(
    lambda drawn: {"start_character": drawn[0], "end_character": drawn[0] + drawn[1]}
)
BOTH = st.tuples(LINES, CHARACTERS).map(lambda drawn: drawn[0] | drawn[1])
SPAN = st.builds(
    lambda path, stretch, grade: Target("span", path=path, **stretch, grade=grade),
    PATH,
    LINES | CHARACTERS | BOTH,
    GRADE,
)
# One folder serves all examples: each writes all its files again.
IN_ONE_FOLDER = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def query(draw: st.DrawFn, targets: st.SearchStrategy[list[Target]], *, full: bool) -> Query:
    found = tuple(draw(targets))
    plain = Query(draw(IDENTIFIER), draw(SHOWN), found, negative=not found)
    if not full:
        return plain
    return replace(
        plain,
        category=draw(st.just("") | TEXT),
        difficulty=draw(st.just("") | TEXT),
        tags=tuple(draw(st.lists(TEXT, max_size=2))),
        notes=draw(st.just("") | TEXT),
    )


def several(one: st.SearchStrategy[Query]) -> st.SearchStrategy[list[Query]]:
    return st.lists(one, min_size=1, max_size=4, unique_by=lambda query: query.id)


def answered(one: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    return st.builds(
        lambda query, answer, must, forbidden: replace(
            query,
            expected_answer=answer,
            must_contain=tuple(must),
            forbidden=tuple(forbidden),
        ),
        one,
        st.just("") | TEXT,
        st.lists(TEXT, max_size=2),
        st.lists(TEXT, max_size=2),
    )


def in_order(*levels: st.SearchStrategy[Target]) -> st.SearchStrategy[list[Target]]:
    lists = st.tuples(*(st.lists(level, max_size=2) for level in levels))
    return lists.map(lambda found: [target for one in found for target in one])


def again(folder: Path, name: str, text: str) -> list[Query]:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return list(read_queries(folder / name))


@IN_ONE_FOLDER
@given(expected=several(answered(query(in_order(FILE, SYMBOL, SPAN), full=True))))
def test_query_sets(expected: list[Query], tmp_path: Path) -> None:
    assert again(tmp_path, "q.yaml", write_queries(expected)) == expected


@IN_ONE_FOLDER
@given(expected=several(answered(query(in_order(FILE, SPAN), full=True))))
def test_golden_sets(expected: list[Query], tmp_path: Path) -> None:
    assert again(tmp_path, "golden.jsonl", write_golden(expected)) == expected


@IN_ONE_FOLDER
@given(expected=several(query(in_order(SPAN), full=True)))
def test_span_lines(expected: list[Query], tmp_path: Path) -> None:
    assert again(tmp_path, "spans.jsonl", write_span_lines(expected)) == expected


@IN_ONE_FOLDER
@given(expected=query(in_order(SYMBOL), full=True))
def test_tiered_tasks(expected: Query, tmp_path: Path) -> None:
    expected = replace(expected, id="task")

    assert again(tmp_path, "task.yaml", write_task(expected)) == [expected]


DOCUMENTS = st.dictionaries(PATH, SHOWN, min_size=1, max_size=4)
PLAIN_DOCUMENTS = st.dictionaries(PATH, WORDS, min_size=1, max_size=4)


@st.composite
def collections(
    draw: st.DrawFn, texts: st.SearchStrategy[str]
) -> tuple[Documents, tuple[Query, ...]]:
    documents = Documents.of(list(draw(DOCUMENTS).items()))
    known = st.sampled_from(documents.paths)
    files = st.lists(
        st.builds(Target, st.just("file"), path=known, grade=GRADE),
        max_size=3,
        unique_by=lambda target: target.path,
    ).map(lambda found: sorted(found, key=lambda target: target.path))
    queries = draw(several(query(files, full=False)))
    return documents, tuple(replace(one, text=draw(texts)) for one in queries)


def assert_same(expected: Documents, found: Documents) -> None:
    assert found.paths == expected.paths
    assert np.array_equal(found.content, expected.content)


@IN_ONE_FOLDER
@given(collection=collections(SHOWN))
def test_beir_folders(collection: tuple[Documents, tuple[Query, ...]], tmp_path: Path) -> None:
    documents, queries = collection
    judgements = resolve(queries, documents, find_symbols(documents))

    write_beir(tmp_path, queries, documents, judgements)

    assert read_queries(tmp_path) == queries
    assert_same(documents, read_corpus(tmp_path))


@IN_ONE_FOLDER
@given(collection=collections(WORDS))
def test_trec_folders(collection: tuple[Documents, tuple[Query, ...]], tmp_path: Path) -> None:
    documents, queries = collection
    judgements = resolve(queries, documents, find_symbols(documents))

    write_trec(tmp_path, queries, documents, judgements)

    assert read_queries(tmp_path) == queries
    assert_same(documents, read_corpus(tmp_path))


@st.composite
def about_lines(draw: st.DrawFn) -> tuple[str, list[Query]]:
    lines = [*draw(st.lists(WORDS | st.just(""), min_size=1, max_size=6)), "end"]
    span = st.tuples(st.integers(1, len(lines)), st.integers(1, len(lines))).map(
        lambda ends: Target("span", path="t.md", start=min(ends), end=max(ends))
    )
    queries = draw(several(query(st.lists(span, max_size=2, unique=True), full=False)))
    return "".join(f"{line}\n" for line in lines), queries


@IN_ONE_FOLDER
@given(case=about_lines())
def test_character_spans(case: tuple[str, list[Query]], tmp_path: Path) -> None:
    text, expected = case
    (tmp_path / "t.md").write_text(text, encoding="utf-8", newline="")
    path = tmp_path / "questions.csv"
    documents = Documents.of([("t.md", text)])

    write_characters(expected, documents, "t.md", path)
    found = list(read_queries(path))
    write_characters(found, documents, "t.md", path)

    assert [on_lines(one) for one in found] == expected
    assert list(read_queries(path)) == found
    lines = resolve(expected, documents, find_symbols(documents))
    characters = resolve(found, documents, find_symbols(documents))
    assert np.array_equal(
        [lines.start_byte, lines.end_byte], [characters.start_byte, characters.end_byte]
    )


def on_lines(query: Query) -> Query:
    """Return a query whose targets are lines."""
    return replace(query, targets=tuple(one.on_lines for one in query.targets))


def test_a_format_that_cannot_hold_a_target_says_so() -> None:
    symbol = Query("q", "?", (Target("symbol", symbol="a.b"),))
    file = Query("q", "?", (Target("file", path="a"),))

    for write, one in ((write_golden, symbol), (write_span_lines, file)):
        with pytest.raises(FixtureError, match="cannot hold; write a query set"):
            write([one])
    with pytest.raises(FixtureError, match="a task cannot hold"):
        write_task(file)


def test_finer_targets_are_written_as_their_documents(tmp_path: Path) -> None:
    documents = Documents.of([("a b.py", "def f(): ...\n"), ("c.py", "x = 1\n")])
    symbols = find_symbols(documents)
    queries = (
        Query("q 1", "?", (Target("symbol", symbol="f", grade=2),)),
        Query("n", "?", negative=True),
        Query("s", "?", (Target("span", path="c.py", start=1, end=1),)),
    )

    write_qrels(tmp_path / "qrels", queries, documents, resolve(queries, documents, symbols))

    assert (tmp_path / "qrels").read_text("utf-8").splitlines() == [
        "q%201 0 a%20b.py 2",
        "n 0 a%20b.py 0",
        "s 0 c.py 1",
    ]


def test_another_library_reads_the_run_as_it_was_written(tmp_path: Path) -> None:
    rows = [RunRow("q1", "d 1", 2.5), RunRow("q1", "d2", 0.1), RunRow("q2", "d1", -1)]

    write_run(rows, tmp_path / "run")

    found = list(ir_measures.read_trec_run(str(tmp_path / "run")))  # type: ignore[no-untyped-call]
    assert [(one.query_id, one.doc_id, one.score) for one in found] == [
        ("q1", "d%201", 2.5),
        ("q1", "d2", 0.1),
        ("q2", "d1", -1.0),
    ]
    first = (tmp_path / "run").read_text("utf-8").splitlines()[1]
    assert first == "q1 Q0 d2 2 0.1 rankgrid"


def test_numbered_chunks_mean_their_places_in_the_chunk_map(tmp_path: Path) -> None:
    documents = Documents.of([("a.md", "one\ntwo\nthree\n")])
    ends = {"start_byte": [0, 4], "end_byte": [8, 14], "start_token": [0, 0], "end_token": [0, 0]}
    lines = {"document": [0, 0], "start_line": [1, 2], "end_line": [2, 3]}
    columns: dict[str, Any] = {
        name: np.array(found, np.int32) for name, found in {**ends, **lines}.items()
    }
    question = {
        "id": 1,
        "question": "q",
        "expected_chunks": [1, {"path": "b", "start": 1, "end": 1}],
    }
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(question) + "\n", encoding="utf-8")
    chunk_map = write_chunk_map(Chunks(**columns), documents)
    (tmp_path / "elsewhere.json").write_text(chunk_map, encoding="utf-8")

    (told,) = read_queries(path, chunks=tmp_path / "elsewhere.json")
    (tmp_path / "golden.chunks.json").write_text(chunk_map, encoding="utf-8")
    (beside,) = read_queries(tmp_path)

    assert told == beside
    assert told.targets == (
        Target("span", path="a.md", start=2, end=3, start_character=4, end_character=14),
        Target("span", path="b", start=1, end=1),
    )


WRONG_MAPS = {
    "a number it lacks": ('{"1": {"path": "a", "start": 1, "end": 1}}', "jsonl:1: chunk 7 is not"),
    "bad JSON": ('{\n"7": }', "chunks.json:2: is not valid JSON"),
    "a list": ("[]", "chunks.json:1: a chunk map must be a mapping"),
    "a backwards span": ('{"7": {"path": "a", "start": 2, "end": 1}}', "chunks.json:1: a span"),
    "no lines": ('{"7": {"path": "a"}}', "chunks.json:1: a span lacks the field 'start'"),
}


@pytest.mark.parametrize(("chunk_map", "words"), WRONG_MAPS.values(), ids=WRONG_MAPS.keys())
def test_a_wrong_chunk_map_is_one_line(tmp_path: Path, chunk_map: str, words: str) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"id": 1, "question": "q", "expected_chunks": [7]}\n', encoding="utf-8")
    (tmp_path / "golden.chunks.json").write_text(chunk_map, encoding="utf-8")

    with pytest.raises(FixtureError) as caught:
        read_queries(path)

    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_what_an_answer_must_say_is_kept_and_tells_queries_apart(tmp_path: Path) -> None:
    line = {
        "id": 1,
        "question": "q",
        "expected_doc_ids": ["a"],
        "expected_answer": "42",
        "must_contain": ["4"],
        "forbidden": ["5"],
    }

    (found,) = again(tmp_path, "golden.jsonl", json.dumps(line))

    assert (found.expected_answer, found.must_contain, found.forbidden) == ("42", ("4",), ("5",))
    assert found != replace(found, forbidden=())
