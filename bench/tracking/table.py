"""The table of a study's trials, which MLflow shows on the page of the study."""

import csv
import io

from bench.tracking.content import RunContent, StudyContent


def table_of(content: StudyContent) -> str:
    """Return CSV with a row per trial: its name, verdict, parameters and numbers."""
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
