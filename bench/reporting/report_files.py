"""The files that a study leaves for people: the report and its short forms."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.reporting.html import page_of
from bench.reporting.insights import insights
from bench.reporting.study_view import StudyView


def write_report(results: Mapping[str, Any], folder: Path) -> Path:
    """Write report.html into `folder`; return the file."""
    view = StudyView(results)
    found = insights(view)
    return _written(folder / "report.html", page_of(view, found))


def _written(place: Path, text: str) -> Path:
    """Write a whole file or none."""
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f".{place.name}.draft")
    draft.write_text(text, encoding="utf-8", errors="replace")
    draft.replace(place)
    return place
