"""Output for people: while a study runs, at its end, and in its files."""

from bench.report.display import open_display
from bench.report.plan_page import about_study, show_plan
from bench.report.report_files import write_report
from bench.report.report_log import record_opening
from bench.report.stages_file import write_stages
from bench.report.summary_page import Extras, show_advice, show_result

__all__ = [
    "Extras",
    "about_study",
    "open_display",
    "record_opening",
    "show_advice",
    "show_plan",
    "show_result",
    "write_report",
    "write_stages",
]
