"""The report says what the results say, in one file, whatever is in the results."""

import json
import re
from base64 import b64decode, b64encode
from gzip import decompress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bench.report import write_report
from bench.report.html.elements import element
from bench.report.html.payload import packed, room_beside
from bench.report.study_view import StudyView
from bench.results.document import from_json
from tests.unit.report.sample_results import HOSTILE, a_grid, failed, the_results


def page_of(results: dict[str, Any], folder: Path) -> str:
    """Return the report of some results."""
    return write_report(from_json(results, "r.json"), folder).read_text(encoding="utf-8")


def rows_of(page: str) -> Any:
    """Return what is embedded for the query table."""
    found = re.search(r'<script type="text/plain" id="rows">([A-Za-z0-9+/=]*)</script>', page)
    assert found is not None
    return json.loads(decompress(b64decode(found[1])))


def test_text_is_escaped_in_contents_and_in_attributes() -> None:
    """No text can leave the place that it was put into."""
    made = element("td", "<b>", title='"><script>')

    assert made == '<td title="&quot;&gt;&lt;script&gt;">&lt;b&gt;</td>'


def test_control_characters_and_halves_of_characters_are_replaced() -> None:
    """A NUL or a lone surrogate in a path must not break the file."""
    assert element("td", "a\x00b\ud800c") == "<td>a\ufffdb?c</td>"


def test_hostile_text_is_nowhere_markup(tmp_path: Path) -> None:
    """A query, a path, a cause and a command that are HTML stay text."""
    results = a_grid()
    results["reports"][0] = failed(results["reports"][0])

    page = page_of(results, tmp_path)

    assert HOSTILE not in page
    assert "<img" not in page
    assert page.count("<script") == 2
    assert "out of memory &lt;/script&gt;" in page


def test_the_policy_lets_only_our_own_script_and_style_run(tmp_path: Path) -> None:
    """Both are named by their hashes; nothing can be loaded from anywhere."""
    page = page_of(a_grid(), tmp_path)

    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for kind, element_name in (("script-src", "script"), ("style-src", "style")):
        text = re.findall(rf"<{element_name}>(.*?)</{element_name}>", page, re.DOTALL)[0]
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind} &#x27;sha256-{digest}&#x27;" in policy[1]
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert " style=" not in page


def test_nothing_is_loaded_from_elsewhere(tmp_path: Path) -> None:
    """The file is all there is."""
    page = page_of(a_grid(), tmp_path)

    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', page) == []
    assert "url(" not in page
    assert "@import" not in page


def test_every_trial_has_its_numbers_and_the_best_is_marked(tmp_path: Path) -> None:
    """By hand: .5 + .05 + mean of .02 * (0..6 repeated), over three repositories."""
    results = a_grid()
    best = results["reports"][1]["summary"]["avg_ndcg_at_10"]

    page = page_of(results, tmp_path)

    assert f"{best:.4f}" in page
    row = re.search(r'<tr><td data-order="1"[^>]*>1</td>.*?</tr>', page)
    assert row is not None
    assert "chunk=64 rerank=on" in row[0]
    assert 'aria-label="best"' in row[0]


def test_the_embedded_rows_are_those_of_the_results(tmp_path: Path) -> None:
    """Ranks, scores and every hit of every trial can be read back."""
    results = a_grid()

    rows = rows_of(page_of(results, tmp_path))

    assert rows["trials"][0] == "chunk=64 rerank=on"
    source = next(r for r in results["reports"] if r["config"]["name"] == rows["trials"][0])
    queries = source["query_results"]
    assert rows["ranks"][0] == [query["first_rank"] or 0 for query in queries]
    assert rows["scores"][0][0] == [round(query["ndcg_at_10"] * 10_000) for query in queries]
    hits = rows["hits"]["0"]
    path, start, lines = (rows["places"][name] for name in ("path", "start", "lines"))
    assert [
        (rows["paths"][path[place]], start[place], start[place] + lines[place])
        for place in hits["place"][:5]
    ] == [(hit["path"], hit["start"], hit["end"]) for hit in queries[0]["retrieved"]]
    assert sum(hits["counts"]) == len(hits["credit"]) == 5 * len(queries)


