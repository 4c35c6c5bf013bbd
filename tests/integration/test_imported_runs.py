"""Rankings that somebody else made are a trial like any other."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.errors import SettingError
from bench.launcher.door import run_bench
from bench.results.packed import unpacked
from bench.settings.retrieving import parse_retrieval
from tests.integration.test_exported_runs import ALL, write_beir, write_code

FIXED = ("tracking=none", "latency=reuse", "execution=local", "execution.workers=1")
Rows = list[tuple[str, str, float]]


def study(folder: Path, *typed: str, code: int = 0) -> dict[str, Any]:
    """Run a grid and return its results."""
    places = [f"output={folder / 'out'}", f"store={folder / 'store'}"]
    assert run_bench(["-m", *typed, *FIXED, *places], "bench/run.py") == code
    text = (folder / "out/latest/results.json").read_text("utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))
    return found


def means(report: dict[str, Any]) -> dict[str, float]:
    """Return the means of a trial."""
    return {name: report["summary"][f"avg_{name}"] for name in ALL}


def rows_of(folder: Path) -> Rows:
    """Return the rows of the run of the last study's first trial."""
    (place, *_) = sorted((folder / "out/latest/runs").glob("*.run"))
    lines = (line.split() for line in place.read_text("utf-8").splitlines())
    return [(query, document, float(score)) for query, _, document, _, score, _ in lines]


def as_trec(rows: Rows) -> bytes:
    return "".join(f"{q} Q0 {d} 0 {score!r} theirs\n" for q, d, score in rows).encode()


def as_lists(rows: Rows) -> bytes:
    found: dict[str, list[str]] = {}
    for query, document, _ in rows:
        found.setdefault(query, []).append(document)
    return json.dumps(found).encode()


def as_scores(rows: Rows) -> bytes:
    found: dict[str, dict[str, float]] = {}
    for query, document, score in reversed(rows):
        found.setdefault(query, {})[document] = score
    return json.dumps(found).encode()


def as_parquet(rows: Rows) -> bytes:
    columns = dict(zip(("query_id", "doc_id", "score"), zip(*rows, strict=True), strict=True))
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), sink)
    return bytes(sink.getvalue())


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, float], Rows]:
    """A BEIR folder, what BM25 scores on it, and its run."""
    folder = tmp_path_factory.mktemp("collection")
    write_beir(folder / "data")
    found = study(folder, "suite=beir", f"suite.path={folder / 'data'}", "retriever=bm25")
    return folder, means(found["reports"][0]), rows_of(folder)


def beside_bm25(folder: Path, run: bytes, code: int = 0) -> dict[str, Any]:
    """Return the results of a run beside another retriever."""
    (folder / "their.run").write_bytes(run)
    where = ("suite=beir", f"suite.path={folder / 'data'}")
    path = f"retriever.path={folder / 'their.run'}"
    return study(folder, *where, "retriever=bm25,run", path, code=code)


@pytest.mark.parametrize("form", [as_trec, as_lists, as_scores, as_parquet])
def test_a_run_scores_as_the_retriever_that_made_it(
    collection: tuple[Path, dict[str, float], Rows], form: Callable[[Rows], bytes]
) -> None:
    folder, wanted, rows = collection

    found = beside_bm25(folder, form(rows))

    ours, theirs = found["reports"]
    assert theirs["config"]["name"] == "retriever=run"
    assert means(theirs) == pytest.approx(wanted, abs=1e-4)
    assert means(ours) == means(theirs)
    assert ours["summary"]["latency_p50_ms"] is not None
    assert theirs["summary"].get("latency_p50_ms") is None
    assert found["recommendation"]["tested"]["best"]


def test_what_we_do_not_know_is_counted_and_named(
    collection: tuple[Path, dict[str, float], Rows],
) -> None:
    folder, wanted, rows = collection
    missing = rows[0][0]
    kept = [row for row in rows if row[0] != missing]
    more = [("q-other", "1001", 1.0), (kept[0][0], "gone-1", -1.0), (kept[0][0], "gone-2", -2.0)]

    found = beside_bm25(folder, as_trec([*kept, *more]))

    (note,) = (one for one in found["notes"] if "retriever=run" in one)
    assert note == (
        "warning: retriever=run: 2 ranked places are unknown and left out (gone-1, gone-2);"
        f" 1 query has no ranking and count as misses ({missing});"
        " 1 query of the file not asked (q-other)"
    )
    assert means(found["reports"][1])["mrr"] <= wanted["mrr"]


def test_a_run_of_something_else_is_a_failed_trial(
    collection: tuple[Path, dict[str, float], Rows],
) -> None:
    folder, _, rows = collection

    others = beside_bm25(folder, as_trec([(f"x{q}", d, s) for q, d, s in rows]), code=1)
    elsewhere = beside_bm25(folder, as_trec([(q, f"x{d}", s) for q, d, s in rows]), code=1)

    causes = [one["reports"][1]["failures"][0]["cause"] for one in (others, elsewhere)]
    assert "has none of the queries of data: its queries are named like xq" in causes[0]
    assert "knows none of what the run ranks, such as 'x" in causes[1]


