"""The report draws what a choice of weights or of a threshold was made from."""

import re
from pathlib import Path
from typing import Any

import pytest

from bench.report import write_report
from bench.results.document import from_json
from tests.unit.report.sample_choices import with_answers, with_weights
from tests.unit.report.sample_results import a_grid


def part_of(results: dict[str, Any], folder: Path, key: str) -> str:
    """Return one section of the report."""
    page = write_report(from_json(results, "r.json"), folder).read_text("utf-8")
    found = re.search(rf'<section id="{key}".*?</section>', page, re.DOTALL)
    return found[0] if found else ""


def test_two_channels_are_one_curve_with_the_choice_and_what_it_is_worth(tmp_path: Path) -> None:
    """By hand: all of dense scores 1 - 0 - 1/10; none of it 1 - 1 - 0."""
    results = a_grid()
    results["reports"][1] = with_weights(results["reports"][1], ("bm25", "dense"), 4)

    weights = part_of(results, tmp_path, "weights")

    assert "NDCG@10 by the weight of dense" in weights
    assert re.findall(r"data-order=\"([.\d]+)\" class=\"number\">", weights)[:5] == [
        "0.0",
        "0.225",
        "0.45",
        "0.675",
        "0.9",
    ]
    assert "weights=[0,1], in sample 0.9000" in weights
    assert "expected on new queries of these repositories: 0.8000" in weights
    assert "expected on a new repository: 0.7000" in weights
    assert weights.count('class="ring"') == 2  # once for wide screens, once for narrow ones
    assert 'class="triangle"' not in weights


def test_three_channels_have_a_curve_each_and_a_triangle_of_all_weightings(tmp_path: Path) -> None:
    """4 steps: 15 weightings. By hand: 1 - bm25 - graph/10, so bm25=.5 gives .5."""
    results = a_grid()
    results["reports"][1] = with_weights(results["reports"][1], ("bm25", "dense", "graph"), 4)

    weights = part_of(results, tmp_path, "weights")

    triangle = re.search(r"<svg[^>]*class=\"triangle\".*?</svg>", weights, re.DOTALL)
    assert triangle is not None
    assert len(re.findall(r"<path ", triangle[0])) == 15
    assert "bm25 0.5, dense 0.5, graph 0: 0.5000" in triangle[0]
    row = re.search(r"<th scope=\"row\" data-order=\"0.5000\">0.5</th>(.*?)</tr>", weights)
    assert row is not None
    assert re.findall(r">([.\d]+)<", row[1]) == ["0.5000", "0.9500", "0.9500"]


def test_what_a_new_repository_would_bring_is_said_to_be_unknown_where_it_is(
    tmp_path: Path,
) -> None:
    """One repository: there is nothing to leave out."""
    results = a_grid()
    report = with_weights(results["reports"][1], ("bm25", "dense"), 4)
    report["tuning"] |= {"expected_on_a_new_repository": None, "repositories": {}}
    results["reports"][1] = report

    weights = part_of(results, tmp_path, "weights")

    assert "is not known from one" in weights
    assert weights.count("level level1") == 0
    assert "What each repository would have chosen" not in weights


@pytest.mark.parametrize(("threshold", "lines"), [(2.5, 2), (None, 0)])
def test_refusing_is_drawn_for_both_halves_with_the_threshold_in_use(
    tmp_path: Path, threshold: float | None, lines: int
) -> None:
    """Four lines, drawn twice; an upright one where there is a threshold."""
    results = a_grid()
    results["reports"][1] = with_answers(results["reports"][1], threshold)

    answers = part_of(results, tmp_path, "answers")

    assert answers.count('class="curve"') == 2 * 4 + 4  # two widths, and the legend
    assert answers.count('class="chosen"') == lines
    assert "refused, of answerable queries: report half" in answers
    assert ">0.7500<" in answers
    assert "50.0%" in answers
    said = "below a score of 2.5" if threshold else "only without a hit"
    assert said in answers


def test_half_of_the_queries_alone_has_half_of_the_lines(tmp_path: Path) -> None:
    """half=tune: nothing is known of the report half."""
    results = a_grid()
    report = with_answers(results["reports"][1], 2.5)
    for point in report["refusal"]["curve"]:
        del point["refusal_correctness_report"], point["false_refusal_rate_report"]
    results["reports"][1] = report

    answers = part_of(results, tmp_path, "answers")

    assert answers.count('class="curve"') == 2 * 2 + 2
    assert ": report half" not in answers


def test_studies_without_such_choices_have_neither_part(tmp_path: Path) -> None:
    """No empty plots."""
    assert part_of(a_grid(), tmp_path, "weights") == ""
    assert part_of(a_grid(), tmp_path, "answers") == ""


def test_effects_are_shown_by_tag_where_queries_have_tags(tmp_path: Path) -> None:
    """A query may have several tags; one without any is in no column."""
    results = a_grid()
    for report in results["reports"]:
        for number, query in enumerate(report["query_results"]):
            query["tags"] = ["exact", "nested"] if number % 2 else ["exact"] if number > 3 else []

    where = part_of(results, tmp_path, "where")

    assert "Effects by tag" in where
    assert "exact (28)" in where
    assert "nested (15)" in where
