"""The view that MLflow opens a study in, and the table on its page."""

import csv
import json
import re
from typing import Any

from bench.tracking.content import content_of
from bench.tracking.table import table_of
from bench.tracking.view import view_key, view_of
from tests.unit.tracking.whole_results import whole

Results = dict[str, Any]
_LONGEST_TAG = 20_000  # of an experiment, as MLflow has it


def test_columns_are_what_differs_and_what_was_measured(results: Results) -> None:
    """No column is empty, and the axes of the grid are there."""

    results["reports"][1]["config"]["reranker"] = "on"

    view = json.loads(view_of(content_of(whole(results)), "the search"))

    assert view["searchFilter"] == "the search"
    assert view["orderByKey"] == "metrics.`mrr`"
    axes = [
        "tags.`rankgrid.verdict`",
        "params.`chunk`",
        "params.`retriever`",
        "params.`weight`",
        "params.`tokens`",
    ]
    metrics = [
        "metrics.`mrr`",
        "metrics.`recall_at_10`",
        "metrics.`recall_at_4000_tokens`",
    ]
    assert view["selectedColumns"] == [*axes, *metrics]
    assert view["columnOrder"] == ["attributes.`Run Name`", *axes, "duration", *metrics]


def test_columns_show_names_and_axes_whole(results: Results) -> None:
    """MLflow cuts what is longer than 100 pixels."""

    results["reports"][0]["config"]["chunk"] = "at definitions, 512 tokens"

    widths = json.loads(view_of(content_of(whole(results)), ""))["columnWidths"]

    assert widths["params.`chunk`"] == 239
    assert 140 < widths["tags.`rankgrid.verdict`"] < 180
    assert set(widths) > {"attributes.`Run Name`", "params.`retriever`"}


def test_the_address_of_a_study_is_short(results: Results) -> None:
    """It fits a line of 100 characters; two studies have two views."""

    assert re.fullmatch("[0-9a-f]{6}", view_key(whole(results).id))
    assert view_key("one") != view_key("other")


def test_axes_come_before_what_hangs_on_them(results: Results) -> None:
    """A model that only some trials have is not an axis; there is room for four columns."""

    first, second = results["reports"]
    first["config"] = {"model": "m", "dtype": "d", "depth": 4, "retriever": "hybrid", "chunk": 16}
    second["config"] = {"retriever": "bm25", "chunk": 64}

    view = json.loads(view_of(content_of(whole(results)), ""))

    columns = [one for one in view["selectedColumns"] if one.startswith("params")]
    assert columns[:2] == ["params.`retriever`", "params.`chunk`"]


def test_every_chart_is_of_something_that_was_measured(results: Results) -> None:
    """They stand in the one section that is open."""

    content = content_of(whole(results))

    view = json.loads(view_of(content, ""))

    names = {each.name for trial in content.trials for each in trial.measures}
    charts = view["compareRunCharts"]
    shown = {chart["metricKey"] for chart in charts if chart["type"] in ("BAR", "LINE")}
    assert shown == {"mrr", "recall_at_10", "recall_at_4000_tokens", "recall_by_tokens"}
    assert shown <= names
    (opened,) = [one["uuid"] for one in view["compareRunSections"] if one["display"]]
    assert {chart["metricSectionId"] for chart in charts} == {opened}
    assert len({chart["uuid"] for chart in charts}) == len(charts)


def test_answers_have_charts_and_curves_are_those_that_people_ask_for(results: Results) -> None:
    """Micro means and shares that ended early stay in the section of all measures."""

    for report in results["reports"]:
        report["summary"] = {
            **report.get("summary", {}),
            "avg_groundedness": 0.5,
            "micro_recall_at_1000_tokens": 0.5,
            "ended_early_at_1000_tokens": 0.25,
        }

    view = json.loads(view_of(content_of(whole(results)), ""))

    shown = [chart.get("metricKey") for chart in view["compareRunCharts"]]
    assert "groundedness" in shown
    assert [name for name in shown if name and name.endswith("_by_tokens")] == ["recall_by_tokens"]


def test_the_measure_that_decides_is_logged_first(results: Results) -> None:
    """MLflow's page that compares runs plots the first one."""

    report = results["reports"][0]
    report["summary"] = {"empty_result_rate": 0.25, **report["summary"]}

    trial = content_of(whole(results)).trials[0]

    assert [one.name for one in trial.measures[:2]] == ["mrr", "recall_at_10"]


def test_the_view_of_a_wide_study_fits_a_tag(results: Results) -> None:
    """Many groups, long names and many axes."""

    report = results["reports"][0]
    for key in ("tag_metrics", "language_metrics", "repository_metrics", "levels"):
        report[key] = {f"{key}-{n}": {"avg_mrr": 0.5} for n in range(300)}
    config = report["config"] | {f"axis_{n}" * 20: n for n in range(50)}
    results["reports"] = [report | {"config": config}, results["reports"][1]]

    view = view_of(content_of(whole(results)), "s" * 400)

    assert len(view) < _LONGEST_TAG


def test_a_file_with_hardly_anything_has_a_view() -> None:
    """Files of older versions say less."""

    view = json.loads(view_of(content_of(whole({"study": "s", "reports": [{}]})), ""))

    assert view["selectedColumns"] == ["tags.`rankgrid.verdict`"]
    assert view["compareRunCharts"] == []


def test_the_table_has_a_row_per_trial(results: Results) -> None:
    """A number that a trial does not have is blank, not 0."""

    results["recommendation"]["ship"] = "chunk=512 reranker=on"

    first, second = csv.DictReader(table_of(content_of(whole(results))).splitlines())

    assert first["trial"] == "chunk=512 reranker=on"
    assert (first["verdict"], first["chunk"], first["mrr"]) == ("ship", "512", "0.71")
    assert (second["failed"], second["chunk"], second["mrr"]) == ("True", "1024", "")
    assert not [name for name in first if "_by_" in name]