def test_a_place_that_all_trials_find_is_embedded_once(tmp_path: Path) -> None:
    """Ten places in all: five of the hostile query, and five that every other query has."""
    rows = rows_of(page_of(a_grid(), tmp_path))

    assert len(rows["hits"]) == 4
    assert [len(column) for column in rows["places"].values()] == [10, 10, 10]


@pytest.mark.parametrize(("size", "room"), [(400_000, 3_000_000), (1_990_000, 2_250_000)])
def test_rows_get_the_room_that_the_page_leaves_them(size: int, room: int) -> None:
    """5 MB less the page, without the third that base64 adds."""
    assert room_beside(size) == room
    assert room_beside(6_000_000) == 0


def test_without_room_the_rankings_of_the_advised_trial_and_the_baseline_stay() -> None:
    """Scores and ranks are there for all; rankings leave from the worst trial on."""
    view = StudyView(from_json(a_grid(), "r.json"))
    whole = len(b64decode(packed(view)))

    rows = json.loads(decompress(b64decode(packed(view, room=whole - 1))))

    kept = [rows["trials"][int(place)] for place in rows["hits"]]
    assert {"chunk=64 rerank=on", "chunk=64 rerank=off"} <= set(kept) < set(rows["trials"])
    assert len(rows["ranks"]) == len(rows["scores"]) == 4


def test_without_room_failures_are_still_failures() -> None:
    """Their reasons leave with the rankings; that they failed does not."""
    results = a_grid()
    for report in results["reports"]:
        report["query_results"][3]["error"] = "the server hung up"

    whole = json.loads(decompress(b64decode(packed(StudyView(from_json(results, "r.json"))))))
    least = json.loads(
        decompress(b64decode(packed(StudyView(from_json(results, "r.json")), room=1)))
    )

    assert whole["errors"] == [{"3": "the server hung up"}] * 4
    assert least["errors"] == [{"3": "results.json has the reason"}] * 4


def test_axes_are_plotted_with_their_intervals(tmp_path: Path) -> None:
    """Big chunks lose .1 on every query: said with its sign, and drawn."""
    page = page_of(a_grid(), tmp_path)

    assert "chunk=512: -0.1000" in page
    assert "rerank=on: +0.0500" in page
    assert "difference in NDCG@10" in page


def test_equal_results_give_equal_files(tmp_path: Path) -> None:
    """Nothing in the file depends on when it was made."""
    one = page_of(a_grid(), tmp_path / "one")

    assert page_of(a_grid(), tmp_path / "other") == one


@pytest.mark.parametrize("queries", [1, 2, 30])
def test_one_trial_says_that_there_is_nothing_to_compare(tmp_path: Path, queries: int) -> None:
    """However few its queries are."""
    page = page_of(the_results(a_grid(queries)["reports"][:1]), tmp_path)

    assert "One trial: there is nothing to compare it with." in page
    assert 'id="frontier"' not in page


def test_without_latency_the_report_says_so(tmp_path: Path) -> None:
    """An empty plot would say that nothing costs anything."""
    results = a_grid()
    for report in results["reports"]:
        report["summary"] |= {"latency_p50_ms": None, "latency_p95_ms": None}

    page = page_of(results, tmp_path)

    assert "No latency was measured" in page
    assert "NDCG@10 against time to make the index" in page


def test_where_all_trials_failed_only_the_causes_are_left(tmp_path: Path) -> None:
    """No table, no plot and no query; what failed, and why."""
    results = a_grid()
    results["reports"] = [failed(report) for report in results["reports"]]
    results["recommendation"]["sentences"] = []

    page = page_of(results, tmp_path)

    assert "there is nothing to recommend" in page
    assert "4 of 4 trials have no result" in page
    assert "<svg" not in page
    assert 'id="all-trials"' not in page


def test_failed_queries_are_counted_by_their_causes(tmp_path: Path) -> None:
    """Two causes; the trial's numbers are of other queries than those of the others."""
    results = a_grid()
    for number in range(3):
        query = results["reports"][2]["query_results"][number]
        query |= {"error": f"gone {HOSTILE}" if number else "slow", "ndcg_at_10": None}
    results["reports"][2]["summary"]["failed_queries"] = 3

    page = page_of(results, tmp_path)

    assert "0 of 4 trials" not in page
    assert "3 queries failed" in page
    assert "2 queries: gone &lt;/script&gt;" in page
    assert "1 query: slow" in page
    assert "3 failed queries are excluded from the means" in page
    assert "use the 27 queries that every trial has a result for" in page


