"""The first screen of a report: what to use in plain words, how good, how sure, what is open."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from bench.advice import configuration_text
from bench.report import write_report
from bench.report.html.glossary import TERMS
from bench.report.html.payload import packed
from bench.report.study_view import StudyView
from bench.report.worst import worst_queries
from bench.results.document import from_json
from tests.unit.report.sample_results import BUDGETS, HOSTILE, a_grid, failed, the_results


def by_text(results: dict[str, Any]) -> dict[str, Any]:
    """Return results that are decided by the coverage in 4,000 tokens."""
    for report in results["reports"]:
        for budget in BUDGETS:
            name = f"coverage_at_{budget}_tokens"
            for query in report["query_results"]:
                query[name] = query[f"recall_at_{budget}_tokens"]
            report["summary"][f"avg_{name}"] = report["summary"][f"avg_recall_at_{budget}_tokens"]
    results["settings"]["advice"] = {}
    return results


def with_test(results: dict[str, Any], *, bound: float, may_be_best: int) -> dict[str, Any]:
    """Return results with a test whose first statement has a bound."""
    names = [report["config"]["name"] for report in results["reports"]]
    results["recommendation"]["tested"] = {
        "baseline": names[0],
        "best": names[1],
        "may_be_best": names[:may_be_best],
        "statements": [{"text": "-", "evidence": [["regret_bound", bound]]}],
        "warnings": [],
    }
    return results


def part_of(results: dict[str, Any], folder: Path, key: str) -> str:
    """Return the text of a section of the report."""
    page = write_report(from_json(results, "r.json"), folder).read_text("utf-8")
    found = re.search(rf'<section id="{key}".*?</section>', page, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", found[0])) if found else ""


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ({"chunk": 512, "reranker": "off"}, "512-token chunks without the reranker"),
        ({"retriever": "bm25", "chunk": 256}, "keyword search on 256-token chunks"),
        ({"retriever": "mine", "embedder": "e5"}, "the mine retriever with the model e5"),
        ({"reranker": "on", "weight": 0.5}, "with the reranker with weight=0.5"),
        ({"weight": 0.5}, "weight=0.5"),
        ({"chunk": None, "limit": 5}, "limit=5"),
    ],
)
def test_a_configuration_is_said_in_plain_words(axes: dict[str, Any], said: str) -> None:
    assert configuration_text(axes, tuple(axes)) == said


def test_a_decided_study_is_two_sentences_and_four_cards(tmp_path: Path) -> None:
    """The advised trial shows 36 % of the right code in 4,000 tokens; the runner-up less."""
    results = with_test(by_text(a_grid()), bound=0.018, may_be_best=1)

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "Use 64-token chunks with rerank=on. It shows 36 % of the right code in 4,000" in answer
    assert "sure that no other is more than 1.8 points better, in these 3 repositories." in answer
    assert "The runner-up, 64-token chunks with rerank=off: 33 %." in answer
    assert "Not tested Repositories besides these 3" in answer
    assert "advised: chunk=64 rerank=on" in answer
    assert "runner-up: chunk=64 rerank=off" in answer


def test_where_nothing_is_decided_nothing_is_to_be_used(tmp_path: Path) -> None:
    """Another that may be the best and is much faster is named beside the speed."""
    results = with_test(by_text(a_grid()), bound=0.1, may_be_best=3)
    results["recommendation"] |= {"ship": None, "fastest": "chunk=64 rerank=off"}
    results["reports"][0]["summary"]["latency_p50_ms"] = 8.0

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "Use " not in answer
    assert "The questions do not decide between 4 configurations. The highest, " in answer
    assert "3 of 4 may be the best, in these 3 repositories." in answer
    assert "Another may be up to 10.0 points better." in answer
    assert "64-token chunks with rerank=off may be as good, and takes 8 ms." in answer
    assert "highest: chunk=64 rerank=on" in answer


def test_a_time_that_reads_the_same_is_no_reason_for_another(tmp_path: Path) -> None:
    """0.2 and 0.9 ms are both less than 1 ms, and "less than 1 ms or less" is not English."""
    results = with_test(by_text(a_grid()), bound=0.1, may_be_best=3)
    results["recommendation"] |= {"ship": None, "fastest": "chunk=64 rerank=off"}
    results["reports"][0]["summary"]["latency_p50_ms"] = 0.2
    results["reports"][1]["summary"] |= {"latency_p50_ms": 0.9, "latency_p95_ms": 0.95}

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "may be as good" not in answer
    assert "19 of 20 take less than 1 ms." in answer


PRIOR = {
    "trial": "chunk=64 rerank=off",
    "standing": "not contradicted here",
    "elsewhere": "chunk=64 rerank=off",
    "lead": 0.0,
    "regret": 0.004,
    "decided": True,
    "share": 0.3,
    "own_queries": 30,
    "queries": 333,
    "repositories": 15,
    "by": ["somebody"],
}


def with_prior(results: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return results whose choice rests on other repositories; its trial is not the highest."""
    prior = {**PRIOR, **changes}
    ship = prior["trial"] if prior["decided"] else None
    results["recommendation"] |= {"ship": ship, "prior": prior}
    return results


