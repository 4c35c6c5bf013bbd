"""Files that rankgrid wrote and files of queries are not searched; files like them are."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.compare import as_json as comparison_json
from bench.compare import as_markdown, as_text, compare, paired
from bench.corpora import LocalSource, read_source
from bench.corpora.own_files import is_own_file
from bench.engine import ArtifactStore, Cost, Plan
from bench.engine.texts import TextCache
from bench.gate.flags import GateFlags
from bench.gate.outputs import write_outputs
from bench.gate.verdict import Verdict
from bench.queries import (
    Query,
    RunRow,
    Target,
    resolve,
    write_beir,
    write_characters,
    write_golden,
    write_qrels,
    write_queries,
    write_run,
    write_span_lines,
    write_task,
    write_trec,
)
from bench.report import record_opening, write_report, write_stages
from bench.results import write_results
from bench.results.document import as_json
from bench.stages import Ask
from retrievers.graph import Session
from retrievers.interface import Documents
from retrievers.source import find_symbols
from tests.unit.compare.sample_results import stored
from tests.unit.gate.test_baseline_gate import gated, ranks

CODE = "def total(prices):\n    return sum(prices)\n"
QUESTION = "how are the prices of all items added up"
FILE = Query("q1", QUESTION, (Target("file", path="cart.py"),))
SPAN = Query("q1", QUESTION, (Target("span", path="notes.md", start=1, end=1),))
SYMBOL = Query("q1", QUESTION, (Target("symbol", symbol="cart.total"),))
NEGATIVE = Query("q2", "which parcels are sent by a drone", negative=True)


def searched(root: Path) -> tuple[str, ...]:
    """Return the paths that would be searched in a folder, and check the count of the others."""
    checkout = read_source(LocalSource(str(root)))
    assert checkout.left_out.get("own_file", 0) == len(checkout.own_files)
    return checkout.documents.paths


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with one file of code."""
    (tmp_path / "cart.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def test_what_a_study_leaves_is_not_searched_in_whatever_folder(tree: Path) -> None:
    folder = tree / "docs" / "numbers"
    write_results(stored({"x/one": 1, "x/two": 2}), folder)
    write_report(stored({"x/one": 1, "x/two": 2}), folder)
    write_stages(Plan(()), {}, folder, wall_seconds=1.0)
    asked = dict.fromkeys(["study", "trials", "objective", "limits", "command"], "")
    record_opening(folder, "own", asked)

    assert (folder / "FINDINGS.md").is_file()
    assert list((folder / "runs").iterdir())
    assert searched(tree) == ("cart.py",)


def test_results_under_any_name_are_not_searched(tree: Path) -> None:
    results = as_json(stored({"x/one": 1}))
    (tree / "baselines").mkdir()
    (tree / "baselines" / "main.json").write_text(json.dumps(results), encoding="utf-8")
    (tree / "sorted.json").write_text(json.dumps(results, sort_keys=True), encoding="utf-8")
    kept = {"trial": "a", "results": results}
    (tree / "before.json").write_text(json.dumps(kept), encoding="utf-8")

    assert searched(tree) == ("cart.py",)


def test_comparisons_and_verdicts_are_not_searched(tree: Path) -> None:
    before, after = stored({"x/one": 1, "x/two": 2}), stored({"x/one": None, "x/two": 2})
    report = compare(before, after, paired(before, after).pairs[0])
    (tree / "difference.txt").write_text(as_text(report, flips=3), encoding="utf-8")
    (tree / "difference.md").write_text(as_markdown(report), encoding="utf-8")
    difference = json.dumps(comparison_json(report))
    (tree / "difference.json").write_text(difference, encoding="utf-8")
    verdict: Verdict = gated(stored(ranks(0, queries=9)), stored(ranks(1, queries=9)))
    flags = GateFlags(
        junit=str(tree / "gate.xml"), markdown=str(tree / "gate"), json=str(tree / "gate.json")
    )
    write_outputs(verdict, flags, {})

    assert (tree / "gate.xml").is_file()
    assert searched(tree) == ("cart.py",)


def test_a_store_is_not_searched_wherever_it_is(tree: Path) -> None:
    store = ArtifactStore(str(tree / "cache" / "kept"))
    asked = Ask((QUESTION,) * 500)
    store.save(asked, b"text that is not binary \xff", Cost())
    TextCache(store, "answers").add(QUESTION, "about it")
    for ignored in tree.rglob(".gitignore"):
        ignored.unlink()

    assert searched(tree) == ("cart.py",)


def test_a_session_is_not_searched(tree: Path) -> None:
    session = json.dumps(Session().as_json(), sort_keys=True)
    (tree / "session.json").write_text(session, encoding="utf-8")

    assert searched(tree) == ("cart.py",)


def test_queries_are_not_searched_in_any_format(tree: Path) -> None:
    documents = Documents.of([("cart.py", CODE), ("notes.md", "Prices\n")])
    judgements = resolve((FILE,), documents, find_symbols(documents))
    texts = {
        "set.yaml": "# First queries\n" + write_queries((SYMBOL, NEGATIVE)),
        "set.json": json.dumps({"queries": [{"id": "q", "query": "x", "expected_files": ["a"]}]}),
        "task.yaml": write_task(SYMBOL),
        "no_answer.yaml": write_task(NEGATIVE),
        "golden.jsonl": write_golden((SPAN, NEGATIVE)),
        "golden.json": write_golden((NEGATIVE, SPAN)),
        "spans.jsonl": write_span_lines((SPAN, NEGATIVE)),
    }
    for name, text in texts.items():
        (tree / name).write_text(text, encoding="utf-8")
    write_characters([SPAN], documents, "notes.md", tree / "characters.csv")
    write_beir(tree / "beir", (FILE,), documents, judgements)
    write_trec(tree / "trec", (FILE,), documents, judgements)
    write_qrels(tree / "qrels.all.txt", (FILE,), documents, judgements)
    write_run([RunRow("q1", "cart.py", 1.0)], tree / "bm25.run")

    assert searched(tree) == ("cart.py",)


def test_issues_and_suites_are_not_searched(tree: Path) -> None:
    issue = {"instance_id": "a", "repo": "a/b", "base_commit": "c" * 40, "patch": "p"}
    issues = json.dumps({**issue, "problem_statement": QUESTION})
    (tree / "issues.jsonl").write_text(issues, encoding="utf-8")
    suite = "{name: a, source: {kind: local, path: .}, queries: queries.yaml}"
    (tree / "suite.yaml").write_text(f"name: a\nrepositories:\n  - {suite}\n", encoding="utf-8")

    assert searched(tree) == ("cart.py",)


def test_every_shipped_file_of_queries_and_suite_is_recognised() -> None:
    root = Path(__file__).parents[3]
    names = ("quick", "python", "polyglot", "tiered", "issues", "tasks", "languages")
    queries = [root / "fixtures" / name for name in names]
    files = [
        *(path for folder in (*queries, root / "fixtures" / "docs") for path in folder.rglob("*")),
        *(root / "conf" / "suite" / f"{name}.yaml" for name in names),
    ]

    missed = [
        path.name
        for path in files
        if path.is_file() and not is_own_file(path.name, path.read_text(encoding="utf-8"))
    ]

    assert files
    assert missed == []


INNOCENT = {
    "workflow.yml": "name: CI\non: push\njobs:\n  test: {runs-on: x}\n",
    "compose.yaml": "name: shop\ninclude:\n  - path: db.yaml\n",
    "graphql.yaml": "queries:\n  - id: me\n    query: '{ me }'\n",
    "metrics.yaml": (
        "queries:\n  - id: a\n    query: up\n    expected_files: []\nruns-on: prometheus\n"
    ),
    "charts.yaml": "name: a\nrepositories:\n  - {name: stable, url: https://example.org}\n",
    "task.yaml": "task: build\ndescription: Build the program.\ntags: [ci]\n",
    "steps.yaml": "description: What to do.\ntags: [a]\ndifficulty: easy\n",
    "report.json": '{"study": "x", "reports": [], "schema": 1}',
    "stages.json": '{"stages": ["build", "test"]}',
    "faq.jsonl": '{"id": 1, "question": "How do I pay?", "answer": "By card."}',
    "events.jsonl": '{"_id": "1", "text": "started"}',
    "queries.jsonl": '{"name": "users", "sql": "select 1"}',
    "answers.csv": "question,answer\nHow do I pay?,By card\n",
    "table.tsv": "id\ttext\n1\tone\n",
    "EXPERIMENTS.md": "# Experiments\n\n## Experiment 1: a cache\n\nDate: today\n",
    "signs.md": "# Signs\n\n    <!-- Written by rankgrid. -->\n",
    "rankgrid.md": "# rankgrid\n\nA tool that measures retrieval. ## rankgrid gate: passed\n",
    "index.html": '<html><head><meta name="generator" content="Sphinx"/></head></html>',
    "other.run": "q1 Q0 a.py 1 1.0 lucene\n",
    "qrels.md": "These are the grades 1\n",
    "sums.txt": f"{'a' * 64}  program.tar.gz\n",
    "key": f"{'a' * 64}\nthe key of the test server\n",
    "spec.py": f"QUERIES = '''\n{write_queries((SYMBOL,))}'''\n",
    "guide.md": f"# A guide\n\n```yaml\n{write_queries((SYMBOL,))}```\n",
}


@pytest.mark.parametrize("name", INNOCENT)
def test_a_file_that_only_looks_like_one_is_searched(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(INNOCENT[name], encoding="utf-8")

    assert searched(tmp_path) == (name,)


_KEYS = ("schema", "study", "num_configs", "reports")


@given(st.sets(st.sampled_from(_KEYS), max_size=3), st.dictionaries(st.text(), st.integers()))
def test_json_that_lacks_a_key_of_results_is_searched(
    keys: set[str], more: dict[str, int]
) -> None:
    other = {key: value for key, value in more.items() if key not in _KEYS}

    assert not is_own_file("a.json", json.dumps({**dict.fromkeys(keys, 1), **other}))


@given(
    st.sampled_from([".json", ".jsonl", ".yaml", ".md", ".csv", ".tsv", ".html", ""]), st.text()
)
def test_any_text_can_be_looked_at(extension: str, text: str) -> None:
    assert not is_own_file(f"a{extension}", text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 50_000,
        "{" + "[" * 50_000,
        "queries: " + "{" * 50_000,
        "a" + " " * 90_000,
        "a:\n" * 20_000,
        '{"study": ' + "9" * 50_000 + "}",
        "S" * 90_000 + " Q0",
    ],
)
@pytest.mark.parametrize("extension", [".json", ".jsonl", ".yaml", ".md", ".txt"])
@pytest.mark.timeout(10)
def test_a_hostile_file_takes_no_time_and_raises_nothing(extension: str, text: str) -> None:
    assert not is_own_file(f"a{extension}", text)
