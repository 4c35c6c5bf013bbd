"""Whatever the format, a file that is wrong is one line that names it: nothing is guessed."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.errors import FixtureError
from bench.queries import read_queries

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PATCH = "--- a/s.py\n+++ b/s.py\n@@ -3,1 +3,1 @@\n-x\n+y\n"
SPAN = {"path": "a.py", "start": 1, "end": 2}


@dataclass(frozen=True)
class Form:
    """A format: its file of queries, two of them, and what lies beside it."""

    name: str
    records: tuple[str, str]
    head: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    is_folder: bool = False

    def written(self, folder: Path, *, records: tuple[str, ...] | None = None) -> Path:
        """Write it; return what is read."""
        for name, text in self.beside:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        lines = "".join(self.records if records is None else records)
        self.file(folder).write_text(self.head + lines, encoding="utf-8")
        return folder if self.is_folder else self.file(folder)

    def file(self, folder: Path) -> Path:
        """Return where the queries are."""
        return folder / self.name


def lines(*records: dict[str, object]) -> tuple[str, str]:
    first, second = (json.dumps(record) + "\n" for record in records)
    return first, second


def issue(name: str) -> dict[str, object]:
    about = {"instance_id": name, "repo": "s/hop", "base_commit": COMMIT}
    return {**about, "problem_statement": f"{name} fails", "patch": PATCH}


FORMS = {
    "a query set": Form(
        "set.yaml",
        ("- {id: a, query: q, negative: true}\n", "- {id: b, query: r, negative: true}\n"),
        head="queries:\n",
    ),
    "a task": Form("task.yaml", ("task: t\n", "ground_truth: [a.B]\n")),
    "a golden set": Form(
        "golden.jsonl",
        lines(
            {"id": "a", "question": "q", "expected_chunks": []},
            {"id": "b", "question": "r", "expected_chunks": [SPAN]},
        ),
    ),
    "spans": Form(
        "spans.jsonl",
        lines(
            {"id": "a", "query": "q", "expected_spans": [SPAN]},
            {"id": "b", "query": "r", "expected_spans": [SPAN]},
        ),
    ),
    "issues": Form("issues.jsonl", lines(issue("a"), issue("b"))),
    "BEIR's queries": Form(
        "queries.jsonl",
        lines({"_id": "a", "text": "q"}, {"_id": "b", "text": "r"}),
        beside=(
            ("corpus.jsonl", '{"_id": "d", "text": "t"}\n'),
            ("qrels/test.tsv", "query-id\tcorpus-id\tscore\na\td\t1\nb\td\t1\n"),
        ),
        is_folder=True,
    ),
    "BEIR's judgements": Form(
        "qrels/test.tsv",
        ("a\td\t1\n", "b\td\t1\n"),
        head="query-id\tcorpus-id\tscore\n",
        beside=(
            ("corpus.jsonl", '{"_id": "d", "text": "t"}\n'),
            ("queries.jsonl", '{"_id": "a", "text": "q"}\n{"_id": "b", "text": "r"}\n'),
            ("qrels/test.tsv", ""),
        ),
        is_folder=True,
    ),
    "TREC's topics": Form(
        "topics.tsv",
        ("a\tq\n", "b\tr\n"),
        beside=(
            ("docs.jsonl", '{"id": "d", "text": "t"}\n'),
            ("qrels.txt", "a 0 d 1\nb 0 d 1\n"),
        ),
        is_folder=True,
    ),
    "TREC's judgements": Form(
        "qrels.txt",
        ("a 0 d 1\n", "b 0 d 1\n"),
        beside=(("docs.jsonl", '{"id": "d", "text": "t"}\n'), ("topics.tsv", "a\tq\nb\tr\n")),
        is_folder=True,
    ),
    "character spans": Form(
        "questions.csv",
        ('a,q,"[{""start"": 0, ""end"": 3}]",notes\n', "b,r,[],notes\n"),
        head="id,question,references,corpus_id\n",
        beside=(("corpora/notes.md", "one\n"),),
    ),
}
SINGLE = ("a task",)
JUDGED = ("BEIR's judgements", "TREC's judgements")
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
several = pytest.mark.parametrize(
    "form",
    [form for name, form in FORMS.items() if name not in (*SINGLE, *JUDGED)],
    ids=[name for name in FORMS if name not in (*SINGLE, *JUDGED)],
)


def refusal(path: Path) -> str:
    with pytest.raises(FixtureError) as caught:
        read_queries(path)
    message = caught.value.message
    assert "\n" not in message
    return message


@each_form
def test_a_file_in_order_is_read(form: Form, tmp_path: Path) -> None:
    assert len(read_queries(form.written(tmp_path))) in (1, 2)


@each_form
def test_bytes_that_are_not_utf_8_are_named_with_their_line(form: Form, tmp_path: Path) -> None:
    place, file = form.written(tmp_path), form.file(tmp_path)
    line = file.read_bytes().count(b"\n") + 1
    file.write_bytes(file.read_bytes() + b"caf\xe9\n")

    assert refusal(place).startswith(f"{file}:{line}: byte 0xe9 is not UTF-8; save")


@each_form
def test_an_absent_file_is_named(form: Form, tmp_path: Path) -> None:
    place = form.written(tmp_path)
    form.file(tmp_path).unlink()

    message = refusal(place)

    # Without one of its files a folder is not a collection any more, but holds files of queries.
    assert form.name in message or str(tmp_path) in message
    assert ";" in message


@several
def test_a_file_without_queries_is_refused(form: Form, tmp_path: Path) -> None:
    message = refusal(form.written(tmp_path, records=()))

    assert str(tmp_path) in message
    assert ";" in message


@several
def test_an_id_that_stands_twice_is_named_with_both_lines(form: Form, tmp_path: Path) -> None:
    first, second = form.records
    place = form.written(tmp_path, records=(first, second, first))
    file, line = form.file(tmp_path), form.head.count("\n") + 1

    message = refusal(place)

    assert message.startswith(f"{file}:{line + 2}: query id 'a' ")
    assert f"{file}:{line}" in message


@each_form
@pytest.mark.parametrize(
    "size", [100_000_000, 100_000_001], ids=["at the limit", "above the limit"]
)
def test_a_file_of_100_mb_that_says_nothing_is_refused(
    form: Form, size: int, tmp_path: Path
) -> None:
    place, file = form.written(tmp_path), form.file(tmp_path)
    with file.open("r+b") as written:
        written.truncate(size)

    message = refusal(place)

    assert message.startswith(str(file))
    assert ";" in message


def spoiled(old: str, new: str) -> Callable[[Form], tuple[str, ...]]:
    def records(form: Form) -> tuple[str, ...]:
        first, second = form.records
        assert old in second
        return first, second.replace(old, new)

    return records


SPOILED = [
    ("a query set", ", query: r", ", query: [r", "is not valid YAML"),
    ("a query set", "query: r", "qurey: r", "did you mean 'query'"),
    ("a query set", "query: r", "query: 7", "put it in quotes"),
    ("a task", "ground_truth: [a.B]", "ground_truth: [a.B", "is not valid YAML"),
    ("a task", "ground_truth", "ground_thruth", "did you mean 'ground_truth'"),
    ("a task", "[a.B]", "{a.B: 1}", "must be a list"),
    ("a golden set", "[{", "[{{", "is not valid JSON"),
    ("a golden set", '"question"', '"qestion"', "did you mean 'question'"),
    ("a golden set", '"r"', "7", "put it in quotes"),
    ("spans", "]}", "}", "is not valid JSON"),
    ("spans", '"start"', '"begin"', "unknown field 'begin'"),
    ("spans", '"end": 2', '"end": "2"', "must be a whole number"),
    ("issues", '"repo"', "repo", "is not valid JSON"),
    ("issues", '"b fails"', "7", "put it in quotes"),
    ("issues", COMMIT, "abc", "is not a whole commit hash"),
    ("issues", "@@ -3,1", "@@ three", "the patch of 'b' is wrong"),
    ("BEIR's queries", '"r"}', '"r"', "is not valid JSON"),
    ("BEIR's queries", '"text": "r"', '"text": 7', "put it in quotes"),
    ("BEIR's judgements", "\t1", "\tone", "is not a whole number"),
    ("BEIR's judgements", "b\td\t1", "b\td", "has 2 columns, not 3"),
    ("TREC's topics", "b\tr", "b r", "an id, a tab and a text"),
    ("TREC's judgements", "0 d 1", "0 d one", "is not a whole number"),
    ("TREC's judgements", "b 0 d 1", "b d 1", "has 3 columns, not 4"),
    ("character spans", "[]", '"[{]"', "is not valid JSON"),
    ("character spans", "[]", "7", "must be a list"),
    ("character spans", ",notes", "", "has 3 columns, not 4"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "words"), SPOILED, ids=[f"{one[0]}: {one[3]}" for one in SPOILED]
)
def test_what_is_wrong_in_the_second_record_is_named_with_its_line(
    name: str, old: str, new: str, words: str, tmp_path: Path
) -> None:
    form = FORMS[name]
    place = form.written(tmp_path, records=spoiled(old, new)(form))
    line = form.head.count("\n") + 2

    message = refusal(place)

    # A bracket that is not closed is noticed where the file ends.
    assert message.startswith(
        (f"{form.file(tmp_path)}:{line}:", f"{form.file(tmp_path)}:{line + 1}:")
    )
    assert words in message


def test_a_table_of_text_at_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"id": ["a"], "text": ["q"], "negative": [True]}), path)
    with path.open("r+b") as written:
        written.truncate(100_000_000)

    assert "is not a table that can be read" in refusal(path)
