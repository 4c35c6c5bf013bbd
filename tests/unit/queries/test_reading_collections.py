"""What is made of BEIR and TREC folders and of character spans, and of such that are wrong."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from bench.errors import FixtureError
from bench.queries import (
    CorpusFolder,
    Query,
    Target,
    corpus_format,
    find_corpus,
    read_corpus,
    read_queries,
)

QRELS = "query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t1\nq2\td1\t0\n"
CORPUS = (
    '{"_id": "d2", "title": "Bees", "text": "They dance.", "metadata": {}}\n'
    '{"_id": "d1", "title": "", "text": "Nothing."}\n'
)
QUERIES = (
    '{"_id": "q2", "text": "what is not there"}\n'
    '{"_id": "q1", "text": "how do they talk"}\n'
    '{"_id": "q9", "text": "judged in the train split only"}\n'
)
TOPICS = """<top>
<num> Number: 301
<title> International
  crime

<desc> Description:
What?
</top>

<top>
<num> 302 </num>
<title>bees</title>
</top>
"""


def file(name: str, grade: int = 1) -> Target:
    return Target("file", path=name, grade=grade)


def beir(
    folder: Path, *, corpus: str = CORPUS, queries: str = QUERIES, qrels: str = QRELS
) -> Path:
    (folder / "qrels").mkdir()
    (folder / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    (folder / "queries.jsonl").write_text(queries, encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    return folder


def trec(folder: Path, *, topics: str = TOPICS, qrels: str = "301 0 a 1\n302 0 a 0\n") -> Path:
    (folder / "topics.txt").write_text(topics, encoding="utf-8")
    (folder / "qrels.txt").write_text(qrels, encoding="utf-8")
    (folder / "docs.jsonl").write_text('{"id": "a", "contents": "text"}\n', encoding="utf-8")
    return folder


TEXT = "one\nzwei drei\n\nfour ü five\n"


def characters(folder: Path, *, rows: str, head: str = "question,references,corpus_id") -> Path:
    (folder / "corpora").mkdir()
    (folder / "corpora" / "notes.md").write_text(TEXT, encoding="utf-8")
    (folder / "corpora" / "other.txt").write_text("unasked\n", encoding="utf-8")
    (folder / "questions.csv").write_text(f"{head}\n{rows}", encoding="utf-8")
    return folder


def row(*references: object, corpus: str = "notes", question: str = "which?") -> str:
    quoted = json.dumps(references).replace('"', '""')
    return f'{question},"{quoted}",{corpus}\n'


def refusal(folder: Path) -> str:
    with pytest.raises(FixtureError) as caught:
        read_queries(folder)
    message = caught.value.message
    assert "\n" not in message
    return message


def test_a_beir_folder_gives_documents_named_by_their_ids(tmp_path: Path) -> None:
    documents = read_corpus(beir(tmp_path))

    assert documents.paths == ("d1", "d2")
    assert [documents.text(0), documents.text(1)] == ["Nothing.", "Bees They dance."]


def test_a_beir_folder_gives_its_judged_queries_with_grades(tmp_path: Path) -> None:
    found = read_queries(beir(tmp_path))

    assert found == (
        Query("q2", "what is not there", negative=True),
        Query("q1", "how do they talk", (file("d2", 2), file("d1"))),
    )


def test_the_only_table_of_judgements_is_taken_whatever_its_name(tmp_path: Path) -> None:
    folder = beir(tmp_path)
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")

    assert len(read_queries(folder)) == 2


def test_trec_topics_are_read_by_their_titles(tmp_path: Path) -> None:
    found = read_queries(trec(tmp_path))

    assert found == (
        Query("301", "International crime", (file("a"),)),
        Query("302", "bees", negative=True),
    )
    assert read_corpus(tmp_path).text(0) == "text"


def test_trec_topics_may_be_a_table(tmp_path: Path) -> None:
    (query,) = read_queries(trec(tmp_path, topics="7\tbees \n8\tunjudged\n", qrels="7 Q0 a 3\n"))

    assert query == Query("7", "bees", (file("a", 3),))


def characters_of_notes(lines: tuple[int, int], start: int, end: int) -> Target:
    """Return a target as it is read: exact, and with its lines for people."""
    place = Target("span", path="notes.md", start=lines[0], end=lines[1])
    return replace(place, start_character=start, end_character=end)


def test_characters_are_kept_with_the_lines_they_touch(tmp_path: Path) -> None:
    rows = row({"start_index": 4, "end_index": 8}, {"start": 9, "end": 16})
    rows += row({"content": "ü", "start_index": 20, "end_index": 21})
    found = read_queries(characters(tmp_path, rows=rows + row()))

    first, second, third = found
    assert first.id == "questions-1"
    assert first.targets == (
        characters_of_notes((2, 2), 4, 8),
        characters_of_notes((2, 4), 9, 16),
    )
    assert second.targets == (characters_of_notes((4, 4), 20, 21),)
    assert third.negative


def test_a_break_belongs_to_the_line_that_it_ends(tmp_path: Path) -> None:
    (query,) = read_queries(characters(tmp_path, rows=row({"start": 0, "end": 4})))

    assert query.targets == (characters_of_notes((1, 1), 0, 4),)


def test_a_csv_file_is_read_alone_too(tmp_path: Path) -> None:
    folder = characters(tmp_path, rows=row({"start": 0, "end": 1}))

    assert read_queries(folder / "questions.csv") == read_queries(folder)


def test_all_texts_beside_the_questions_are_documents(tmp_path: Path) -> None:
    documents = read_corpus(characters(tmp_path, rows=row()))

    assert documents.paths == ("notes.md", "other.txt")


def test_links_are_no_documents(tmp_path: Path) -> None:
    folder = characters(tmp_path, rows=row())
    (folder / "corpora" / "link.md").symlink_to("/etc/hostname")

    assert read_corpus(folder).paths == ("notes.md", "other.txt")


def test_a_folder_is_known_by_what_lies_in_it(tmp_path: Path) -> None:
    for name in ("b", "t", "c", "nothing"):
        (tmp_path / name).mkdir()
    beir(tmp_path / "b")
    trec(tmp_path / "t")
    characters(tmp_path / "c", rows=row())

    assert [corpus_format(tmp_path / name) for name in ("b", "t", "c", "nothing", "absent")] == [
        "beir",
        "trec",
        "characters",
        None,
        None,
    ]
    assert find_corpus(tmp_path / "b") == CorpusFolder(str(tmp_path / "b"), "beir")
    with pytest.raises(FixtureError, match="holds no corpus"):
        find_corpus(tmp_path / "nothing")


def test_what_only_looks_like_questions_is_no_corpus_and_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xff\0\rquestion,references,corpus_id\n")
    (tmp_path / "b.csv").mkdir()
    os.mkfifo(tmp_path / "c.csv")

    assert corpus_format(tmp_path) is None


WRONG_BEIR = {
    "no heading": ({"qrels": "q1\td1\t1\n"}, "qrels/test.tsv:1:", "heading"),
    "too few columns": ({"qrels": QRELS + "q1\td1\n"}, "qrels/test.tsv:5:", "2 columns"),
    "a grade that is text": ({"qrels": QRELS + "q1\td3\thigh\n"}, "test.tsv:5:", "whole number"),
    "a grade too high": ({"qrels": QRELS + "q1\td3\t101\n"}, "test.tsv:5:", "above 100"),
    "two grades": ({"qrels": QRELS + "q1\td1\t3\n"}, "test.tsv:5:", "again, differently"),
    "an unknown query": ({"qrels": QRELS + "q7\td1\t1\n"}, "test.tsv:5:", "'q7'"),
    "bad JSON": ({"queries": "\n" + QUERIES + "{\n"}, "queries.jsonl:5:", "not valid JSON"),
    "a query without text": ({"queries": '{"_id": "q1"}\n'}, "queries.jsonl:1:", "'text'"),
    "a query without id": ({"queries": '{"text": "q"}\n'}, "queries.jsonl:1:", "'_id'"),
    "a query twice": ({"queries": QUERIES + QUERIES}, "queries.jsonl:4:", "is taken by"),
    "no queries": ({"queries": "", "qrels": QRELS.partition("q1")[0]}, "", "holds no queries"),
}


@pytest.mark.parametrize(("wrong", "place", "words"), WRONG_BEIR.values(), ids=WRONG_BEIR.keys())
def test_a_wrong_beir_folder_is_one_line_with_place(
    tmp_path: Path, wrong: dict[str, str], place: str, words: str
) -> None:
    message = refusal(beir(tmp_path, **wrong))

    assert place in message
    assert words in message


WRONG_CORPORA = {
    "an id twice": (CORPUS + CORPUS, ":3:", "is taken by"),
    "no id": ('{"text": "a"}\n', ":1:", "'_id'"),
    "no text": ('{"_id": "a"}\n', ":1:", "'text'"),
    "text that is a number": ('{"_id": "a", "text": 7}\n', ":1:", "must be text"),
    "bad JSON": (CORPUS + "nonsense\n", ":3:", "not valid JSON"),
    "a list": ("[]\n", ":1:", "must be a mapping"),
    "nothing": ("\n", ": ", "holds no documents"),
}


@pytest.mark.parametrize(("text", "place", "words"), WRONG_CORPORA.values(), ids=WRONG_CORPORA)
def test_a_wrong_corpus_is_one_line_with_place(
    tmp_path: Path, text: str, place: str, words: str
) -> None:
    with pytest.raises(FixtureError, match=words) as caught:
        read_corpus(beir(tmp_path, corpus=text))

    assert caught.value.message.startswith(f"{tmp_path}/corpus.jsonl{place}")


def test_documents_that_are_not_utf_8_are_named_with_their_line(tmp_path: Path) -> None:
    folder = beir(tmp_path)
    (folder / "corpus.jsonl").write_bytes(CORPUS.encode() + b'{"_id": "\xff"}\n')

    with pytest.raises(FixtureError, match=r"corpus\.jsonl:3: byte 0xff is not UTF-8"):
        read_corpus(folder)


def test_several_splits_without_a_test_split_are_an_error(tmp_path: Path) -> None:
    folder = beir(tmp_path)
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    (folder / "qrels" / "train.tsv").write_text(QRELS, encoding="utf-8")

    assert "no test.tsv but dev.tsv, train.tsv" in refusal(folder)


WRONG_TREC = {
    "a topic without a title": ({"topics": "<top>\n<num> 1\n</top>"}, "topics.txt:1:", "<title>"),
    "an open topic": ({"topics": TOPICS + "<top>\n"}, "topics.txt:14:", "not closed"),
    "a table without a tab": ({"topics": "301\tcrime\n302 bees\n"}, "topics.txt:2:", "a tab"),
    "three columns": ({"qrels": "301 a 1\n"}, "qrels.txt:1:", "3 columns, not 4"),
    "an unknown topic": ({"qrels": "\n1 0 a 1\n"}, "qrels.txt:2:", "'1'"),
    "a grade that is text": ({"qrels": "301 0 a x\n"}, "qrels.txt:1:", "whole number"),
}


@pytest.mark.parametrize(("wrong", "place", "words"), WRONG_TREC.values(), ids=WRONG_TREC.keys())
def test_a_wrong_trec_folder_is_one_line_with_place(
    tmp_path: Path, wrong: dict[str, str], place: str, words: str
) -> None:
    message = refusal(trec(tmp_path, **wrong))

    assert place in message
    assert words in message


WRONG_ROWS = {
    "after the end": (row({"start": 0, "end": 99}), ":2:", "notes.md, which has 27"),
    "nothing between": (row({"start": 3, "end": 3}), ":2:", "the end is not included"),
    "other content": (
        row({"start": 0, "end": 3, "content": "two"}),
        ":2:",
        "differs from the one that was annotated",
    ),
    "no end": (row({"start": 0}), ":2:", "lacks the field 'end'"),
    "not JSON": ("a,[{],notes\n", ":2:", "not valid JSON"),
    "not a list": ("a,7,notes\n", ":2:", "must be a list"),
    "an unknown corpus": (row(corpus="absent"), ":2:", "the files are notes.md, other.txt"),
    "a corpus upwards": (row(corpus="../corpora/notes.md"), ":2:", "is not a file here"),
    "a blank question": (row(question=" "), ":2:", "is blank"),
    "a column too many": (row() + "a,[],notes,more\n", ":3:", "4 columns, not 3"),
    "an open quote": (row() + 'a,"[],notes\n', ":3:", "not valid CSV"),
}


@pytest.mark.parametrize(("rows", "place", "words"), WRONG_ROWS.values(), ids=WRONG_ROWS.keys())
def test_wrong_character_spans_are_one_line_with_place(
    tmp_path: Path, rows: str, place: str, words: str
) -> None:
    message = refusal(characters(tmp_path, rows=rows))

    assert message.startswith(f"{tmp_path}/questions.csv{place}")
    assert words in message


def test_a_csv_file_without_the_columns_names_the_missing_one(tmp_path: Path) -> None:
    folder = characters(tmp_path, rows="", head="question,corpus_id")

    assert "lacks the column 'references'" in refusal(folder / "questions.csv")