def test_a_choice_by_other_repositories_claims_no_certainty_of_the_questions(
    tmp_path: Path,
) -> None:
    results = with_prior(with_test(by_text(a_grid()), bound=0.1, may_be_best=3))

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "Use 64-token chunks with rerank=off. It shows 33 % of the right code" in answer
    assert (
        "These questions and 15 other repositories decide together; the questions alone do not."
        in answer
    )
    assert "sure that" not in answer
    assert (
        "Not decided 3 of 4 may be the best, in these 3 repositories. Another may be up to 10.0"
        " points better. With 15 other repositories, the best is expected to be 0.4 points better."
        in answer
    )
    assert "advised: chunk=64 rerank=off" in answer
    assert "highest: chunk=64 rerank=on" in answer
    assert "The highest, 64-token chunks with rerank=on: 36 %." in answer


def test_the_recommendation_begins_with_the_choice_in_both_reports(tmp_path: Path) -> None:
    """A choice by other repositories comes before the test that leaves it open."""
    results = with_prior(with_test(by_text(a_grid()), bound=0.1, may_be_best=3))
    ship = "Ship chunk=64 rerank=off: the best trial is expected to be 0.004 better."
    results["recommendation"]["sentences"] = ["Highest: x.", "-", ship, "Note: one is few."]

    part = " ".join(part_of(results, tmp_path, "advice").split())

    assert part.startswith(f"Recommendation {ship}")
    assert " Highest: x. - " in part
    assert part.endswith("What limits this One is few.")
    short = (tmp_path / "report.md").read_text("utf-8")
    assert short.partition("## Recommendation")[2].lstrip().startswith("- Ship chunk=64")


def test_a_choice_that_the_tests_make_as_well_is_certain(tmp_path: Path) -> None:
    results = with_prior(with_test(by_text(a_grid()), bound=0.018, may_be_best=1))
    results["recommendation"]["tested"]["cheapest"] = "chunk=64 rerank=off"

    answer = part_of(results, tmp_path, "answer")

    assert "sure that no other is more than 1.8 points better" in answer
    assert "other repositories decide" not in answer


def test_generated_questions_that_are_not_used_decide_nothing(tmp_path: Path) -> None:
    results = with_prior(by_text(a_grid()), standing="not asked here", regret=None)
    results["recommendation"]["tested"] = None

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "choice on 15 other repositories; the generated questions are not used." in answer
    assert "Not asked The questions were generated and are not used." in answer


def test_the_report_is_led_by_the_trial_of_the_chosen_configuration(tmp_path: Path) -> None:
    """The most likely trial by all evidence comes before the highest, as in chosen.yaml."""
    results = with_prior(with_test(by_text(a_grid()), bound=0.1, may_be_best=3), decided=False)

    answer = " ".join(part_of(results, tmp_path, "answer").split())

    assert "With what 15 other repositories taught, take 64-token chunks with rerank=off" in answer
    assert "likely: chunk=64 rerank=off" in answer
    findings = (tmp_path / "FINDINGS.md").read_text("utf-8")
    assert "Trial: chunk=64 rerank=off (likely, of 4 trials)" in findings


def test_a_trial_outside_the_limits_is_not_led_with(tmp_path: Path) -> None:
    results = with_test(by_text(a_grid()), bound=0.1, may_be_best=3)
    names = [report["config"]["name"] for report in results["reports"]]
    out = [{"trial": name, "why": "too slow"} for name in names if name != names[2]]
    results["recommendation"] |= {"ship": None, "ruled_out": out}

    only = part_of(results, tmp_path, "answer")
    out.append({"trial": names[2], "why": "too slow"})
    none = part_of(results, tmp_path, "answer")

    assert "It is the only configuration within the limits." in only
    assert f"only one within the limits: {names[2]}" in only
    assert "No configuration is within the limits." in none