def test_a_trial_that_failed_on_queries_is_no_best(tmp_path: Path) -> None:
    """Its means are of other queries than those of the others."""
    results = a_grid()
    results["reports"][1]["summary"]["failed_queries"] = 1

    page = page_of(results, tmp_path)

    rows = page.partition('id="all-trials"')[2].partition("</table>")[0].split("<tr>")
    (failed,) = [row for row in rows if "1 failed query is excluded" in row]
    assert "chunk=64 rerank=on" in failed
    assert 'aria-label="best"' not in failed
    assert sum('aria-label="best"' in row for row in rows) >= 1


def test_results_without_credits_are_still_reported(tmp_path: Path) -> None:
    """Older files do not say which hits were right."""
    results = a_grid()
    for report in results["reports"]:
        for query in report["query_results"]:
            del query["targets"]
            for hit in query["retrieved"]:
                del hit["credit"]

    rows = rows_of(page_of(results, tmp_path))

    assert set(rows["hits"]["0"]["credit"]) == {None}


def test_bounds_are_shown_below_and_never_best(tmp_path: Path) -> None:
    """An oracle is higher than anything, and nothing to ship."""
    results = a_grid()
    oracle = results["reports"][1]
    oracle["bound"] = True
    results["recommendation"]["ship"] = None

    page = page_of(results, tmp_path)

    assert rows_of(page)["trials"][-1] == oracle["config"]["name"]
    last = page.partition('id="all-trials"')[2].partition("</table>")[0].rpartition("<tr>")[2]
    assert "not a candidate" in last
    assert 'aria-label="best"' not in last
    assert "3 trials are on the frontier" in page or "of 3 trials" in page


def test_negatives_and_top_file_types_are_shown_where_they_are_known(tmp_path: Path) -> None:
    """Older results have neither, and then there is no empty table."""
    results = a_grid()
    before = page_of(results, tmp_path)
    for report in results["reports"]:
        report["summary"] |= {"negative_queries": 4, "negative_refusal_rate": 0.25}
        report["top_file_types"] = {
            ".py": {"share_at_1": 0.75, "share_at_5": 0.5, "share_at_10": 0.4},
            ".md": {"share_at_1": 0.25, "share_at_5": 0.5, "share_at_10": 0.6},
        }

    after = page_of(results, tmp_path)

    assert "Queries without an answer" not in before
    assert "Types of files" not in before
    assert "4 queries have no right answer" in after
    assert "25.0%" in after
    assert "Types of files that chunk=64 rerank=on shows" in after


def test_groups_in_which_no_repository_has_two_queries_are_left_out(tmp_path: Path) -> None:
    """Their error could not be known."""
    results = a_grid(6)
    for report in results["reports"]:
        for number, query in enumerate(report["query_results"]):
            query["category"] = f"kind {number}"
            query["difficulty"] = ""

    page = page_of(results, tmp_path)

    assert "Effects by repository" in page
    assert "Effects by category" not in page


def test_the_cost_that_the_study_is_about_is_plotted_too(tmp_path: Path) -> None:
    """cost=peak_memory_bytes: in MB, beside latency and the time to make the index."""
    results = a_grid()
    results["settings"]["advice"]["cost"] = "peak_memory_bytes"
    results["reports"][0]["summary"]["peak_memory_bytes"] = 9_000_000

    page = page_of(results, tmp_path)

    assert "NDCG@10 against memory of the largest stage" in page
    assert "memory of the largest stage (MB)" in page
    assert page.count('class="frontier"') == 2 * 3


def test_costs_that_are_alike_are_not_plotted(tmp_path: Path) -> None:
    """A hundredth of a second is not a trade-off."""
    results = a_grid()
    for place, report in enumerate(results["reports"]):
        report["summary"]["index_seconds"] = 90 + place / 100

    page = page_of(results, tmp_path)

    assert "All trials cost about the same in time to make the index: 90.0 s." in page


def test_axes_that_never_vary_alone_are_not_judged(tmp_path: Path) -> None:
    """Two trials that differ in two settings say nothing of either."""
    results = a_grid()
    results["reports"] = [results["reports"][0], results["reports"][3]]

    assert "No axis varies alone" in page_of(results, tmp_path)
