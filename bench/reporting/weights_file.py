"""weights.parquet: every weighting that a trial chose from, and its score."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.files import write_table


def write_curves(results: Mapping[str, Any], folder: Path) -> None:
    """Write a row per trial and weighting, for pandas, DuckDB and similar tools."""
    import pyarrow as pa

    rows = [row for report in results["reports"] for row in _rows(report)]
    if rows:
        write_table(folder / "weights.parquet", pa.Table.from_pylist(rows))


def _rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    tuning = report.get("tuning") or {"curve": []}
    for point in tuning["curve"]:
        weights = dict(zip(tuning["channels"], point["weights"], strict=True))
        yield {
            "trial": report["config"]["name"],
            **weights,
            tuning["objective"]: point["score"],
        }
