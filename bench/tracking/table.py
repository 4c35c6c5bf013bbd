"""The trials of a study as a table that MLflow shows on the study's page."""

import csv
import io

from bench.tracking.content import RunContent, StudyContent


def table_of(content: StudyContent) -> str:
    """Return a row per trial as CSV: what it is, and its numbers over all queries."""
    rows = [_row(trial) for trial in content.trials]
    columns = dict.fromkeys(name for row in rows for name in row)
    written = io.StringIO()
    table = csv.DictWriter(written, list(columns), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def _row(trial: RunContent) -> dict[str, object]:
    return {
        "trial": trial.name,
        "verdict": trial.tags.get("rankgrid.verdict", ""),
        "failed": trial.failed,
        **trial.params,
        **trial.numbers,
    }
