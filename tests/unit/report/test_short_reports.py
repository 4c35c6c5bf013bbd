"""report.md, FINDINGS.md and the rankings say what the results say."""

from html import unescape
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from bench.report import write_report
from bench.report.markdown import plain, table
from bench.results.document import from_json
from tests.unit.report.sample_results import HOSTILE, a_grid, failed, the_results


def written(results: dict[str, Any], folder: Path, **targets: float) -> tuple[str, str]:
    """Return report.md and FINDINGS.md of some results."""
    write_report(from_json(results, "r.json"), folder, targets)
    return (folder / "report.md").read_text("utf-8"), (folder / "FINDINGS.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b\nc", r"a\|b c"),
        ("<script>", "&lt;script>"),
        ("[x](http://y)", r"\[x](http://y)"),
        ("ask @someone, NDCG@10", "ask &#64;someone, NDCG@10"),
        ("**a** `b` ~~c~~", r"\*\*a\*\* \`b\` \~\~c\~\~"),
        ("a\x1b[31mb", r"a \[31mb"),
    ],
)
def test_text_is_no_markup(text: str, shown: str) -> None:
    """What a query says is shown, not obeyed."""
    assert plain(text) == shown


def test_a_long_text_is_cut_with_a_sign_that_it_was() -> None:
    assert plain("word " * 100, longest=10) == "word word…"


def test_the_short_report_has_the_advice_the_trials_and_the_effects(tmp_path: Path) -> None:
    """By hand: big chunks lose .1 on every query of all three repositories."""
    report, _ = written(a_grid(), tmp_path)

    assert "- Highest: chunk=64 rerank=on." in report
    assert "| **chunk=64 rerank=on** |" in report
    assert "| chunk=512 | 64 | -0.1000 | - | better in 0 of 3 |" in report
    assert HOSTILE not in report


def test_findings_hold_tiers_against_their_targets(tmp_path: Path) -> None:
    """Four of five queries have one right hit in ten: P@10 is 8 %, and 10 % is possible."""
    _, met = written(a_grid(), tmp_path, easy=0.05, medium=0.9)

    tiers = {line.split(" | ")[0]: line for line in met.splitlines() if line.startswith("| ")}
    assert "| 10.0 % | > 5.0 % | yes |" in tiers["| easy"]
    assert "| 10.0 % | > 90.0 % | no |" in tiers["| medium"]
    assert "| 10.0 % | > 15.0 % | no |" in tiers["| hard"]


def test_the_targets_of_the_study_hold_where_none_is_given(tmp_path: Path) -> None:
    """`targets.easy=0.01` on the command line ends up in the results file."""
    results = a_grid()
    results["settings"]["targets"] = {"easy": 0.01, "medium": 0.3, "hard": 0.15}

    _, said = written(results, tmp_path)

    assert "> 1.0 % | yes" in said


def test_a_half_of_the_queries_is_named_everywhere(tmp_path: Path) -> None:
    """Numbers of the half to tune on are not those to report."""
    report, said = written({**a_grid(), "half": "tune"}, tmp_path)

    texts = (report, said, (tmp_path / "report.html").read_text("utf-8"))
    assert all("the tune half of the queries" in text for text in texts)


def test_half_of_the_repositories_is_named_everywhere(tmp_path: Path) -> None:
    halved = {**a_grid(), "half": "report", "half_of": "repositories"}

    report, said = written(halved, tmp_path)

    texts = (report, said, (tmp_path / "report.html").read_text("utf-8"))
    assert all("the report half of the repositories" in text for text in texts)


def test_a_choice_of_the_queries_is_named_everywhere(tmp_path: Path) -> None:
    """Its brackets are text, on a terminal as well."""
    chosen = {**a_grid(), "half": "tune", "only": "only.tags=[bold] only.per_repository=2"}

    report, said = written(chosen, tmp_path)

    texts = (report, said, (tmp_path / "report.html").read_text("utf-8"))
    asked = "the tune half of the queries, only.tags=[bold] only.per_repository=2"
    assert all(asked in unescape(text).replace("\\", "") for text in texts)


def test_findings_name_every_query_that_scored_0(tmp_path: Path) -> None:
    """Each fifth query of the grid is missed by all trials."""
    _, said = written(a_grid(), tmp_path)

    assert "6 of 30 judged queries found nothing right." in said
    part = said.partition("## Queries that scored 0")[2].partition("## By query")[0]
    assert [line.split()[1] for line in part.splitlines() if line.startswith("- ")] == [
        f"q{number}" for number in (4, 9, 14, 19, 24, 29)
    ]
    assert "expected part4.work" in part


def test_where_all_failed_the_short_forms_say_why(tmp_path: Path) -> None:
    """No table of nothing."""
    results = the_results([failed(report) for report in a_grid()["reports"]])

    report, said = written(results, tmp_path)

    assert "out of memory" in report
    assert "No trial has a result." in said
    assert not (tmp_path / "rankings.parquet").exists()


