"""What is exported and imported again is the same; what cannot be kept is told."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.authoring.exchange import lost_fields
from bench.cli import main
from bench.cli.cutting import cut
from bench.queries import (
    FORMATS,
    Entry,
    Query,
    Target,
    read_corpus,
    read_entries,
    read_queries,
    write_golden,
    write_queries,
    written_format,
)
from bench.queries.located import Place
from bench.settings.chunking import parse_chunker
from retrievers.chunkers import token_ends
from retrievers.interface import Documents
from retrievers.source import find_symbols

TREE = {
    "a.md": "one\ntwo\nthree\n",
    "b.txt": "x\ny\n",
    "src/cart.py": "class Cart:\n    def total(self):\n        return 1\n\n\ndef add(): ...\n",
}
SYMBOLS = ("Cart", "Cart.total", "add")
SHOWN = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda text: bool(text.strip())
)
GRADE = st.integers(1, 100)
REPOSITORY = st.sampled_from(["", "shop"])
FILE = st.builds(
    Target, st.just("file"), path=st.sampled_from(list(TREE)), grade=GRADE, repository=REPOSITORY
)
SYMBOL = st.builds(Target, st.just("symbol"), symbol=st.sampled_from(SYMBOLS), grade=GRADE)
SPAN = st.builds(
    lambda path, start, more, grade: Target(
        "span", path=path, start=start, end=min(start + more, 2), grade=grade
    ),
    st.sampled_from(list(TREE)),
    st.integers(1, 2),
    st.integers(0, 1),
    GRADE,
)
TEXT_SPAN = SPAN.map(lambda target: replace(target, path="a.md", grade=1))
IN_ONE_FOLDER = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", *map(str, arguments)])
    return int(caught.value.code or 0)


@st.composite
def one_entry(
    draw: st.DrawFn, targets: Sequence[st.SearchStrategy[Target]], labels: bool, commit: bool
) -> Entry:
    found = [draw(st.lists(one, max_size=2, unique_by=_where)) for one in targets]
    flat = tuple(target for one in found for target in one)
    identifier = draw(st.from_regex(r"[a-z0-9-]{1,6}", fullmatch=True))
    query = Query(identifier, draw(SHOWN), flat, negative=not flat)
    entry = Entry(query, "", Place("", 1), "queries")
    if commit:
        entry = replace(entry, commit=draw(st.sampled_from(["", "0" * 40])))
    if not labels:
        return entry
    query = replace(
        query,
        category=draw(st.just("") | SHOWN),
        difficulty=draw(st.just("") | SHOWN),
        notes=draw(st.just("") | SHOWN),
        tags=tuple(draw(st.lists(SHOWN, max_size=2))),
    )
    return replace(entry, query=query, repository=draw(REPOSITORY), draft=draw(st.booleans()))


def entries(
    *targets: st.SearchStrategy[Target], labels: bool = True, commit: bool = False
) -> st.SearchStrategy[list[Entry]]:
    """Return sets whose queries have distinct targets of some kinds, in the formats' order."""
    one = one_entry(targets, labels, commit)
    return st.lists(one, min_size=1, max_size=3, unique_by=lambda one: one.query.id)


def _where(target: Target) -> tuple[object, ...]:
    return (target.level, target.path, target.symbol, target.start, target.end)


def said(found: Sequence[Entry]) -> dict[str, tuple[object, ...]]:
    """Return what entries say, whatever their file, order of targets and format."""
    return {
        one.query.id: (
            replace(one.query, targets=()),
            frozenset(one.query.targets),
            one.repository,
            one.commit,
            one.draft,
        )
        for one in found
    }


def tree(folder: Path) -> Path:
    for name, text in TREE.items():
        (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / name).write_text(text, encoding="utf-8")
    return folder / "tree"


