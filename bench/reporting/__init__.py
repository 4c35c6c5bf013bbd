"""Output for people: while a study runs, at its end, and in its files."""

from bench.reporting.display import open_display
from bench.reporting.plan_page import about_study, show_plan
from bench.reporting.report_files import write_report
from bench.reporting.report_log import record_opening
from bench.reporting.stages_file import write_stages
from bench.reporting.summary_page import show_result

__all__ = [
    "about_study",
    "open_display",
    "record_opening",
    "show_plan",
    "show_result",
    "write_report",
    "write_stages",
]