def test_places_in_code_are_ranked(tmp_path: Path) -> None:
    """Our own table of rankings comes back as the trial that made it."""
    write_code(tmp_path / "code")
    where = ("suite=file", f"suite.path={tmp_path}/code/suite.yaml", "retriever.unit=chunk")
    made = study(tmp_path, *where, "retriever=bm25", "chunker=symbol")
    table = tmp_path / "out/latest/rankings.parquet"

    found = study(tmp_path, *where, "retriever=run", f"retriever.path={table}")

    assert means(found["reports"][0]) == pytest.approx(means(made["reports"][0]), abs=1e-4)


def test_places_are_objects_too(tmp_path: Path) -> None:
    """By lines, by symbol, and as a whole file; queries by their text."""
    write_code(tmp_path / "code")
    where = ("suite=file", f"suite.path={tmp_path}/code/suite.yaml", "only.repositories=[shop]")
    made = study(tmp_path, *where, "retriever=bm25", "chunker=symbol")
    queries = [one for one in made["reports"][0]["query_results"] if not one["negative"]]
    expected = {one["query"]: [{"symbol": one["expected"][0]}] for one in queries}
    (tmp_path / "their.json").write_text(json.dumps(expected), encoding="utf-8")

    found = study(tmp_path, *where, "retriever=run", f"retriever.path={tmp_path}/their.json")

    assert means(found["reports"][0])["mrr"] == 1


def test_a_run_is_a_channel_of_hybrid(collection: tuple[Path, dict[str, float], Rows]) -> None:
    folder, _, rows = collection
    (folder / "channel.run").write_bytes(as_trec(rows))
    where = ("suite=beir", f"suite.path={folder / 'data'}", "retriever=hybrid")

    found = study(
        folder, *where, "retriever.channels=[bm25,run]", f"retriever.run.path={folder}/channel.run"
    )

    assert found["reports"][0]["status"] == "complete"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no rankings; it must be a TREC run"),
        (b"q1 Q0 d1 1 0.5", "line 1 has 5 columns; the file must be a TREC run"),
        (b"q1 Q0 d1 1 high x", "line 1: 'high' is not a number"),
        (b"q1 Q0 d1 1 nan x", "line 1: 'nan' is not a number"),
        (b"[1]", "is a list; it must be"),
        (b"{1", "is not valid JSON"),
        (b'{"q1": 5}', "query 'q1': must be a list of ids or places"),
        (b'{"q1": [{"start": 5}]}', "query 'q1': a hit has neither 'path' or 'symbol'"),
        (b'{"q1": {"d1": "high"}}', "'high' is not a number"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"PAR1", "cannot be read as parquet"),
    ],
)
def test_a_faulty_file_is_refused_before_any_work(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "their.run"
    file.write_bytes(content)

    with pytest.raises(SettingError, match=said) as refused:
        parsed(path=str(file))

    assert str(refused.value).startswith(f"retriever.path={file}: ")
    assert "\n" not in str(refused.value)


def parsed(**own: object) -> Any:
    """Return the settings of a run."""
    return parse_retrieval({"retriever": {"kind": "run", **own}, "measure_level": None})


def test_wrong_columns_of_a_table_are_named(tmp_path: Path) -> None:
    table = pa.table({"question": ["q1"], "doc_id": ["d1"]})
    pq.write_table(table, tmp_path / "their.parquet")
    twice = pa.table({"query": ["q1", "q1"], "path": ["a", "b"], "trial": ["x", "y"]})
    pq.write_table(twice, tmp_path / "two.parquet")

    with pytest.raises(SettingError, match="has no column query but question, doc_id; name one"):
        parsed(path=str(tmp_path / "their.parquet"))
    with pytest.raises(SettingError, match="holds several trials; keep the rows of one"):
        parsed(path=str(tmp_path / "two.parquet"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"retriever\.path=.*none\.run: cannot be read"):
        parsed(path=str(tmp_path / "none.run"))
    with pytest.raises(SettingError, match="first_line=2: must be 0 or 1"):
        parsed(path=str(tmp_path / "none.run"), first_line=2)


def test_files_of_equal_content_are_one_trial(tmp_path: Path) -> None:
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("q1 Q0 d1 1 0.5 x\n", encoding="utf-8")
    (tmp_path / "c.run").write_text("q1 Q0 d1 1 0.6 x\n", encoding="utf-8")

    a, b, c = (parsed(path=str(tmp_path / f"{name}.run")) for name in "abc")

    assert a == b
    assert a != c


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"document": None}, "row 1: has no document"),
        ({"query": None}, "row 1: has no query"),
        ({"score": float("nan")}, "row 1: 'nan' is not a number"),
        ({"score": "high"}, "row 1: 'high' is not a number"),
        ({"start": "ten"}, "row 1: 'ten' is not a number"),
        ({"start": 1.5}, "row 1: start is '1.5'; give a whole number"),
    ],
)
def test_a_wrong_value_in_a_table_is_named_with_its_row(
    row: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    """A score that is not a number would sort anywhere."""
    plain = {"query": "q", "document": "a.md", "score": 1.0, "start": 1, "end": 2}
    pq.write_table(pa.Table.from_pylist([{**plain, **row}]), tmp_path / "their.parquet")

    with pytest.raises(SettingError, match=re.escape(problem)):
        parsed(path=str(tmp_path / "their.parquet"))