def test_what_was_not_measured_is_not_tested(tmp_path: Path) -> None:
    """One repository, one trial, no latency, a trial that failed."""
    results = a_grid()
    one, *_, other = results["reports"]
    one["summary"] |= {"latency_p50_ms": None, "latency_p95_ms": None}
    one["repository_metrics"] = {"shop": one["repository_metrics"]["shop"]}
    one["language_metrics"] = {"python": {"count": 30}}

    answer = " ".join(part_of(the_results([one, failed(other)]), tmp_path, "answer").split())

    assert "Only one configuration was measured: " in answer
    assert "Speed Not measured" in answer
    assert "Certainty Not compared" in answer
    assert "Any other repository; languages besides Python; another retriever," in answer
    assert "1 configuration that failed." in answer
    assert "Several searches" not in answer


def test_a_study_without_results_has_no_answer(tmp_path: Path) -> None:
    results = the_results([failed(report) for report in a_grid()["reports"]])

    assert "there is nothing to recommend" in part_of(results, tmp_path, "answer")
    assert part_of(results, tmp_path, "worst") == ""


def test_every_other_part_is_closed(tmp_path: Path) -> None:
    """The answer and the worst questions are read without a click."""
    page = write_report(from_json(a_grid(), "r.json"), tmp_path).read_text("utf-8")

    parts = re.findall(r'<section id="(\w+)"[^>]*>(<details class="part">)?', page)
    assert [key for key, is_closed in parts if not is_closed] == ["answer", "worst"]
    assert len(parts) > 8


def test_the_worst_questions_are_those_with_the_lowest_scores() -> None:
    """Among ties, queries that another trial answers come first; errors are left out."""
    results = a_grid()
    advised, other = results["reports"][1]["query_results"], results["reports"][0]["query_results"]
    for place, score in ((3, 0.0), (7, 0.0), (11, 0.1), (12, 0.2), (13, 0.3)):
        advised[place]["ndcg_at_10"] = score
    other[3]["ndcg_at_10"] = 0.9
    advised[20] |= {"error": "timed out", "ndcg_at_10": 0.0}

    found = worst_queries(StudyView(from_json(results, "r.json")))

    assert [query.id for query in found] == ["q3", "q7", "q11", "q12", "q13"]


def test_both_reports_name_the_worst_questions_with_what_came_instead(tmp_path: Path) -> None:
    results = a_grid()
    for report in results["reports"]:
        report["query_results"][0]["ndcg_at_10"] = 0.0

    page = part_of(results, tmp_path, "worst")

    short = (tmp_path / "report.md").read_text("utf-8")
    assert "The 5 worst questions" in page
    assert HOSTILE in page
    assert "expected: part" in " ".join(page.split())
    assert "found: src/file1.py:10-19, src/file2.py:20-29" in " ".join(page.split())
    assert "## The 5 worst questions of chunk=64 rerank=on" in short
    assert HOSTILE not in short
    assert "; found src/file1.py:10-19" in short


def test_two_trials_are_compared_from_the_runner_up() -> None:
    """B is the advised one, as `B against A` says; the baseline is one of the list."""
    import json
    from base64 import b64decode
    from gzip import decompress

    results = a_grid()
    results["reports"].reverse()  # the first is the baseline
    rows = json.loads(decompress(b64decode(packed(StudyView(from_json(results, "r.json"))))))

    names = [rows["trials"][rows[place]] for place in ("first", "second")]
    assert names == ["chunk=64 rerank=off", "chunk=64 rerank=on"]


def test_repositories_are_rows_and_trials_are_few_columns(tmp_path: Path) -> None:
    results = a_grid()
    more = [
        {**results["reports"][0], "config": {**results["reports"][0]["config"], "name": f"t{n}"}}
        for n in range(9)
    ]
    results["reports"] += more

    page = write_report(from_json(results, "r.json"), tmp_path).read_text("utf-8")

    part = page.partition('<section id="groups"')[2].partition("</table>")[0]
    assert re.findall(r'<th scope="row" data-order="(\w+)"', part) == ["shop", "bank", "post"]
    assert part.partition("<tbody")[0].count("<th ") == 2 + 8
    assert "5 more trials are in results.json." in page


def test_the_terms_of_the_field_are_explained(tmp_path: Path) -> None:
    terms = part_of(a_grid(), tmp_path, "terms")

    assert {"coverage", "reranker", "NDCG@10", "95 % interval", "failed"} <= set(TERMS)
    assert all(meaning in terms for meaning in TERMS.values())
