"""Results written by hand, with what tests of tracking do not care for filled in."""

from dataclasses import replace
from typing import Any

from bench.results import StudyResult
from bench.results.document import from_json

PLAN = {
    "distinct": 7,
    "executed": 7,
    "reused": 0,
    "failed": 0,
    "separate": 9,
    "seconds": 3.0,
    "separate_seconds": 4.0,
}


def whole(results: dict[str, Any]) -> StudyResult:
    """Return the study of a results file; summaries may hold numbers that no file does."""
    reports = results["reports"]
    file = {
        "schema": 1,
        "suite": "quick",
        "level": "symbol",
        **results,
        "plan": PLAN | results.get("plan", {}),
        "reports": [_report(report) for report in reports],
    }
    found = from_json(file, "results.json")
    pairs = zip(found.trials, reports, strict=True)
    trials = (replace(trial, summary=of.get("summary", {})) for trial, of in pairs)
    return replace(found, trials=tuple(trials))


def _report(report: dict[str, Any]) -> dict[str, Any]:
    least: dict[str, Any] = {"levels": {}, "query_results": []}
    config = {"name": "trial", **report.get("config", {})}
    return {**least, **report, "config": config, "summary": {}}
