"""Every table of trials lists the headline columns, and one more row adds a column to all."""

import io
import json
import re
from base64 import b64decode
from dataclasses import replace
from gzip import decompress
from pathlib import Path

import pytest
from rich.console import Console

from bench.advice import advise
from bench.report import show_result, write_report
from bench.results import COLUMNS, Column, StudyResult, TrialResult
from bench.results.columns import WIDEST, best_texts, known_columns, objective_first
from bench.settings import StudySettings
from bench.settings.study import AdviceSettings
from bench.tracking.content import content_of
from bench.tracking.view import view_of
from tests.unit.compare.sample_results import query, study, trial
from tests.unit.report.sample_study import several, study_of

MADE = Column("avg_map_at_10", "MAP@10", ".2f", "average precision of the first 10 hits", width=0)
ROWS = (*COLUMNS, MADE)
HEADINGS = [column.heading for column in ROWS]


def full(name: str, value: float) -> TrialResult:
    """Return a trial that has a number for every column."""
    numbers = {one.measure: value for one in ROWS if one.measure}
    made = trial([query(f"x/q{n}", 1, numbers=numbers, difficulty="easy") for n in range(3)])
    summary = {one.number: value * one.scale for one in ROWS}
    group = {"count": 3, **{one.number: value for one in ROWS if one.measure}}
    return replace(
        made,
        name=name,
        summary={**made.summary, **summary},
        repositories={"x": group},
        difficulties={"easy": group},
    )


def made_study() -> StudyResult:
    """Return a study of two trials, compared by the first column."""
    settings = StudySettings(advice=AdviceSettings(objective="ndcg_at_10"))
    return replace(study([full("low", 0.25), full("high", 0.75)]), settings=settings)


def terminal() -> str:
    page = io.StringIO()
    console = Console(file=page, width=WIDEST + 60)
    show_result(made_study(), advise(made_study(), seed=0), columns=ROWS, console=console)
    return page.getvalue()


def written(name: str, folder: Path) -> str:
    write_report(made_study(), folder, columns=ROWS)
    return (folder / name).read_text(encoding="utf-8")


def headings(text: str, mark: str) -> list[str]:
    """Return the headings of the table row that holds a mark."""
    (line,) = [line for line in text.splitlines() if mark in line and "MRR@10" in line]
    return [cell.strip() for cell in re.split(r"[|┃│]", line) if cell.strip()]


def test_the_terminal_lists_the_columns() -> None:
    found = headings(terminal(), "trial")

    assert found[:2] == ["trial", HEADINGS[0]]
    assert found[1:] == [heading for heading in HEADINGS if heading in found]
    assert len(found) == 8
    assert MADE.heading in found


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_columns_of_the_terminal_leave_room_for_names(width: int) -> None:
    page, name = io.StringIO(), "retriever=hybrid chunk=2048"
    result = replace(made_study(), trials=(full(name, 0.25), full("high", 0.75)))

    show_result(result, advise(result, seed=0), console=Console(file=page, width=width))

    rows = [line for line in page.getvalue().splitlines() if line.startswith("│")]
    assert any(line.startswith(f"│ {name} │") for line in rows)


def test_report_md_lists_the_columns(tmp_path: Path) -> None:
    found = headings(written("report.md", tmp_path), "| trial |")

    assert found == ["trial", HEADINGS[0], "95 % interval", *HEADINGS[1:]]


def test_findings_list_the_measures(tmp_path: Path) -> None:
    page = written("FINDINGS.md", tmp_path)

    measures = [column.heading for column in ROWS if column.measure]
    assert headings(page, "| repository | queries |") == ["repository", "queries", *measures]
    assert headings(page, "first right at")[3:-1] == measures
    others = [heading for heading in measures if heading != "P@10"]
    assert headings(page, "| tier | queries |")[-len(others) :] == others


def test_report_html_lists_the_columns_and_their_meanings(tmp_path: Path) -> None:
    page = written("report.html", tmp_path)

    table = page.partition('id="all-trials"')[2].partition("</thead>")[0]
    assert re.findall(r'title="([^"]+)">([^<]+)</button>', table)[1:] == [
        (column.meaning, column.heading) for column in ROWS
    ]


def test_the_rows_of_report_html_have_the_scores_of_every_measure(tmp_path: Path) -> None:
    page = written("report.html", tmp_path)

    packed = re.search(r'id="rows">([A-Za-z0-9+/=]*)<', page)
    assert packed is not None
    rows = json.loads(decompress(b64decode(packed[1])))
    assert len(rows["measures"]) == sum(column.measure is not None for column in ROWS)
    assert rows["scores"][0][-1] == [7500] * 3


ASKED = ("published_iou_at_3", "duplicates_at_7", "map_at_500_tokens", "mrr", "f1_at_2")
ASKED_HEADINGS = ["published iou@3", "duplicates@7", "MAP at 500 tokens", "MRR@10", "F1@2"]


