"""What people see of a study: while it runs, at its end, and in its files."""

from bench.reporting.advice import Advice, advice
from bench.reporting.display import open_display
from bench.reporting.openings import record_opening
from bench.reporting.plan_page import about_study, show_plan
from bench.reporting.report_files import write_report
from bench.reporting.results_file import as_json, read_results, write_results
from bench.reporting.stages_file import write_stages
from bench.reporting.summary_page import show_result
from bench.reporting.words import plural

__all__ = [
    "Advice",
    "about_study",
    "advice",
    "as_json",
    "open_display",
    "plural",
    "read_results",
    "record_opening",
    "show_plan",
    "show_result",
    "write_report",
    "write_results",
    "write_stages",
]
