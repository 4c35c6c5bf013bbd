"""What other programs compute of the runs of a study is what its table says."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from ir_measures import RR, P, R, nDCG

from bench.launcher.door import run_bench
from bench.queries.formats.trec import RunRow, write_run
from bench.results.packed import unpacked

WORDS = [f"word{number}" for number in range(60)]
DOCUMENTS, QUERIES = 40, 12
ALL: Mapping[str, Any] = {
    "mrr": RR @ 10,
    "precision_at_10": P @ 10,
    "recall_at_10": R @ 10,
    "ndcg_at_10": nDCG @ 10,
}
OF_TREC_EVAL = {
    "mrr": "recip_rank",
    "precision_at_10": "P_10",
    "recall_at_10": "recall_10",
    "ndcg_at_10": "ndcg_cut_10",
}
Qrels = dict[str, dict[str, int]]


def collection(seed: int) -> tuple[dict[str, str], dict[str, str], Qrels]:
    """Return documents, queries and grades that chance made; equal documents have equal scores."""
    chance = Random(seed)  # noqa: S311 - nobody is to be kept from guessing it
    documents = {
        f"{1000 + number}": " ".join(chance.choices(WORDS, k=20)) for number in range(DOCUMENTS)
    }
    documents |= {f"twin-{name}": text for name, text in list(documents.items())[:15]}
    queries = {f"q{number}": " ".join(chance.choices(WORDS, k=3)) for number in range(QUERIES)}
    names = list(documents)
    grades = {
        query: {name: chance.choice((0, 1, 1, 2, 3)) for name in chance.sample(names, k=9)}
        for query in queries
    }
    queries["q-nothing"], grades["q-nothing"] = "xylophone", {names[0]: 1}
    return documents, queries, grades


def write_beir(folder: Path) -> Qrels:
    """Write a BEIR folder by hand and return its judgements."""
    documents, queries, grades = collection(1)
    (folder / "qrels").mkdir(parents=True)
    lines = (json.dumps({"_id": name, "title": "", "text": t}) for name, t in documents.items())
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    lines = (json.dumps({"_id": name, "text": text}) for name, text in queries.items())
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = [f"{q}\t{name}\t{grade}" for q, of in grades.items() for name, grade in of.items()]
    table = "\n".join(["query-id\tcorpus-id\tscore", *rows])
    (folder / "qrels" / "test.tsv").write_text(table, encoding="utf-8")
    return grades


def write_trec(folder: Path) -> Qrels:
    """Write a TREC folder by hand and return its judgements."""
    documents, queries, grades = collection(2)
    folder.mkdir()
    lines = (json.dumps({"docno": name, "text": text}) for name, text in documents.items())
    (folder / "docs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    lines = (f"{name}\t{text}" for name, text in queries.items())
    (folder / "topics.tsv").write_text("\n".join(lines), encoding="utf-8")
    rows = [f"{q} 0 {name} {grade}" for q, of in grades.items() for name, grade in of.items()]
    (folder / "qrels.txt").write_text("\n".join(rows), encoding="utf-8")
    return grades


def write_code(folder: Path) -> None:
    """Write two repositories whose queries ask for several functions each, one per file or two."""
    chance = Random(3)  # noqa: S311 - nobody is to be kept from guessing it
    lines = ["name: code", "repositories:"]
    for place in ("shop", "bank"):
        (folder / place).mkdir(parents=True)
        for number in range(12):
            parts = (
                f"def act_{number}_{part}():\n    # {' '.join(chance.choices(WORDS, k=30))}\n"
                for part in ("a", "b")
            )
            (folder / place / f"file_{number}.py").write_text("\n".join(parts), encoding="utf-8")
        rows = ["queries:"]
        for number in range(8):
            files = chance.sample(range(12), k=3)
            right = ", ".join(
                f"{{symbol: file_{one}.act_{one}_{part}, grade: {chance.randint(1, 3)}}}"
                for one in files
                for part in (("a", "b") if one % 2 else ("a",))
            )
            words = " ".join(chance.choices(WORDS, k=4))
            rows.append(f"- {{id: q{number}, query: {words}, expected_symbols: [{right}]}}")
        rows.append("- {id: none, query: xylophone, negative: true}")
        (folder / f"{place}.yaml").write_text("\n".join(rows), encoding="utf-8")
        source = f"{{kind: local, path: {place}}}"
        lines.append(f"- {{name: {place}, source: {source}, queries: {place}.yaml}}")
    (folder / "suite.yaml").write_text("\n".join(lines), encoding="utf-8")


def run(folder: Path, *typed: str) -> tuple[dict[str, Any], Path]:
    """Run one trial; return its report and its run without the suffix."""
    fixed = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    places = [f"output={folder / 'out'}", f"store={folder / 'store'}"]
    assert run_bench([*typed, "retriever=bm25", *fixed, *places], "bench/run.py") == 0
    latest = folder / "out" / "latest"
    (place,) = (latest / "runs").glob("*.run")
    found = unpacked(json.loads((latest / "results.json").read_text(encoding="utf-8")))
    return found["reports"][0], place.with_suffix("")


def by_ir_measures(names: Mapping[str, Any], qrels: Any, place: Path) -> dict[str, float]:
    """Return the means that ir_measures has of a run."""
    found = ir_measures.read_trec_run(f"{place}.run")  # type: ignore[no-untyped-call]
    means = ir_measures.calc_aggregate(list(names.values()), qrels, list(found))
    return {name: means[measure] for name, measure in names.items()}


def by_trec_eval(qrels: Qrels, place: Path) -> dict[str, float]:
    """Return the means that trec_eval has of a run."""
    with Path(f"{place}.run").open(encoding="utf-8") as file:
        ranked = pytrec_eval.parse_run(file)
    names = {"recip_rank", "P.10", "recall.10", "ndcg_cut.10"}
    values = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(ranked).values()
    return {
        ours: sum(one[theirs] for one in values) / len(values)
        for ours, theirs in OF_TREC_EVAL.items()
    }


def read_qrels(place: Path) -> Qrels:
    """Return the judgements that stand beside a run."""
    with Path(f"{place}.qrels").open(encoding="utf-8") as file:
        return dict(pytrec_eval.parse_qrel(file))


def micro(report: dict[str, Any]) -> dict[str, float]:
    """Return our means over queries."""
    return {name: report["summary"][f"micro_{name}"] for name in ALL}


@pytest.mark.parametrize("write", [write_beir, write_trec])
def test_a_run_of_a_collection_is_judged_by_its_own_qrels(tmp_path: Path, write: Any) -> None:
    """To four decimals, in two programs; the scores are those of the ranking."""
    qrels: Qrels = write(tmp_path / "data")

    report, place = run(tmp_path, "suite=beir", f"suite.path={tmp_path / 'data'}")

    wanted = pytest.approx(micro(report), abs=5e-5)
    rows = [
        ir_measures.Qrel(query, name, grade)
        for query, of in qrels.items()
        for name, grade in of.items()
    ]
    assert by_ir_measures(ALL, rows, place) == wanted
    assert by_trec_eval(qrels, place) == wanted
    assert by_trec_eval(read_qrels(place), place) == wanted
    hits = report["query_results"][0]["retrieved"]
    lines = list(run_lines(place, report["query_results"][0]["id"]))
    assert [line[2] for line in lines] == [hit["path"] for hit in hits]
    assert [float(line[4]) for line in lines] == pytest.approx(
        [hit["score"] for hit in hits], rel=1e-5
    )
    assert len({line[4] for line in lines}) == len(lines)


def run_lines(place: Path, query: str) -> Iterator[list[str]]:
    """Yield the lines of a run that are of a query."""
    for line in Path(f"{place}.run").read_text(encoding="utf-8").splitlines():
        if line.split()[0] == query:
            yield line.split()


def test_a_run_of_code_at_file_level_is_judged_alike(tmp_path: Path) -> None:
    write_code(tmp_path / "code")

    report, place = run(
        tmp_path, "suite=file", f"suite.path={tmp_path}/code/suite.yaml", "measure_level=file"
    )

    wanted = pytest.approx(micro(report), abs=5e-5)
    assert by_trec_eval(read_qrels(place), place) == wanted
    assert by_ir_measures(ALL, read_rows(place), place) == wanted
    assert "MRR, precision, recall and NDCG are those of the table" in about(place)


def read_rows(place: Path) -> list[Any]:
    """Return the judgements beside a run as ir_measures has them."""
    return list(ir_measures.read_trec_qrels(f"{place}.qrels"))  # type: ignore[no-untyped-call]


def about(place: Path) -> str:
    """Return the page that describes the runs."""
    return (place.parent / "ABOUT.md").read_text(encoding="utf-8")


def test_where_no_hit_finds_several_targets_every_measure_agrees(tmp_path: Path) -> None:
    """Chunks of symbols hold one target each."""
    write_code(tmp_path / "code")

    report, place = run(
        tmp_path, "suite=file", f"suite.path={tmp_path}/code/suite.yaml", "chunker=symbol"
    )

    wanted = pytest.approx(micro(report), abs=5e-5)
    assert by_trec_eval(read_qrels(place), place) == wanted
    assert by_ir_measures(ALL, read_rows(place), place) == wanted


def test_where_a_hit_finds_several_targets_two_measures_differ_and_the_export_says_so(
    tmp_path: Path,
) -> None:
    """Chunks of files hold one or two targets."""
    write_code(tmp_path / "code")

    report, place = run(
        tmp_path,
        *("suite=file", f"suite.path={tmp_path}/code/suite.yaml", "chunker=file"),
        "retriever.unit=chunk",
    )

    ours, theirs = micro(report), by_trec_eval(read_qrels(place), place)
    for name in ("mrr", "precision_at_10"):
        assert theirs[name] == pytest.approx(ours[name], abs=5e-5)
    for name in ("recall_at_10", "ndcg_at_10"):
        assert abs(theirs[name] - ours[name]) > 1e-3
    assert "recall and NDCG differ, because in" in about(place)
    assert "(decision 0003)" in about(place)


def test_a_document_that_is_listed_several_times_is_once_in_the_run(tmp_path: Path) -> None:
    write_code(tmp_path / "code")

    report, place = run(
        tmp_path,
        *("suite=file", f"suite.path={tmp_path}/code/suite.yaml", "chunker=symbol"),
        *("measure_level=file", "retriever.unit=chunk"),
    )

    first = report["query_results"][0]
    paths = [hit["path"] for hit in first["retrieved"]]
    lines = list(run_lines(place, f"{first['repository']}/{first['id']}"))
    assert len(set(paths)) < len(paths)
    assert [line[2] for line in lines] == list(dict.fromkeys(paths))
    assert "the table counts several hits of one document" in about(place)


def test_our_own_writer_of_runs_is_read_alike(tmp_path: Path) -> None:
    write_run([RunRow("q", "d 1", 0.5)], tmp_path / "a.run")

    (row,) = ir_measures.read_trec_run(str(tmp_path / "a.run"))  # type: ignore[no-untyped-call]
    assert (row.doc_id, row.score) == ("d%201", 0.5)