def asked_study() -> StudyResult:
    """Return a study that was asked for measures; of one of them lower is better."""
    found = made_study()
    values = {"low": 0.25, "high": 0.75}
    trials = tuple(
        replace(
            one,
            summary={**one.summary, **{f"avg_{name}": values[one.name] for name in ASKED}},
            queries=tuple(
                replace(each, numbers={**each.numbers, **dict.fromkeys(ASKED, values[one.name])})
                for each in one.queries
            ),
        )
        for one in found.trials
    )
    return replace(found, trials=trials, settings=replace(found.settings, measures=ASKED))


@pytest.mark.parametrize("width", [60, 80, 300])
def test_measures_that_were_asked_for_are_columns_of_any_terminal(width: int) -> None:
    page, result = io.StringIO(), asked_study()

    show_result(result, advise(result, seed=0), console=Console(file=page, width=width))

    for heading in ASKED_HEADINGS:
        trials = page.getvalue().partition("by difficulty")[0]
        assert trials.count(f" {heading} ") == 1
    duplicates = page.getvalue().partition("duplicates@7")[2]
    assert "0.2500*" in duplicates


def test_measures_that_were_asked_for_are_columns_of_the_reports(tmp_path: Path) -> None:
    write_report(asked_study(), tmp_path)

    rows = headings((tmp_path / "report.md").read_text("utf-8"), "| trial |")
    table = (tmp_path / "report.html").read_text("utf-8").partition('id="all-trials"')[2]
    columns = re.findall(r'">([^<]+)</button>', table.partition("</thead>")[0])
    assert rows[3:8] == columns[2:7] == ASKED_HEADINGS
    assert columns.count("MRR@10") == 1


def test_mlflow_lists_the_columns() -> None:
    content = content_of(made_study(), ROWS)

    view = json.loads(view_of(content, ""))

    note = content.parent.tags["mlflow.note.content"]
    assert headings(note, "| Configuration |") == ["Configuration", *HEADINGS]
    metrics = [one for one in view["selectedColumns"] if one.startswith("metrics")]
    assert metrics == [f"metrics.`{column.name}`" for column in ROWS]
    groups = {one.name for one in content.trials[0].measures if one.name.endswith("_repository/x")}
    assert groups == {f"{content.objective}_by_repository/x"}


@pytest.mark.parametrize(("width", "more"), [(80, False), (140, True)])
def test_a_terminal_shows_what_is_needed_and_one_more_if_it_is_wide(
    width: int, more: bool
) -> None:
    page = io.StringIO()

    show_result(
        made_study(), advise(made_study(), seed=0), console=Console(file=page, width=width)
    )

    assert max(map(len, page.getvalue().splitlines())) <= width
    lines = page.getvalue().partition("by difficulty")[0].splitlines()
    shown = {column.heading for column in COLUMNS if any(column.heading in one for one in lines)}
    assert shown >= {column.heading for column in COLUMNS if not column.width}
    assert "R@5" in shown
    assert ("MRR@10" in shown) == more
    assert not shown & {"memory MB", "P@10"}


def test_recall_at_five_is_the_last_column_to_be_dropped() -> None:
    """Only the measure that trials are compared by stays longer."""
    kept = []
    for width in range(36, 81):
        page = io.StringIO()
        show_result(
            made_study(), advise(made_study(), seed=0), console=Console(file=page, width=width)
        )
        trials = page.getvalue().partition("by difficulty")[0]
        kept.append([column.heading for column in COLUMNS if f" {column.heading} " in trials])

    several = [headings for headings in kept if len(headings) > 1]
    assert several
    assert all("R@5" in headings for headings in several)


def test_the_best_number_is_marked_by_its_direction_and_as_it_is_shown() -> None:
    low, high = full("low", 0.25), full("high", 0.75)
    level = replace(high, summary={**high.summary, "avg_mrr": 0.25001})

    found = best_texts(COLUMNS, [low, level])

    assert found["avg_ndcg_at_10"] == "0.7500"
    assert found["latency_p50_ms"] == "0.2"
    assert "avg_mrr" not in found


def test_bounds_and_trials_that_failed_on_queries_are_never_the_best() -> None:
    low, middle, high = (full(name, value) for name, value in (("a", 0.1), ("b", 0.2), ("c", 0.3)))
    bound = replace(full("oracle", 0.9), is_bound=True)
    failed = replace(high, queries=(replace(high.queries[0], error="timed out"),))

    assert best_texts(COLUMNS, [low, middle, bound, failed])["avg_mrr"] == "0.2000"


def test_another_objective_comes_first_with_its_label() -> None:
    known = objective_first("mrr", "MRR", COLUMNS)
    other = objective_first("groundedness", "groundedness", COLUMNS)

    assert [one.heading for one in known[:2]] == ["MRR@10", "NDCG@10"]
    assert len(known) == len(COLUMNS)
    assert (other[0].heading, other[0].number) == ("groundedness", "avg_groundedness")
    assert other[1:] == COLUMNS


def test_a_column_that_no_trial_has_is_left_out() -> None:
    shown = known_columns(COLUMNS, study_of(several("one", better=0.0, queries=3)).trials)

    assert "memory MB" not in [column.heading for column in shown]
