"""The end of a command fits a screen: ten lines, 100 characters, and paths that can be copied."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from bench.advice import Line
from bench.report.ending import show_ending
from bench.tracking import TrackingSettings
from bench.tracking.addresses import study_address
from bench.tracking.place import place_of

PATH = f"outputs/{'a' * 120}/report.html"
LINES = (
    Line("Ship", f"{'chunk=512 ' * 12}at 4,000 tokens"),
    *(Line("Highest", f"trial {n} at ten hits", rank=2) for n in range(6)),
    Line("How sure", "no other trial is more than 0.018 better (95 % confidence)", rank=1),
    Line("Note", "word " * 60, rank=3),
    Line("Report", PATH, is_whole=True),
)


def test_a_verbose_page_has_all_lines() -> None:
    out = io.StringIO()

    show_ending(LINES, Console(file=out, width=80), most=None)

    assert sum(line.startswith("Highest:") for line in out.getvalue().splitlines()) == 6
    assert "Note:" in out.getvalue()


def shown(width: int, *lines: Line, **options: object) -> list[str]:
    """Return the lines of a terminal of this width."""
    out = io.StringIO()
    show_ending(lines or LINES, Console(file=out, width=width, highlight=False, **options))  # type: ignore[arg-type]
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_there_are_at_most_ten_lines_of_at_most_100_characters(width: int) -> None:
    page = shown(width)

    texts = [line for line in page if PATH not in line]
    assert len(page) <= 10
    assert max(map(len, texts)) <= min(width, 100)


def test_what_matters_least_is_left_out_first_and_paths_stay_whole() -> None:
    page = shown(80)

    assert page[0].startswith("Ship:      chunk=512")
    assert "Report: " + PATH in page
    assert any(line.startswith("How sure:") for line in page)
    assert not any(line.startswith("Note:") for line in page)
    assert 0 < sum(line.startswith("Highest:") for line in page) <= 6


ADDRESS = study_address(place_of(TrackingSettings(), Path()), "1", "20260102-030405-abcdef")


@pytest.mark.parametrize("width", [100, 140])
def test_an_address_of_mlflow_has_a_line_of_its_own(width: int) -> None:
    """Whole, and not wider than the other lines, up to an experiment of four figures."""
    told = f"rankgrid ui shows the study at\n{ADDRESS}"
    page = shown(width, Line("MLflow", told, rank=2, is_whole=True))

    assert page == ["MLflow:    rankgrid ui shows the study at", ADDRESS]
    assert len(ADDRESS.replace("experiments/1/", "experiments/1000/")) <= 100


def test_where_lines_are_many_an_address_is_left_out_with_its_label() -> None:
    others = [Line("Report", f"outputs/{number}", is_whole=True) for number in range(9)]
    told = f"rankgrid ui shows the study at\n{ADDRESS}"
    page = shown(100, *others, Line("MLflow", told, rank=2, is_whole=True))

    assert len(page) == 9
    assert ADDRESS not in page


def test_a_label_moves_up_to_a_path_that_nearly_fills_the_line() -> None:
    path = "outputs/" + "a" * 84

    assert shown(100, Line("Report", path, is_whole=True)) == [f"Report: {path}"]
    assert shown(100, Line("Report", path[:-3], is_whole=True)) == [f"Report:    {path[:-3]}"]


def test_only_labels_are_bold() -> None:
    """Not the first letters of an address below one."""
    lines = (Line("MLflow", f"{'a' * 95}\n{ADDRESS}", is_whole=True),)

    report, address = shown(100, *lines, force_terminal=True, color_system="standard")

    assert report.startswith("\x1b[1mMLflow:\x1b[0m a")
    assert address == ADDRESS


def test_a_cause_that_goes_on_and_on_takes_two_lines_or_three() -> None:
    page = shown(100, Line("Failed", "out of memory " * 90))

    assert len(page) <= 3
    assert page[-1].endswith("…")


def test_a_cause_cannot_begin_a_line_of_its_own() -> None:
    """Where a line begins, a CI system could read a command."""
    page = shown(100, Line("Failed", "gone\n::error::owned\x1b[31m"))

    assert len(page) == 1
    assert "\x1b" not in page[0]


def test_percentages_stay_in_one_piece() -> None:
    page = shown(40, Line("How sure", f"{'a' * 26} 95 % sure"))

    assert [line.strip() for line in page][1] == "95 % sure"


def test_colours_are_for_terminals_and_none_with_no_color() -> None:
    """Bold type is not a colour."""
    line = Line("Failed", "1 trial")

    plain = shown(80, line)
    on_terminal = shown(80, line, force_terminal=True, color_system="standard")
    without = shown(80, line, force_terminal=True, color_system="standard", no_color=True)

    assert plain == ["Failed:    1 trial"]
    assert "\x1b[1;31m" in on_terminal[0]
    assert "31m" not in without[0]
