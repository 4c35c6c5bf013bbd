"""Folders as people have them: one text needs no column, markup is read, a near miss is named."""

import json
from pathlib import Path

import pytest

from bench.errors import FixtureError
from bench.queries import Query, find_corpus, read_corpus, read_queries

TEXT = "Bees keep a diary in wax.\n"
SPAN = json.dumps([{"start_index": 12, "end_index": 17}]).replace('"', '""')
DOCUMENTS = """\
<DOC>
<DOCNO> FT911-1 </DOCNO>
<DATE>910514</DATE>
<HEADLINE>
Bees &amp; wax
</HEADLINE>
<TEXT>
Bees keep a <b>diary</b>.
</TEXT>
<TEXT>In wax.</TEXT>
</DOC>
<doc><docno>FT911-2</docno>
All of <i>this</i> is text.
</doc>
"""
TOPICS = """\
<top>
<num> Number: 301
<title> Bees &amp; diaries

<desc> Description: what bees write
</top>
"""
TOPICS_BY_ATTRIBUTE = """\
<topics>
<topic number="301"><query>bees and diaries</query><question>what do bees write</question></topic>
</topics>
"""


def questions(
    folder: Path, *texts: str, head: str = "question,references", more: str = ""
) -> Path:
    """Write texts and a CSV of one question."""
    for name in texts:
        (folder / name).write_text(TEXT, encoding="utf-8")
    rows = f'{head}\nwhat do bees keep,"{SPAN}"{more}\n'
    (folder / "questions.csv").write_text(rows, encoding="utf-8")
    return folder


def spans(folder: Path) -> list[tuple[str, int, int]]:
    """Return the places of the targets of a folder's first question."""
    query = read_queries(folder)[0]
    return [(one.path, one.start_character, one.end_character) for one in query.targets]


def read(folder: Path) -> None:
    """Read a collection."""
    find_corpus(folder)
    read_queries(folder)


def refusal(folder: Path) -> str:
    """Return the line that refuses a folder as a collection."""
    with pytest.raises(FixtureError) as refused:
        read(folder)
    assert "\n" not in refused.value.message
    return refused.value.message.removeprefix(f"{folder}").removeprefix(": ")


def test_questions_about_one_text_need_no_column_for_it(tmp_path: Path) -> None:
    folder = questions(tmp_path, "bees.txt")

    assert find_corpus(folder).format == "characters"
    assert spans(folder) == [("bees.txt", 12, 17)]


def test_a_file_named_like_a_text_is_about_that_text(tmp_path: Path) -> None:
    questions(tmp_path, "bees.md", "clocks.md")
    (tmp_path / "questions.csv").rename(tmp_path / "clocks.csv")

    assert spans(tmp_path) == [("clocks.md", 12, 17)]


def test_several_texts_need_the_column_and_each_counts_its_own_characters(tmp_path: Path) -> None:
    folder = questions(tmp_path, "bees.md", "clocks.md")

    assert refusal(folder) == (
        "/questions.csv:2: lacks the column 'corpus_id', which names the text of each question,"
        " as there are several or none (bees.md, clocks.md); add it"
    )
    questions(folder, head="question,references,corpus_id", more=",clocks")
    assert spans(folder) == [("clocks.md", 12, 17)]


def trec(
    folder: Path, *, topics: str = TOPICS, docs: str = DOCUMENTS, name: str = "docs.trec"
) -> Path:
    """Write a TREC folder in markup."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(docs, encoding="utf-8")
    (folder / "topics.xml").write_text(topics, encoding="utf-8")
    (folder / "qrels.txt").write_text("301 0 FT911-1 1\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["docs.trec", "docs", "docs/ft911.sgml", "FT911_1"])
def test_documents_in_markup_are_read(tmp_path: Path, name: str) -> None:
    folder = trec(tmp_path, name=name)

    documents = read_corpus(folder)

    assert find_corpus(folder).format == "trec"
    assert documents.paths == ("FT911-1", "FT911-2")
    assert documents.text(0) == "Bees & wax Bees keep a diary.\nIn wax."
    assert documents.text(1) == "All of this is text."


@pytest.mark.parametrize(
    ("topics", "asked"),
    [(TOPICS, "Bees & diaries"), (TOPICS_BY_ATTRIBUTE, "bees and diaries")],
)
def test_topics_in_markup_are_read(tmp_path: Path, topics: str, asked: str) -> None:
    (query,) = read_queries(trec(tmp_path, topics=topics))

    assert (query.id, query.text) == ("301", asked)
    assert isinstance(query, Query)
    assert [target.path for target in query.targets] == ["FT911-1"]


@pytest.mark.parametrize(
    ("docs", "said"),
    [
        ("<DOC><TEXT>x</TEXT></DOC>", "docs.trec:1: a document lacks <DOCNO>; add it"),
        ("<DOC><DOCNO> </DOCNO></DOC>", "docs.trec:1: a document lacks <DOCNO>; add it"),
        (f"{DOCUMENTS}<DOC>", "docs.trec:15: a document is not closed; add </DOC>"),
        (DOCUMENTS * 2, "docs.trec:15: document id 'FT911-1' is taken by"),
    ],
)
def test_wrong_markup_is_one_line_with_its_place(tmp_path: Path, docs: str, said: str) -> None:
    with pytest.raises(FixtureError) as refused:
        read_corpus(trec(tmp_path, docs=docs))

    assert said in refused.value.message


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ("<topic><query>x</query></topic>", "a topic lacks <num> or <title>"),
        ('<topic number="1"><query>x</query>', "a topic is not closed"),
    ],
)
def test_wrong_topics_are_one_line_with_their_place(
    tmp_path: Path, topics: str, said: str
) -> None:
    with pytest.raises(FixtureError, match=f"topics.xml:1: {said}"):
        read_queries(trec(tmp_path, topics=topics))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["corpus.jsonl"], "is nearly a BEIR folder but lacks queries.jsonl and qrels"),
        (["queries.jsonl", "qrels"], "is nearly a BEIR folder but lacks corpus.jsonl; add"),
        (["docs.jsonl", "qrels.txt"], "is nearly a TREC folder but lacks topics.*; add"),
        (
            ["topics.tsv"],
            "is nearly a TREC folder but lacks docs.jsonl (or files that begin with <DOC>)",
        ),
        (["docs", "qrels"], "holds no corpus; give a folder with"),
        ([], "holds no corpus; give a folder with"),
    ],
)
def test_a_near_miss_names_the_format_and_what_is_missing(
    tmp_path: Path, files: list[str], said: str
) -> None:
    for name in files:
        (tmp_path / name).write_text("{}\n", encoding="utf-8")

    assert refusal(tmp_path).startswith(said)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("questoin,references", "questions.csv lacks the column 'question' of character spans"),
        ("questoin,references", "; rename 'questoin'"),
        ("question,answer", "questions.csv lacks the column 'references' of character spans"),
        ("question,answer", "question, references and, where there are several texts, corpus_id"),
    ],
)
def test_a_near_miss_names_the_missing_column(tmp_path: Path, head: str, said: str) -> None:
    assert said in refusal(questions(tmp_path, "bees.md", head=head))


def test_a_table_of_something_else_is_no_near_miss(tmp_path: Path) -> None:
    assert refusal(questions(tmp_path, "bees.md", head="price,weight")).startswith(
        "holds no corpus"
    )
