"""Parquet tables of queries: our own, those of others, and such that are wrong."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.errors import FixtureError
from bench.queries import Entry, Query, Target, read_entries, read_queries, write_table
from bench.queries.located import Place
from bench.queries.query import JudgedPlace

SPAN = {"level": "span", "path": "a.py", "start": 2, "end": 3}
ROW: dict[str, Any] = {"id": "a", "text": "q", "targets": [SPAN]}
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def table(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "q.parquet"
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FixtureError) as caught:
        read_queries(path)
    message = caught.value.message
    assert "\n" not in message
    return message


def test_what_is_written_is_read_again_in_every_field(tmp_path: Path) -> None:
    targets = (
        Target("file", path="a.py", grade=2, repository="shop"),
        Target("symbol", symbol="a.B", grade=3, alternative=1),
        Target("span", path="a.py", start=2, end=3, grade=3, alternative=1),
    )
    query = Query(
        *("q", "what?", targets, False),
        category="usage",
        difficulty="easy",
        tags=("one", "two"),
        notes="n",
        expected_answer="42",
        must_contain=("4",),
        forbidden=("5", "6"),
    )
    place = Place(str(tmp_path / "q.parquet"), 1)
    hidden = (Target("file", path="test_a.py"), Target("span", path="a.py", start=4, end=5))
    judged = (
        JudgedPlace(Target("symbol", symbol="a.py::B"), relevant=True, by="me", date="2026-01-02"),
        JudgedPlace(
            Target("span", path="a.py", start=4, end=5), relevant=False, text="0123456789ab"
        ),
    )
    entry = Entry(
        *(query, "shop", place, "parquet", COMMIT),
        draft=True,
        generated=True,
        hidden=hidden,
        judged=judged,
    )

    write_table([entry], tmp_path / "q.parquet")

    assert read_entries(tmp_path / "q.parquet") == (entry,)


def test_a_table_that_another_program_wrote_may_leave_out_what_says_nothing(
    tmp_path: Path,
) -> None:
    path = table(
        tmp_path,
        {**ROW, "category": None, "negative": None},
        {"id": "b", "text": "r", "negative": True},
    )

    asked, negative = read_queries(path)

    assert asked == Query("a", "q", (Target("span", path="a.py", start=2, end=3),))
    assert negative == Query("b", "r", negative=True)


def test_a_folder_may_hold_tables(tmp_path: Path) -> None:
    table(tmp_path, ROW)

    assert [query.id for query in read_queries(tmp_path)] == ["a"]


def test_issues_in_a_table_are_read_as_in_json_lines(tmp_path: Path) -> None:
    patch = "--- a/s.py\n+++ b/s.py\n@@ -3,1 +3,1 @@\n-x\n+y\n"
    issue = {
        "instance_id": "shop-1",
        "repo": "someone/shop",
        "base_commit": COMMIT,
        "problem_statement": "x is wrong",
        "patch": patch,
        "hints_text": None,
    }

    (entry,) = read_entries(table(tmp_path, issue))

    assert (entry.form, entry.commit) == ("issues", COMMIT)
    assert entry.query.targets == (
        Target("file", path="s.py"),
        Target("span", path="s.py", start=3, end=3),
    )


def test_golden_questions_in_a_table_are_read_as_in_json_lines(tmp_path: Path) -> None:
    place = {"path": "a.py", "start": 2, "end": 3}

    (query,) = read_queries(
        table(tmp_path, {"id": 7, "question": "q", "expected_chunks": [place]})
    )

    assert query == Query("7", "q", (Target("span", path="a.py", start=2, end=3),))


EVEN = {**SPAN, "alternative": 1}
WRONG_ROWS = {
    "an unknown field": ({**ROW, "labels": "x"}, ":2:", "unknown field 'labels'"),
    "a wrong type": ({**ROW, "text": 7}, ":2:", "put it in quotes"),
    "a line that is text": ({**ROW, "targets": [{**SPAN, "start": "2"}]}, ":2:", "whole number"),
    "a level of nothing": ({**ROW, "targets": [{**SPAN, "level": "word"}]}, ":2:", "'word'"),
    "a target without a place": ({**ROW, "targets": [{"level": "file"}]}, ":2:", "'path'"),
    "an unknown field of a target": (
        {**ROW, "targets": [{**SPAN, "line": 1}]},
        ":2:",
        "unknown field 'line'",
    ),
    "targets that are text": ({**ROW, "targets": "a.py"}, ":2:", "must be a list"),
    "a path upwards": ({**ROW, "targets": [{**SPAN, "path": "../a"}]}, ":2:", "contains '..'"),
    "a backwards span": ({**ROW, "targets": [{**SPAN, "end": 1}]}, ":2:", "not above end"),
    "half a commit": ({**ROW, "commit": "abc1234"}, ":2:", "not a whole commit hash"),
    "no targets": ({**ROW, "targets": None}, ":2:", "has no targets"),
    "no id": ({**ROW, "id": None}, ":2:", "'id'"),
    "uneven alternatives": (
        {**ROW, "targets": [EVEN, {**EVEN, "path": "b.py", "grade": 2}]},
        ":2:",
        "differ in grade",
    ),
}


@pytest.mark.parametrize(("row", "place", "words"), WRONG_ROWS.values(), ids=WRONG_ROWS.keys())
def test_a_wrong_row_is_one_line_with_its_number(
    tmp_path: Path, row: dict[str, Any], place: str, words: str
) -> None:
    first = dict.fromkeys(row) | {"id": None}
    good = table(tmp_path, row).rename(tmp_path / "wrong.parquet")
    wrong = pq.read_table(good)
    both = pa.concat_tables([pa.Table.from_pylist([first], wrong.schema), wrong])
    pq.write_table(both, tmp_path / "q.parquet")

    faults: list[Any] = []
    read_entries(tmp_path / "q.parquet", faults=faults)

    message = faults[-1].error.message
    assert message.startswith(f"{tmp_path}/q.parquet{place}")
    assert words in message
    assert "\n" not in message


def test_ids_that_stand_twice_are_refused(tmp_path: Path) -> None:
    assert "q.parquet:2: query id 'a' is taken by" in refusal(table(tmp_path, ROW, ROW))


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path, ROW)
    pq.write_table(pq.read_table(path).slice(0, 0), path)

    assert "holds no queries" in refusal(path)


def test_what_is_no_table_or_torn_is_refused(tmp_path: Path) -> None:
    torn, text = table(tmp_path, ROW), tmp_path / "text.parquet"
    torn.write_bytes(torn.read_bytes()[:-20])
    text.write_text("queries: []\n", encoding="utf-8")

    assert "is not a table that can be read" in refusal(torn)
    assert "is not a table that can be read" in refusal(text)
    assert "no such file" in refusal(tmp_path / "absent.parquet")


def test_text_that_is_not_utf_8_is_named_with_its_row(tmp_path: Path) -> None:
    broken = pa.array([b"a", b"\xff"]).cast(pa.string(), safe=False)
    columns = {"id": broken, "text": ["q", "r"], "negative": [True, True]}
    pq.write_table(pa.table(columns), tmp_path / "q.parquet")

    assert "q.parquet:2: holds text that is not UTF-8" in refusal(tmp_path / "q.parquet")


def test_a_table_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    with path.open("wb") as file:
        file.truncate(100_000_001)

    assert "larger than 100 MB" in refusal(path)


def test_a_small_table_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    text = pa.array(["x" * 60_000_000]).dictionary_encode()
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 20, pa.int8()), text.dictionary)
    ids = [str(number) for number in range(20)]
    plain = pa.table({"id": ids, "text": column.cast(pa.large_string())})
    pq.write_table(plain, path, compression="zstd", use_dictionary=False)

    assert path.stat().st_size < 10_000_000
    assert "unpacks to more than 1 GB" in refusal(path)
