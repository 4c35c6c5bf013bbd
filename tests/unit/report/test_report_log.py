"""Looks at the half that results are reported on are counted."""

import json
from pathlib import Path

import pytest

from bench.errors import UsageError
from bench.report import record_opening
from bench.report.report_log import FILE


def test_each_look_is_a_line_and_counted_for_its_suite(tmp_path: Path) -> None:
    """Say who looked for what, and how often this suite has been looked at."""
    output = tmp_path / "outputs"

    counts = [record_opening(output, suite, {"study": "s"}) for suite in ("a", "b", "a")]

    lines = [json.loads(line) for line in (output / FILE).read_text("utf-8").splitlines()]
    assert counts == [1, 1, 2]
    assert [line["suite"] for line in lines] == ["a", "b", "a"]
    assert all(line["study"] == "s" and line["opened"].endswith("Z") for line in lines)


def test_a_torn_line_is_no_look(tmp_path: Path) -> None:
    """Go on after a line that was half written."""
    (tmp_path / FILE).write_text('{"suite": "a"}\n[]\n{"sui\n', encoding="utf-8")

    assert record_opening(tmp_path, "a", {}) == 2


def test_a_look_that_cannot_be_counted_is_refused(tmp_path: Path) -> None:
    """Show nothing that nobody will know was shown."""
    (tmp_path / FILE).mkdir()

    with pytest.raises(UsageError, match=r"half=report: .* cannot be written"):
        record_opening(tmp_path, "a", {})