def exported(folder: Path, expected: Sequence[Entry], form: str) -> Sequence[Entry]:
    """Export a set, import the result, and return it."""
    own, other, back = folder / "own.yaml", folder / "other", folder / "back.yaml"
    other = other.with_suffix(written_format(form, FORMATS)[0].suffix)
    own.write_text(write_queries(expected), encoding="utf-8", newline="")
    where = ("--repository", tree(folder))
    assert (
        command(
            *("export", own, *where, "--format", form),
            *("--output", other, "--include-drafts"),
        )
        == 0
    )
    assert command("import", other, "--output", back) == 0
    return read_entries(back)


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Make a new folder for each example, because nothing is overwritten."""
    return lambda: tmp_path_factory.mktemp("example")


@IN_ONE_FOLDER
@given(expected=entries(FILE, SYMBOL, SPAN))
def test_a_query_set_round_trips(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    assert said(exported(fresh(), expected, "queries")) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(FILE, SYMBOL, SPAN, commit=True))
def test_an_imported_query_set_keeps_its_commits(
    expected: list[Entry], fresh: Callable[[], Path]
) -> None:
    folder = fresh()
    own, back = folder / "own.yaml", folder / "back.yaml"
    own.write_text(write_queries(expected), encoding="utf-8", newline="")

    assert command("import", own, "--output", back) == 0

    assert said(read_entries(back)) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(SYMBOL))
def test_tasks_round_trip(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    assert said(exported(fresh(), expected, "tasks")) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(FILE, SPAN))
def test_a_golden_set_round_trips(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    assert said(exported(fresh(), expected, "golden")) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(SPAN))
def test_spans_round_trip(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    assert said(exported(fresh(), expected, "spans")) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(TEXT_SPAN, labels=False))
def test_character_spans_round_trip(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    found = exported(fresh(), expected, "characters")

    assert said([on_lines(one) for one in found]) == said(expected)
    assert lost_fields(expected, found) == {}


def on_lines(one: Entry) -> Entry:
    """Return an entry whose targets are lines."""
    targets = tuple(target.on_lines for target in one.query.targets)
    return replace(one, query=replace(one.query, targets=targets))


@pytest.mark.parametrize("form", ["beir", "trec"])
def test_whole_collections_round_trip(form: str, tmp_path: Path) -> None:
    files = (Target("file", path="a.md", grade=2), Target("file", path="b.txt"))
    queries = [Query("q1", "what is it", files), Query("q2", "what is it not", negative=True)]
    expected = [Entry(query, "", Place("", 1), "queries") for query in queries]

    found = exported(tmp_path, expected, form)

    assert said(found) == said(expected)
    corpus = read_corpus(tmp_path / "other")
    assert {path: corpus.text(n) for n, path in enumerate(corpus.paths)} == TREE


@IN_ONE_FOLDER
@given(expected=entries(FILE, SYMBOL, SPAN))
def test_a_table_round_trips(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    assert said(exported(fresh(), expected, "parquet")) == said(expected)


def test_topics_and_qrels_together_round_trip(tmp_path: Path) -> None:
    files = (Target("file", path="a.md", grade=2), Target("file", path="b.txt"))
    queries = [Query("q1", "what is it", files), Query("q2", "what is it not", negative=True)]
    expected = [Entry(query, "", Place("", 1), "queries") for query in queries]
    own, topics, qrels = (tmp_path / name for name in ("own.yaml", "topics.tsv", "qrels.txt"))
    own.write_text(write_queries(expected), encoding="utf-8")
    where = ("export", own, "--repository", tree(tmp_path))

    assert command(*where, "--format", "topics", "--output", topics) == 0
    assert command(*where, "--format", "qrels", "--output", qrels) == 0
    assert command("import", qrels, "--topics", topics, "--output", tmp_path / "back.yaml") == 0

    assert said(read_entries(tmp_path / "back.yaml")) == said(expected)


@IN_ONE_FOLDER
@given(expected=entries(FILE, SYMBOL, SPAN))
def test_a_table_holds_everything(expected: list[Entry], fresh: Callable[[], Path]) -> None:
    folder = fresh()
    own, table = folder / "own.yaml", folder / "table.parquet"
    own.write_text(write_queries(expected), encoding="utf-8", newline="")
    where = ("--repository", tree(folder), "--include-drafts")

    assert command("export", own, *where, "--format", "parquet", "--output", table) == 0

    found = {row["id"]: row for row in pq.read_table(table).to_pylist()}
    assert set(found) == {one.query.id for one in expected}
    for one in expected:
        row = found[one.query.id]
        assert (row["text"], row["draft"], row["repository"]) == (
            one.query.text,
            one.draft,
            one.repository,
        )
        assert {Target(**target) for target in row["targets"]} == set(one.query.targets)


def test_drafts_are_not_exported_unless_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n- {id: a, query: q, expected_files: [a.md]}\n"
        "- {id: b, query: r, draft: true, expected_files: [a.md]}\n",
        encoding="utf-8",
    )
    common = ("export", tmp_path / "q.yaml", "--repository", tree(tmp_path), "--format", "golden")

    assert command(*common, "--output", tmp_path / "without.jsonl") == 0
    said_of_it = capsys.readouterr().out
    assert command(*common, "--output", tmp_path / "with.jsonl", "--include-drafts") == 0

    assert "left out 1 drafts; --include-drafts exports them" in said_of_it
    assert [one.query.id for one in read_entries(tmp_path / "without.jsonl")] == ["a"]
    assert [one.draft for one in read_entries(tmp_path / "with.jsonl")] == [False, True]


def test_what_a_format_cannot_keep_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n- {id: a, query: q, category: usage, expected_symbols: [Cart.total]}\n",
        encoding="utf-8",
    )
    where = ("--repository", tree(tmp_path))

    code = command(
        *("export", tmp_path / "q.yaml", *where, "--format", "beir", "--output", tmp_path / "b")
    )

    out = capsys.readouterr().out
    assert code == 0
    assert "beir does not keep 'category' as it was: 1 query" in out
    assert "beir does not keep 'targets' as it was: 1 query" in out
    assert read_queries(tmp_path / "b")[0].targets == (Target("file", path="src/cart.py"),)


def test_symbols_become_the_lines_of_their_definitions_on_request(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n- id: a\n  query: q\n  expected_symbols: [{symbol: Cart.total, grade: 3}]\n",
        encoding="utf-8",
    )
    where = ("--repository", tree(tmp_path), "--format", "spans", "--as-spans")

    assert command("export", tmp_path / "q.yaml", *where, "--output", tmp_path / "s.jsonl") == 0

    assert read_queries(tmp_path / "s.jsonl")[0].targets == (
        Target("span", path="src/cart.py", start=2, end=3, grade=3),
    )


def test_numbered_chunks_are_read_through_the_chunk_map_that_was_exported(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    text = "".join(f"line {number} of this page\n" for number in range(1, 31))
    (tmp_path / "tree" / "a.md").write_text(text, encoding="utf-8")
    question = {"id": 1, "question": "what stands where", "expected_chunks": [1]}
    (tmp_path / "golden.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    plain = tmp_path / "plain.yaml"
    plain.write_text("queries:\n- {id: a, query: q, expected_files: [a.md]}\n", encoding="utf-8")
    chunk_map, where = tmp_path / "map.json", ("--repository", tmp_path / "tree")

    assert command("export", plain, *where, "--chunks", chunk_map, "--chunk", "64") == 0
    own = ("import", tmp_path / "golden.jsonl", "--output", tmp_path / "own.yaml")
    assert command(*own) == 1
    assert command(*own, "--chunks", chunk_map) == 0

    second = json.loads(chunk_map.read_text("utf-8"))["1"]
    (target,) = read_queries(tmp_path / "own.yaml")[0].targets
    assert (target.path, target.start, target.end) == ("a.md", second["start"], second["end"])
    first = json.loads(chunk_map.read_text("utf-8"))["0"]
    assert (first["start"], second["start"]) == (1, first["end"] + 1)


CODE = "".join(f"def name_{n}(a, b):\n    return a + b * {n}\n\n" for n in range(12))


@pytest.mark.parametrize("chunker", ["lines", "tokens", "recursive", "syntax", "symbol", "file"])
def test_numbers_of_any_chunker_mean_its_chunks(chunker: str, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text(CODE, encoding="utf-8")
    plain, where = tmp_path / "plain.yaml", ("--repository", tmp_path / "tree")
    plain.write_text("queries:\n- {id: a, query: q, expected_files: [a.py]}\n", encoding="utf-8")
    size = () if chunker in ("symbol", "file") else ("--chunk", 64)
    documents = Documents.of([("a.py", CODE)])
    settings = parse_chunker({"kind": chunker}, 64 if size else 512)
    chunks = cut(settings, documents, token_ends(documents), find_symbols(documents))
    question = {"id": 1, "question": "q", "expected_chunks": list(range(len(chunks)))}
    (tmp_path / "golden.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")

    exported = ("export", plain, *where, "--chunker", chunker, *size)
    assert command(*exported, "--chunks", tmp_path / "golden.chunks.json") == 0

    spans = [chunks.span(number, documents) for number in range(len(chunks))]
    (query,) = read_queries(tmp_path / "golden.jsonl")
    assert [(one.path, one.start, one.end) for one in query.targets] == [
        (span.path, span.start, span.end) for span in spans
    ]
    assert len(spans) == {"file": 1, "symbol": 12}.get(chunker, len(spans))
    assert chunker == "file" or len(spans) > 1


def test_a_chunker_that_is_not_there_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n- {id: a, query: q, expected_files: [a.md]}\n", encoding="utf-8"
    )
    common = ("export", tmp_path / "q.yaml", "--repository", tree(tmp_path))

    code = command(*common, "--chunks", tmp_path / "map.json", "--chunker", "sytnax")

    assert code == 2
    assert "did you mean syntax?" in capsys.readouterr().err
    assert not (tmp_path / "map.json").exists()


def test_nothing_is_overwritten_and_nothing_half_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.jsonl").write_text(
        write_golden([Query("a", "q", (Target("file", path="a.md"),))]), encoding="utf-8"
    )
    (tmp_path / "taken.yaml").write_text("mine\n", encoding="utf-8")
    where = ("--repository", tree(tmp_path), "--format", "tasks", "--output", tmp_path / "tasks")

    taken = command("import", tmp_path / "q.jsonl", "--output", tmp_path / "taken.yaml")
    failed = command("export", tmp_path / "q.jsonl", *where)

    errors = capsys.readouterr().err
    assert (taken, failed) == (2, 1)
    assert "taken.yaml: already exists" in errors
    assert "which a task cannot hold; write a query set instead" in errors
    assert (tmp_path / "taken.yaml").read_text("utf-8") == "mine\n"
    assert {path.name for path in tmp_path.iterdir()} == {"q.jsonl", "taken.yaml", "tree"}


WRONG = {
    "bad JSON": ("q.jsonl", '{"id": 1,\n', "q.jsonl:1: is not valid JSON"),
    "bad YAML": ("q.yaml", "queries:\n- {id: a\n", "q.yaml:3: is not valid YAML"),
    "a wrong type": ("q.jsonl", '\n{"id": 1, "question": 2}\n', "q.jsonl:2: field 'question'"),
    "a draft that is text": (
        "q.yaml",
        'queries:\n- {id: a, query: q,\n   draft: "yes", expected_files: [a]}\n',
        "q.yaml:3: field 'draft' must be true or false",
    ),
    "half a commit": (
        "q.yaml",
        "queries:\n- {id: a, query: q, commit: abc1234, expected_files: [a]}\n",
        "q.yaml:2: commit 'abc1234' is not a whole commit hash",
    ),
    "an id twice": (
        "q.jsonl",
        2 * '{"id": 1, "question": "q", "expected_chunks": []}\n',
        "q.jsonl:2: query id '1' is taken by",
    ),
    "qrels alone": ("qrels.txt", "301 0 d1 1\n", "qrels.txt:1: holds qrels"),
    "nothing": ("q.yaml", "queries: []\n", "holds no queries"),
}


@pytest.mark.parametrize(("name", "text", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_malformed_file_is_one_error_with_file_and_line(
    name: str, text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    code = command("import", tmp_path / name, "--output", tmp_path / "own.yaml")

    said_of_it = capsys.readouterr().err
    assert code == 1
    assert words in said_of_it
    assert said_of_it.count("\n") == 1
    assert not (tmp_path / "own.yaml").exists()


def test_half_a_command_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q.yaml").write_text("queries: []\n", encoding="utf-8")
    where = ("--repository", tree(tmp_path))

    assert command("export", tmp_path / "q.yaml", *where) == 2
    assert command("export", tmp_path / "q.yaml", *where, "--format", "beir") == 2
    assert "needs --format and --output together" in capsys.readouterr().err


def test_a_format_without_the_origin_of_a_query_loses_it_aloud() -> None:
    """Neither the mark of a generated query nor its hidden lines are in spans."""
    target = Target("span", path="a.py", start=1, end=2)
    entry = Entry(Query("q", "what", (target,)), "", Place("q.yaml", 1), "queries")
    made = replace(entry, generated=True, hidden=(target,))

    assert lost_fields([made], [entry]) == {"generated": 1, "hidden": 1}
