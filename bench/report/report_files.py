"""Report files of a study, written from its results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.corpora.own_files import MARKDOWN_SIGN
from bench.files import write_whole
from bench.report.html import page_of
from bench.report.insights import insights
from bench.report.rankings_files import write_rankings
from bench.report.report_findings import findings
from bench.report.report_markdown import report_markdown
from bench.report.run_files import write_runs
from bench.report.study_view import StudyView
from bench.results import COLUMNS, Column, StudyResult


def write_report(
    result: StudyResult,
    folder: Path,
    targets: Mapping[str, float] | None = None,
    *,
    columns: Sequence[Column] = COLUMNS,
) -> Path:
    """Write the reports, the rankings and the runs into `folder`; return the path of report.html.

    `targets` override the study's targets: the value that P@10 must exceed in each tier.
    """
    view = StudyView(result, columns)
    found = insights(view)
    wanted = {**asdict(result.settings.targets), **(targets or {})}
    write_rankings(view, folder)
    write_runs(view, folder)
    _write(folder / "report.md", MARKDOWN_SIGN + report_markdown(view, found))
    _write(folder / "FINDINGS.md", MARKDOWN_SIGN + findings(view, wanted))
    return _write(folder / "report.html", page_of(view, found))


def _write(place: Path, text: str) -> Path:
    write_whole(place, text.encode("utf-8", "replace"))
    return place