def test_every_shown_hit_is_in_the_table_and_in_the_runs(tmp_path: Path) -> None:
    """A row for each of 4 trials, 30 queries and 5 hits; ranks in their order."""
    written(a_grid(), tmp_path)

    rows = pq.read_table(tmp_path / "rankings.parquet").to_pylist()
    assert len(rows) == 4 * 30 * 5
    assert rows[6] == {
        "trial": "chunk=64 rerank=off",
        "repository": "bank",
        "query": "q1",
        "rank": 2,
        "path": "src/file2.py",
        "start": 20,
        "end": 29,
        "start_byte": None,
        "end_byte": None,
        "symbol": "",
        "score": 0.5,
        "credit": "nothing",
    }
    runs = sorted((tmp_path / "runs").glob("*.run"))
    assert [run.name for run in runs][:2] == [
        "001-chunk=64-rerank=off.run",
        "002-chunk=64-rerank=on.run",
    ]
    lines = runs[0].read_text("utf-8").splitlines()
    assert lines[5] == "q1 Q0 src/file1.py:10-19 1 1.0 rankgrid"  # its score
    assert len(lines) == 30 * 5


def test_runs_are_read_by_other_tools(tmp_path: Path) -> None:
    """ir_measures finds the same reciprocal ranks from our run and the right hits."""
    import ir_measures

    results = a_grid()
    results["reports"] = results["reports"][:1]
    queries = results["reports"][0]["query_results"]
    written(results, tmp_path)
    place = str(next((tmp_path / "runs").glob("*.run")))
    run = list(ir_measures.read_trec_run(place))  # type: ignore[no-untyped-call]
    qrels = [
        ir_measures.Qrel(query["id"], f"{hit['path']}:{hit['start']}-{hit['end']}", 1)
        for query in queries[1:]
        for hit in query["retrieved"]
        if hit["credit"] == "relevant"
    ]

    found = {
        one.query_id: one.value
        for one in ir_measures.iter_calc([ir_measures.parse_measure("RR")], qrels, run)
    }

    wanted = {query["id"]: query["mrr"] for query in queries[1:] if query["first_rank"]}
    assert {name: found[name] for name in wanted} == pytest.approx(wanted)


def test_queries_of_one_name_in_two_repositories_stay_apart(tmp_path: Path) -> None:
    """A run file has one column for a query's name."""
    results = a_grid()
    for report in results["reports"]:
        for query in report["query_results"]:
            query["id"] = f"q{int(query['id'][1:]) // 3}"

    written(results, tmp_path)

    lines = next((tmp_path / "runs").glob("*.run")).read_text("utf-8").splitlines()
    assert len({line.split()[0] for line in lines}) == 30
    assert lines[-1].startswith("post/q9 Q0 ")


def test_a_report_made_again_leaves_no_run_of_trials_that_are_gone(tmp_path: Path) -> None:
    """The folder holds what the results hold."""
    results = a_grid()
    written(results, tmp_path)

    written(the_results(results["reports"][:1]), tmp_path)

    assert len(list((tmp_path / "runs").glob("*.run"))) == 1


def test_the_parts_that_all_names_share_are_said_once(tmp_path: Path) -> None:
    results = a_grid()
    for number, trial in enumerate(results["reports"]):
        trial["config"]["name"] = f"limit=10 chunk={number + 1}"
    names = {trial["config"]["name"] for trial in results["reports"]}
    results["recommendation"] = {}

    write_report(from_json(results, "a test"), tmp_path)

    markdown = (tmp_path / "report.md").read_text("utf-8").partition("## Trials")[2]
    assert "Every trial: limit=10\n" in markdown
    assert "| limit=10" not in markdown.partition("## What each")[0]
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Every trial: limit=10<" in page
    assert len(names) > 1


def test_findings_have_the_overall_row_and_the_categories(tmp_path: Path) -> None:
    """24 of 30 queries are found within ten; of each repository 8 of 10."""
    _, said = written(a_grid(), tmp_path)

    by_tier = said.partition("## By tier")[2].partition("## By repository")[0]
    (overall,) = (line for line in by_tier.splitlines() if line.startswith("| OVERALL"))
    by_category = said.partition("## By category")[2].partition("## Queries")[0]
    rows = [line.split(" | ") for line in by_category.splitlines() if line.startswith("| ")]
    assert overall.startswith("| OVERALL | 30 | 8.0 % |")
    assert rows[0][:3] == ["| category", "queries", "hit@10"]
    assert [row[0] for row in rows[1:]] == ["| function\\_search", "| error\\_search", "| OVERALL"]
    assert rows[-1][1:3] == ["30", "80.0 %"]


def test_columns_of_text_are_aligned_to_the_left() -> None:
    """Numbers, their dashes, units and intervals to the right."""
    rows = [
        ["a", "easy", "0.5", "-", "1.0 to 2.0 %", "> 5.0 %", "**+0.1**", "-"],
        ["b", "-", "1,000", "12.5 %", "-", "> 9.0 %", "-", "-"],
    ]

    rules = table(list("abcdefgh"), rows).splitlines()[1]

    assert rules == "|---|---|--:|--:|--:|--:|--:|---|"
